package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.MethodText;
import io.distributionlock.key.LockCondition;
import io.distributionlock.key.LockInvocation;
import io.distributionlock.key.LockKeyResolver;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * One call of a locked method and the locks that it needs, in the order of their names. The names are resolved once, before
 * the method can change its arguments.
 */
final class LockInvocationContext implements LockScope.Work {

    private final LockMetadata method;
    private final MethodInvocation invocation;
    private final @Nullable Object[] arguments;
    private final List<LockAttempt> locks;
    private final LockTemplate template;

    private LockInvocationContext(
            LockMetadata method,
            MethodInvocation invocation,
            @Nullable Object[] arguments,
            List<LockAttempt> locks,
            LockTemplate template) {
        this.method = method;
        this.invocation = invocation;
        this.arguments = arguments;
        this.locks = locks;
        this.template = template;
    }

    static LockInvocationContext of(
            LockMetadata method,
            MethodInvocation invocation,
            LockKeyResolver keyResolver,
            LockOverrides overrides,
            LockTemplate template) {
        method.injections().forEach(injection -> injection.clear(invocation.getArguments()));
        @Nullable Object[] arguments = invocation.getArguments().clone();
        @Nullable Object[] own = own(arguments, method);
        List<LockOperation> operations = method.locks();
        if (operations.size() == 1) {
            LockOperation only = operations.get(0);
            List<String> names = namesFor(only, invocation, own, keyResolver);
            if (names.size() <= 1) {
                List<LockAttempt> lock = names.isEmpty()
                        ? List.of()
                        : List.of(LockAttempt.of(only, names.get(0), method, template, overrides));
                return new LockInvocationContext(method, invocation, arguments, lock, template);
            }
        }
        TreeMap<String, LockAttempt> byName = new TreeMap<>();
        for (LockOperation lock : operations) {
            for (String name : namesFor(lock, invocation, own, keyResolver)) {
                byName.merge(name, LockAttempt.of(lock, name, method, template, overrides), LockAttempt::strongerOf);
            }
        }
        return new LockInvocationContext(method, invocation, arguments, List.copyOf(byName.values()), template);
    }

    /** The arguments that the source of the method knows. */
    private static @Nullable Object[] own(@Nullable Object[] arguments, LockMetadata method) {
        return method.suspending() ? Arrays.copyOf(arguments, arguments.length - 1) : arguments;
    }

    /** None if the condition of the lock is false. */
    private static List<String> namesFor(
            LockOperation lock,
            MethodInvocation invocation,
            @Nullable Object[] arguments,
            LockKeyResolver keyResolver) {
        LockInvocation call = new LockInvocation(lock.declaration(), invocation.getThis(), Arrays.asList(arguments));
        LockCondition condition = lock.condition();
        return condition == null || condition.isTrueFor(call) ? keyResolver.resolve(call) : List.of();
    }

    LockMetadata method() {
        return method;
    }

    MethodInvocation invocation() {
        return invocation;
    }

    /** The object whose method was called. */
    @Nullable
    Object target() {
        return invocation.getThis();
    }

    /** The arguments as the caller passed them. */
    @Nullable
    Object[] arguments() {
        return own(arguments, method);
    }

    /** The continuation of a suspending function of Kotlin, which is not among the arguments; otherwise {@code null}. */
    @Nullable
    Object continuation() {
        return method.suspending() ? arguments[arguments.length - 1] : null;
    }

    /** A copy of this invocation: each can proceed only once. */
    MethodInvocation copy() {
        return invocation instanceof ProxyMethodInvocation proxied
                ? proxied.invocableClone(arguments.clone())
                : invocation;
    }

    /** Whether the call needs no lock at all. */
    boolean isWithoutLocks() {
        return locks.isEmpty();
    }

    List<LockAttempt> locks() {
        return locks;
    }

    LockTemplate template() {
        return template;
    }

    List<String> names() {
        return locks.stream().map(LockAttempt::name).toList();
    }

    /** The locks of this call, once it has a lease for each. */
    HeldLocks holding(List<Lease> leases, LockScope scope) {
        return new HeldLocks(this, LockAttempt.requests(locks), leases, scope);
    }

    /** Runs the method; its own exceptions pass through as they are. */
    @Nullable
    Object proceed(HeldLocks held) throws Throwable {
        return proceed(held, invocation);
    }

    /** Runs an invocation of the method with its lease and token. */
    @Nullable
    Object proceed(HeldLocks held, MethodInvocation prepared) throws Throwable {
        for (LeaseParameter injection : method.injections()) {
            injection.fill(prepared.getArguments(), held.leases().get(0));
        }
        return prepared.proceed();
    }

    /** The failure of a method that returns {@code null} instead of a future or publisher. */
    IllegalStateException nothingReturned() {
        return new IllegalStateException(describe() + " returned null instead of a "
                + method.returnType().resolve(Object.class).getSimpleName() + ". Return an empty one.");
    }

    @Override
    public String describe() {
        return MethodText.of(method.method());
    }

    @Override
    public Method javaMethod() {
        return method.method();
    }

    /** A lock that a call needs, and the declaration that asks for it. */
    record LockAttempt(LockRequest request, LockOperation operation) {

        static LockAttempt of(
                LockOperation operation,
                String name,
                LockMetadata method,
                LockTemplate template,
                LockOverrides overrides) {
            LockRequest.Builder defaults = template.request(name);
            if (!method.injections().isEmpty()) {
                // The parameter is filled in on a thread that may not block.
                defaults.fenced();
            }
            return new LockAttempt(operation.request(defaults, overrides), operation);
        }

        static List<LockRequest> requests(List<LockAttempt> locks) {
            return locks.size() == 1
                    ? List.of(locks.get(0).request())
                    : locks.stream().map(LockAttempt::request).toList();
        }

        String name() {
            return request.name();
        }

        /** Of two for the same name, the one that satisfies both: see {@link LockRequest#strongerOf}. Its lease says who declares it. */
        LockAttempt strongerOf(LockAttempt other) {
            LockRequest both = request.strongerOf(other.request);
            boolean ownLease = both.kind() == request.kind()
                    && both.renewed() == request.renewed()
                    && both.leaseTime().equals(request.leaseTime());
            return new LockAttempt(both, ownLease ? operation : other.operation);
        }
    }
}
