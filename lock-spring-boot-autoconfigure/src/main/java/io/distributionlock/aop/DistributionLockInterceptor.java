package io.distributionlock.aop;

import io.distributionlock.Lease;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a locked method while its lock is held, or answers in its place. */
final class DistributionLockInterceptor implements MethodInterceptor {

    private static final Logger log = LoggerFactory.getLogger(DistributionLockInterceptor.class);

    private final LockedMethods lockedMethods;
    private final Supplier<LockTemplate> template;
    private final Supplier<LockKeyResolver> keyResolver;
    private final FailureMappers failureMappers;

    DistributionLockInterceptor(
            LockedMethods lockedMethods,
            Supplier<LockTemplate> template,
            Supplier<LockKeyResolver> keyResolver,
            FailureMappers failureMappers) {
        this.lockedMethods = lockedMethods;
        this.template = template;
        this.keyResolver = keyResolver;
        this.failureMappers = failureMappers;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        LockedMethod method = lockedMethodOf(invocation);
        if (method == null) {
            return invocation.proceed();
        }
        if (!method.problems().isEmpty()) {
            throw new InvalidLockDefinitionException(method.problems());
        }
        LockRequest request = requestFor(method, invocation);
        LockOutcome outcome = template.get().attempt(request);
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return runLocked(invocation, acquired.lease(), method);
        }
        return answerFor((LockOutcome.NotAcquired) outcome, request, method, invocation);
    }

    private @Nullable LockedMethod lockedMethodOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> targetClass =
                target != null ? target.getClass() : invocation.getMethod().getDeclaringClass();
        return lockedMethods.find(invocation.getMethod(), targetClass);
    }

    private LockRequest requestFor(LockedMethod method, MethodInvocation invocation) {
        List<@Nullable Object> arguments =
                Arrays.asList(invocation.getArguments().clone());
        List<String> names =
                keyResolver.get().resolve(new LockInvocation(method.declaration(), invocation.getThis(), arguments));
        return method.request(template.get(), names.get(0));
    }

    private @Nullable Object runLocked(MethodInvocation invocation, Lease lease, LockedMethod method) throws Throwable {
        try {
            return invocation.proceed();
        } finally {
            release(lease, method);
        }
    }

    /** Never throws: what the method returned or threw must reach the caller. */
    private static void release(Lease lease, LockedMethod method) {
        try {
            if (lease.release() == ReleaseResult.LOST) {
                log.warn(
                        "The lease of lock '{}' was lost before {} returned: another may have held the lock meanwhile."
                                + " Hold the lock longer, or leave holdLockTime out so that it is renewed.",
                        lease.name(),
                        MethodText.of(method.method()));
            }
        } catch (RuntimeException e) {
            log.error("Lock '{}' was not released properly after {}", lease.name(), MethodText.of(method.method()), e);
        }
    }

    private @Nullable Object answerFor(
            LockOutcome.NotAcquired outcome, LockRequest request, LockedMethod method, MethodInvocation invocation) {
        LockFailure failure = new LockFailure(
                request.name(),
                method.method(),
                Arrays.asList(invocation.getArguments().clone()),
                outcome.waited(),
                outcome.reason(),
                LockNotAcquiredException.of(request.name(), outcome));
        return failureMappers.answer(method.returnType(), failure);
    }
}
