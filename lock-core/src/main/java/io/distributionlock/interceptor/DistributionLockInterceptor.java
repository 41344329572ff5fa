package io.distributionlock.interceptor;

import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.event.LockEvents;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.UserThreads;
import io.distributionlock.key.LockKeyResolver;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * Runs a locked method while its locks are held, or answers the call itself. What this needs of the application is looked up at the first
 * locked call, so that it is not created before its post-processors.
 *
 * @hidden
 */
@Internal
public final class DistributionLockInterceptor implements MethodInterceptor {

    private final LockMetadataSource lockedMethods;
    private final LockTemplates templates;
    private final Supplier<LockKeyResolver> keyResolver;
    private final Supplier<LockOverrides> overrides;
    private final CallRunner blocking;
    private final CallRunner future;

    /** Created only for methods with a reactive return type: Reactor may be missing. */
    private final Supplier<CallRunner> reactive;

    /** @param context has the mappers of failures, and the messages in braces */
    public DistributionLockInterceptor(
            LockMetadataSource lockedMethods,
            LockTemplates templates,
            Supplier<LockKeyResolver> keyResolver,
            ObjectProvider<LockOverrides> overrides,
            ObjectProvider<LockScope> scopes,
            LockEvents events,
            ConfigurableApplicationContext context) {
        FailureAnswers answers = new FailureAnswers(new FailureMappers(context.getBeanFactory()), events, context);
        Executor executor = UserThreads.executor();
        Supplier<LockScope> scope = SingletonSupplier.of(scopes::getObject);
        this.lockedMethods = lockedMethods;
        this.templates = templates;
        this.keyResolver = keyResolver;
        this.overrides = SingletonSupplier.of(overrides::getObject);
        this.blocking = new BlockingRunner(answers, scope);
        this.future = new FutureRunner(answers, scope, executor);
        this.reactive = SingletonSupplier.of(() -> new ReactiveRunner(answers, scope, executor));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        LockMetadata method = lockedMethodOf(invocation);
        // A bean that is handed on as another bean has two proxies with this advice, of which the inner one locks.
        if (method == null || DistributionLockAdvisor.advises(invocation.getThis())) {
            return invocation.proceed();
        }
        if (!method.problems().isEmpty()) {
            throw new InvalidLockDefinitionException(method.problems());
        }
        LockTemplate template = templates.forCall(method);
        LockInvocationContext call =
                LockInvocationContext.of(method, invocation, keyResolver.get(), overrides.get(), template);
        return call.isWithoutLocks() ? invocation.proceed() : runnerOf(method).run(call);
    }

    private @Nullable LockMetadata lockedMethodOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> targetClass = target != null
                ? AopProxyUtils.ultimateTargetClass(target)
                : invocation.getMethod().getDeclaringClass();
        return lockedMethods.find(invocation.getMethod(), targetClass);
    }

    private CallRunner runnerOf(LockMetadata method) {
        return switch (method.returnShape()) {
            case FUTURE -> future;
            case REACTIVE -> reactive.get();
            // With @Async alone, where any future will do.
            case UNKNOWN_LATER -> method.returnType().resolve() == Future.class ? future : blocking;
            default -> blocking;
        };
    }
}
