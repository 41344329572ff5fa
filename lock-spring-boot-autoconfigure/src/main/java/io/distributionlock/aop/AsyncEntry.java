package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.LockOwner;
import io.distributionlock.LockSurroundings.Surrounding;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One asynchronous call in what surrounds it: for whom it takes its locks, and who keeps them besides its own result. */
final class AsyncEntry {

    private final Set<Surrounding> surroundings;
    private final Set<String> names;
    private final LockOwner owner;
    private volatile boolean got;

    private AsyncEntry(Set<Surrounding> surroundings, Set<String> names, LockOwner owner) {
        this.surroundings = surroundings;
        this.names = names;
        this.owner = owner;
    }

    /** A call that takes its locks for an owner who is known. */
    static AsyncEntry of(LockOwner owner, Set<Surrounding> surroundings) {
        return new AsyncEntry(surroundings, Set.of(), owner);
    }

    /** A call that takes its locks for the transaction that it belongs to, or else for itself alone. */
    static AsyncEntry of(List<PlannedLock> locks, Set<Surrounding> surroundings) {
        Set<String> names = locks.stream().map(PlannedLock::name).collect(Collectors.toUnmodifiableSet());
        LockOwner owner = surroundings.stream()
                .filter(TransactionHold.class::isInstance)
                .findFirst()
                .map(hold -> ((TransactionHold) hold).lend(names))
                .orElseGet(LockOwner::unique);
        return new AsyncEntry(surroundings, names, owner);
    }

    LockOwner owner() {
        return owner;
    }

    /** The locks are held: what surrounds the call keeps them as well. */
    void got(HeldLocks held) {
        got = true;
        surroundings.forEach(surrounding -> surrounding.keep(held));
    }

    /** The work has ended, or does not take place. */
    void over() {
        for (Surrounding surrounding : surroundings) {
            if (surrounding instanceof TransactionHold hold) {
                hold.takeBack(owner, names, got);
            }
        }
    }
}
