package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.LockSurroundings;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockedWork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One call of a locked method and the locks that it needs, in the order of their names. The names are made once, before
 * anything else: what the method does to its arguments changes them no more.
 */
final class LockedCall implements LockedWork {

    private final LockedMethod method;
    private final MethodInvocation invocation;
    private final @Nullable Object[] arguments;
    private final List<PlannedLock> locks;
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
    }

    static LockedCall of(
            LockedMethod method,
            MethodInvocation invocation,
            LockKeyResolver keyResolver,
            LockPlanner planner,
            LockTemplate template) {
        @Nullable Object[] arguments = invocation.getArguments().clone();
        List<LockDeclaration> declarations = method.declarations();
        if (declarations.size() == 1) {
            LockDeclaration declaration = declarations.get(0);
            List<String> names = namesFor(declaration, invocation, arguments, keyResolver);
            if (names.size() == 1) {
                List<PlannedLock> lock = List.of(planner.plan(declaration, names.get(0), template));
                return new LockedCall(method, invocation, arguments, withoutCarried(lock, method, arguments), template);
            }
        }
        TreeMap<String, PlannedLock> byName = new TreeMap<>();
        for (LockDeclaration declaration : declarations) {
            for (String name : namesFor(declaration, invocation, arguments, keyResolver)) {
                byName.merge(name, planner.plan(declaration, name, template), PlannedLock::strongerOf);
            }
        }
        List<PlannedLock> locks = new ArrayList<>(byName.values());
        return new LockedCall(method, invocation, arguments, withoutCarried(locks, method, arguments), template);
    }

    /** A caller that hands over a valid lease holds that lock already, on whatever thread it runs. */
    private static List<PlannedLock> withoutCarried(
            List<PlannedLock> locks, LockedMethod method, @Nullable Object[] arguments) {
        if (method.injections().isEmpty()) {
            return locks;
        }
        return locks.stream()
                .filter(lock -> method.injections().stream()
                        .noneMatch(injection -> injection.carries(lock.request(), arguments)))
                .toList();
    }

    private static List<String> namesFor(
            LockDeclaration declaration,
            MethodInvocation invocation,
            @Nullable Object[] arguments,
            LockKeyResolver keyResolver) {
        return keyResolver.resolve(new LockInvocation(declaration, invocation.getThis(), Arrays.asList(arguments)));
    }

    LockedMethod method() {
        return method;
    }

    MethodInvocation invocation() {
        return invocation;
    }

    /** The arguments as the caller passed them. */
    @Nullable
    Object[] arguments() {
        return arguments;
    }

    List<PlannedLock> locks() {
        return locks;
    }

    /** By which the locks are taken. */
    LockTemplate template() {
        return template;
    }

    List<String> lockNames() {
        return locks.stream().map(PlannedLock::name).toList();
    }

    /** The locks of this call, when they are got. */
    HeldLocks holding(List<Lease> leases, LockSurroundings surroundings) {
        return new HeldLocks(this, requests(), leases, surroundings);
    }

    private List<LockRequest> requests() {
        return locks.size() == 1
                ? List.of(locks.get(0).request())
                : locks.stream().map(PlannedLock::request).toList();
    }

    /** Runs the method; its own exceptions pass through as they are. */
    @Nullable
    Object proceed(HeldLocks held) throws Throwable {
        return proceed(held, invocation);
    }

    /** As {@link #proceed(HeldLocks)}, for a method whose work is to have ended when it returns. */
    @Nullable
    Object proceedToEnd(HeldLocks held) throws Throwable {
        Object result = proceed(held);
        if (method.leavesResultOpen()) {
            Unfinished.refuse(result, method);
        }
        return result;
    }

    /** Runs an invocation of the method, with the parameters filled in that the caller left open. */
    @Nullable
    Object proceed(HeldLocks held, MethodInvocation prepared) throws Throwable {
        for (Injection injection : method.injections()) {
            injection.fill(prepared.getArguments(), held.leases().get(0));
        }
        boolean announced = NestedProxies.announce(prepared);
        try {
            return prepared.proceed();
        } finally {
            if (announced) {
                NestedProxies.withdraw();
            }
        }
    }

    /** What is wrong when a method gives {@code null} for a result that is to come. */
    IllegalStateException nothingReturned() {
        return new IllegalStateException(describe() + " returned null instead of a "
                + method.returnType().resolve(Object.class).getSimpleName() + ". Return an empty one.");
    }

    @Override
    public String describe() {
        return MethodText.of(method.method());
    }
}
