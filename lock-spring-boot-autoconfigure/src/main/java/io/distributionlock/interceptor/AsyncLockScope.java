package io.distributionlock.interceptor;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockOwner;
import io.distributionlock.LockScope.EnclosingTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One asynchronous call inside its transactions: the owners of its locks, and the transactions that keep the locks too. */
final class AsyncLockScope {

    private final Set<EnclosingTransaction> transactions;
    private final Map<String, LockOwner> enclosing;
    private final Set<String> names;
    private final LockOwner owner;
    private final boolean ownedByThread;
    private volatile boolean acquired;

    private AsyncLockScope(
            Set<EnclosingTransaction> transactions,
            Map<String, LockOwner> enclosing,
            Set<String> names,
            LockOwner owner,
            boolean ownedByThread) {
        this.transactions = transactions;
        this.enclosing = enclosing;
        this.names = names;
        this.owner = owner;
        this.ownedByThread = ownedByThread;
    }

    /** A call that acquires its locks for the calling thread. */
    static AsyncLockScope ofThread(Set<EnclosingTransaction> transactions) {
        return new AsyncLockScope(transactions, Map.of(), Set.of(), LockOwner.currentThread(), true);
    }

    /**
     * A call that re-enters the locks that calls around it hold, and acquires the others for its transaction or, without one, for
     * itself alone.
     *
     * @param around what calls around this one hold, innermost first
     */
    static AsyncLockScope of(LockedCall call, List<HeldLocks> around, Set<EnclosingTransaction> transactions) {
        Map<String, LockOwner> enclosing = ownersAround(call, around);
        Set<String> names = call.names().stream()
                .filter(name -> !enclosing.containsKey(name))
                .collect(Collectors.toUnmodifiableSet());
        LockOwner owner = transactions.stream()
                .findFirst()
                .map(transaction -> transaction.ownerOfAsyncCall(names))
                .orElseGet(LockOwner::unique);
        return new AsyncLockScope(transactions, enclosing, names, owner, false);
    }

    /**
     * Who holds, without being a thread, the locks that a call needs, by their names. Only these are entered again: sibling calls must
     * keep each other out of all others.
     *
     * @param around what calls around this one hold, innermost first
     */
    static Map<String, LockOwner> ownersAround(LockedCall call, List<HeldLocks> around) {
        if (around.isEmpty()) {
            return Map.of();
        }
        Map<String, LockOwner> owners = new HashMap<>();
        for (HeldLocks held : around) {
            // The same name in another place is another lock.
            if (held.work() instanceof LockedCall holder && holder.template() == call.template()) {
                for (Lease lease : held.leases()) {
                    LockOwner owner = lease.isValid() ? held.ownerOf(lease) : null;
                    if (owner != null) {
                        owners.putIfAbsent(lease.name(), owner);
                    }
                }
            }
        }
        owners.keySet().retainAll(call.names());
        return owners;
    }

    LockOwner ownerOf(String name) {
        return enclosing.getOrDefault(name, owner);
    }

    /** The locks are held: the transactions keep them as well, and calls inside of this one enter them. */
    void acquired(HeldLocks held) {
        acquired = true;
        held.ownedBy(lease -> ownerOf(lease.name()));
        transactions.forEach(transaction -> transaction.keep(held));
    }

    /** The call has returned, but its work goes on: what its thread does next must not re-enter its locks. */
    void continuesWithoutThread(HeldLocks held) {
        if (ownedByThread) {
            held.detach();
        }
    }

    /** The work has ended, or does not run. */
    void ended() {
        transactions.forEach(transaction -> transaction.asyncCallEnded(owner, names, acquired));
    }
}
