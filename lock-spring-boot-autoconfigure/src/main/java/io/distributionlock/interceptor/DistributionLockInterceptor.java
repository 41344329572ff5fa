package io.distributionlock.interceptor;

import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.key.LockKeyResolver;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;

/** Runs a locked method while its locks are held, or answers the call itself. */
final class DistributionLockInterceptor implements MethodInterceptor {

    private final LockedMethods lockedMethods;
    private final LockTemplates templates;
    private final Supplier<LockKeyResolver> keyResolver;
    private final LockPlanner planner;
    private final Function<LockedMethod, CallRunner> runners;

    DistributionLockInterceptor(
            LockedMethods lockedMethods,
            LockTemplates templates,
            Supplier<LockKeyResolver> keyResolver,
            LockPlanner planner,
            Function<LockedMethod, CallRunner> runners) {
        this.lockedMethods = lockedMethods;
        this.templates = templates;
        this.keyResolver = keyResolver;
        this.planner = planner;
        this.runners = runners;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        LockedMethod method = lockedMethodOf(invocation);
        if (method == null || NestedProxies.takesOver(invocation)) {
            return invocation.proceed();
        }
        if (!method.problems().isEmpty()) {
            throw new InvalidLockDefinitionException(method.problems());
        }
        LockTemplate template = templates.forCall(method);
        LockedCall call = LockedCall.of(method, invocation, keyResolver.get(), planner, template);
        return call.isWithoutLocks()
                ? invocation.proceed()
                : runners.apply(method).run(call);
    }

    private @Nullable LockedMethod lockedMethodOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> targetClass = target != null
                ? AopProxyUtils.ultimateTargetClass(target)
                : invocation.getMethod().getDeclaringClass();
        return lockedMethods.find(invocation.getMethod(), targetClass);
    }
}
