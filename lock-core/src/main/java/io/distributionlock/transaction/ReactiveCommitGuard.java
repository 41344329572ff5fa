package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import io.distributionlock.internal.ReactiveTypes;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.reactivestreams.Publisher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
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
public final class ReactiveCommitGuard extends StaticMethodMatcherPointcut implements PointcutAdvisor, Ordered {

    private final AnnotationTransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);
    private final MethodInterceptor advice = invocation -> {
        Object result = invocation.proceed();
        ReactiveAdapter adapter = ReactiveTypes.adapterOfResult(invocation.getMethod());
        if (result == null || adapter == null) {
            return result;
        }
        Publisher<?> work = adapter.toPublisher(result);
        return adapter.fromPublisher(
                adapter.isMultiValue() ? guard().thenMany(work) : guard().then(Mono.fromDirect(work)));
    };

    public ReactiveCommitGuard() {
        setClassFilter(transactions::isCandidateClass);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return ReactiveTypes.adapterOfResult(method) != null
                && transactions.hasTransactionAttribute(method, targetClass);
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Pointcut getPointcut() {
        return this;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    /** Wraps the operator, so that its transactions check the locks around them. */
    static TransactionalOperator guarding(TransactionalOperator operator) {
        return new GuardedOperator(operator);
    }

    /** Lets the transaction of the subscriber check the locks around it, and those of the transactions around it. */
    private static Mono<Void> guard() {
        return Mono.deferContextual(context -> ReactiveTransactions.guard(ReactiveLocks.in(context)));
    }

    private record GuardedOperator(TransactionalOperator operator) implements TransactionalOperator {

        @Override
        public <T> Mono<T> transactional(Mono<T> mono) {
            return operator.transactional(guard().then(mono));
        }

        @Override
        public <T> Flux<T> execute(TransactionCallback<T> action) {
            return operator.execute(transaction -> guard().thenMany(action.doInTransaction(transaction)));
        }
    }
}
