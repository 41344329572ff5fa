package io.distributionlock.interceptor;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.failure.RefusedCall;
import io.distributionlock.key.LockCondition;
import io.distributionlock.key.LockInvocation;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.reflect.MethodText;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ResolvableType;

/**
 * One call of a locked method and the locks that it needs, in the order of their names. The names are resolved once, before
 * the method can change its arguments.
 */
final class LockedCall implements RefusedCall {

    private final LockedMethod method;
    private final MethodInvocation invocation;
    private final @Nullable Object[] arguments;
    private final List<PlannedLock> locks;

    /** The leases among them that the caller has passed, by name. */
    private final Map<String, Lease> passed;

    private final List<PlannedLock> toAcquire;
    private final LockTemplate template;

    private LockedCall(
            LockedMethod method,
            MethodInvocation invocation,
            @Nullable Object[] arguments,
            List<PlannedLock> locks,
            LockTemplate template) {
        this.method = method;
        this.invocation = invocation;
        this.arguments = arguments;
        this.locks = locks;
        this.template = template;
        this.passed = passed(locks, method, template, arguments);
        this.toAcquire = passed.isEmpty()
                ? locks
                : locks.stream()
                        .filter(lock -> !passed.containsKey(lock.name()))
                        .toList();
    }

    static LockedCall of(
            LockedMethod method,
            MethodInvocation invocation,
            LockKeyResolver keyResolver,
            LockOverrides overrides,
            LockTemplate template) {
        @Nullable Object[] arguments = invocation.getArguments().clone();
        @Nullable Object[] own = own(arguments, method);
        List<DeclaredLock> declared = method.locks();
        if (declared.size() == 1) {
            DeclaredLock only = declared.get(0);
            List<String> names = namesFor(only, invocation, own, keyResolver);
            if (names.size() <= 1) {
                List<PlannedLock> lock = names.isEmpty()
                        ? List.of()
                        : List.of(PlannedLock.of(only, names.get(0), method, template, overrides));
                return new LockedCall(method, invocation, arguments, lock, template);
            }
        }
        TreeMap<String, PlannedLock> byName = new TreeMap<>();
        for (DeclaredLock lock : declared) {
            for (String name : namesFor(lock, invocation, own, keyResolver)) {
                byName.merge(name, PlannedLock.of(lock, name, method, template, overrides), PlannedLock::strongerOf);
            }
        }
        return new LockedCall(method, invocation, arguments, List.copyOf(byName.values()), template);
    }

    /** The arguments that the source of the method knows. */
    private static @Nullable Object[] own(@Nullable Object[] arguments, LockedMethod method) {
        return method.suspending() ? Arrays.copyOf(arguments, arguments.length - 1) : arguments;
    }

    /** A caller that hands over a valid lease holds that lock already, on whatever thread it runs. */
    private static Map<String, Lease> passed(
            List<PlannedLock> locks, LockedMethod method, LockTemplate template, @Nullable Object[] arguments) {
        if (method.injections().isEmpty()) {
            return Map.of();
        }
        Map<String, Lease> found = new HashMap<>();
        for (PlannedLock lock : locks) {
            for (LeaseParameter injection : method.injections()) {
                Lease lease = injection.passed(lock.request(), template, arguments);
                if (lease != null) {
                    found.putIfAbsent(lock.name(), lease);
                }
            }
        }
        return found;
    }

    /** The same call later, when a lease that was passed may have ended. */
    LockedCall asOfNow() {
        return passed.isEmpty() ? this : new LockedCall(method, invocation, arguments, locks, template);
    }

    /** None if the condition of the lock is false. */
    private static List<String> namesFor(
            DeclaredLock lock, MethodInvocation invocation, @Nullable Object[] arguments, LockKeyResolver keyResolver) {
        LockInvocation call = new LockInvocation(lock.declaration(), invocation.getThis(), Arrays.asList(arguments));
        LockCondition condition = lock.condition();
        return condition == null || condition.isTrueFor(call) ? keyResolver.resolve(call) : List.of();
    }

    LockedMethod method() {
        return method;
    }

    MethodInvocation invocation() {
        return invocation;
    }

    @Override
    public Method javaMethod() {
        return method.method();
    }

    @Override
    public ResolvableType returnType() {
        return method.returnType();
    }

    @Override
    public @Nullable Object target() {
        return invocation.getThis();
    }

    @Override
    public @Nullable Object[] arguments() {
        return own(arguments, method);
    }

    @Override
    public @Nullable Object continuation() {
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

    List<PlannedLock> locks() {
        return locks;
    }

    /** The locks that the caller has not passed. */
    List<PlannedLock> toAcquire() {
        return toAcquire;
    }

    LockTemplate template() {
        return template;
    }

    List<String> namesToAcquire() {
        return toAcquire.stream().map(PlannedLock::name).toList();
    }

    /** The lease that was passed without the token that a parameter wants, if any. Otherwise it is drawn with the lock. */
    @Nullable
    Lease passedWithoutToken() {
        Lease first = passed.isEmpty() ? null : passed.get(locks.get(0).name());
        boolean wanted = first != null
                && first.knownFencingToken().isEmpty()
                && method.injections().stream().anyMatch(parameter -> parameter.wantsToken(arguments));
        return wanted ? first : null;
    }

    /** The locks of this call, once it has a lease for each. */
    HeldLocks holding(List<Lease> leases, LockScope scope) {
        return new HeldLocks(this, PlannedLock.requests(locks), leases, scope);
    }

    /** One lease for each lock: those that were acquired, and those that the caller has passed. */
    List<Lease> withPassed(List<Lease> taken) {
        if (passed.isEmpty()) {
            return taken;
        }
        Iterator<Lease> own = taken.iterator();
        List<Lease> all = new ArrayList<>(locks.size());
        for (PlannedLock lock : locks) {
            Lease lease = passed.get(lock.name());
            all.add(lease == null ? own.next() : PassedLease.of(lease));
        }
        return all;
    }

    /** Runs the method; its own exceptions pass through as they are. */
    @Nullable
    Object proceed(HeldLocks held) throws Throwable {
        return proceed(held, invocation);
    }

    /** Runs an invocation of the method, and fills in the lease parameters that the caller left open. */
    @Nullable
    Object proceed(HeldLocks held, MethodInvocation prepared) throws Throwable {
        for (LeaseParameter injection : method.injections()) {
            injection.fill(prepared.getArguments(), held.leases().get(0));
        }
        MethodReached.expect(prepared, held);
        boolean announced = NestedProxies.announce(prepared);
        try {
            return prepared.proceed();
        } finally {
            if (announced) {
                NestedProxies.withdraw();
            }
        }
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
}
