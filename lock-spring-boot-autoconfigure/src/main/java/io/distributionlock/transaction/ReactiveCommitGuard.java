package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.ReactiveTypes;
import io.distributionlock.reflect.TypeHierarchy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Checks before every commit of a reactive transaction inside a lock that the lock is still held, and rolls back if it is lost.
 * Only the Reactor context knows a reactive transaction, so this advice runs inside that of {@code @Transactional}, around
 * methods that return a reactive type.
 *
 * <p>It has the lowest precedence, as the advice of {@code @Transactional} has, and must be registered after it.
 *
 * @hidden
 */
@Internal
public final class ReactiveCommitGuard implements PointcutAdvisor, Ordered {

    private final Pointcut pointcut = new TransactionalPublishers();
    private final MethodInterceptor advice = invocation -> {
        Object result = invocation.proceed();
        ReactiveAdapter adapter = ReactiveTypes.adapterOfResult(invocation.getMethod());
        if (result == null || adapter == null) {
            return result;
        }
        Publisher<?> work = adapter.toPublisher(result);
        return adapter.fromPublisher(adapter.isMultiValue() ? guarded(work) : guarded(Mono.fromDirect(work)));
    };

    /** The same operator; its transactions check the locks around them. */
    public static TransactionalOperator guarding(TransactionalOperator operator) {
        return new GuardedOperator(operator);
    }

    private static <T> Mono<T> guarded(Mono<T> work) {
        return Mono.deferContextual(context -> {
            var locks = ReactiveLocks.in(context);
            return locks.isEmpty()
                    ? work
                    : ReactiveTransactions.current()
                            .doOnNext(hold -> locks.forEach(hold::guard))
                            .then(work);
        });
    }

    private static <T> Flux<T> guarded(Publisher<T> work) {
        return Flux.deferContextual(context -> {
            var locks = ReactiveLocks.in(context);
            return locks.isEmpty()
                    ? work
                    : ReactiveTransactions.current()
                            .doOnNext(hold -> locks.forEach(hold::guard))
                            .thenMany(work);
        });
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    private static final class TransactionalPublishers extends StaticMethodMatcherPointcut {

        /** Spring's own beans begin no reactive transaction; a repository is a bean of a generated class. */
        TransactionalPublishers() {
            setClassFilter(type -> !TypeHierarchy.isOfSpring(type));
        }

        @Override
        public boolean matches(Method method, @Nullable Class<?> targetClass) {
            return ReactiveTypes.mayHaveAdapterOfResult(method)
                    && isTransactional(method, targetClass)
                    && ReactiveTypes.adapterOfResult(method) != null;
        }

        private static boolean isTransactional(Method method, @Nullable Class<?> targetClass) {
            Method specific = targetClass == null ? method : AopUtils.getMostSpecificMethod(method, targetClass);
            return isTransactional(specific)
                    || isTransactional(specific.getDeclaringClass())
                    || (targetClass != null && isTransactional(targetClass));
        }

        private static boolean isTransactional(AnnotatedElement element) {
            MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
            return annotations.isPresent(Transactional.class)
                    || annotations.isPresent("jakarta.transaction.Transactional");
        }
    }

    private record GuardedOperator(TransactionalOperator operator) implements TransactionalOperator {

        @Override
        public <T> Mono<T> transactional(Mono<T> mono) {
            return operator.transactional(guarded(mono));
        }

        @Override
        public <T> Flux<T> execute(TransactionCallback<T> action) {
            return operator.execute(transaction -> guarded(action.doInTransaction(transaction)));
        }
    }
}
