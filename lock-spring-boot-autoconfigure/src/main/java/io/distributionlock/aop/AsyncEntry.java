package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.LockOwner;
import io.distributionlock.LockSurroundings.Surrounding;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One asynchronous call in what surrounds it: for whom it takes its locks, and who keeps them besides its own result. */
final class AsyncEntry {

    private final Set<Surrounding> surroundings;
    private final Map<String, LockOwner> enclosing;
    private final Set<String> names;
    private final LockOwner owner;
    private final boolean ownedByThread;
    private volatile boolean got;

    private AsyncEntry(
            Set<Surrounding> surroundings,
            Map<String, LockOwner> enclosing,
            Set<String> names,
            LockOwner owner,
            boolean ownedByThread) {
        this.ownedByThread = ownedByThread;
        this.surroundings = surroundings;
        this.enclosing = enclosing;
        this.names = names;
        this.owner = owner;
    }

    /** A call that takes its locks for the thread that it is made on. */
    static AsyncEntry ofThread(Set<Surrounding> surroundings) {
        return new AsyncEntry(surroundings, Map.of(), Set.of(), LockOwner.currentThread(), true);
    }

    /**
     * A call that enters the locks again which calls around it hold, and takes the others for the transaction that it belongs
     * to, or else for itself alone.
     *
     * @param enclosing who holds these locks around the call, by their names
     */
    static AsyncEntry of(
            Collection<String> lockNames, Map<String, LockOwner> enclosing, Set<Surrounding> surroundings) {
        Set<String> names =
                lockNames.stream().filter(name -> !enclosing.containsKey(name)).collect(Collectors.toUnmodifiableSet());
        LockOwner owner = surroundings.stream()
                .filter(TransactionHold.class::isInstance)
                .findFirst()
                .map(hold -> ((TransactionHold) hold).lend(names))
                .orElseGet(LockOwner::unique);
        return new AsyncEntry(surroundings, enclosing, names, owner, false);
    }

    /** For whom the call takes what nobody around it holds. */
    LockOwner owner() {
        return owner;
    }

    /** Whether the call enters a lock again that a call around it holds. */
    boolean entersAgain() {
        return !enclosing.isEmpty();
    }

    LockOwner ownerOf(String name) {
        return enclosing.getOrDefault(name, owner);
    }

    /** The locks are held: what surrounds the call keeps them as well. */
    void got(HeldLocks held) {
        got = true;
        surroundings.forEach(surrounding -> surrounding.keep(held));
    }

    /** The call has returned, and its work goes on: its thread will serve somebody else, who is not to enter with it. */
    void goesOn(HeldLocks held) {
        if (ownedByThread) {
            held.detach();
        }
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
