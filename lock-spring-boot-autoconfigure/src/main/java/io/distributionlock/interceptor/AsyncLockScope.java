package io.distributionlock.interceptor;

import io.distributionlock.HeldLocks;
import io.distributionlock.LockOwner;
import io.distributionlock.LockScope.EnclosingTransaction;
import java.util.Collection;
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
     * @param enclosing the owners of the locks that calls around this one hold, by name
     */
    static AsyncLockScope of(
            Collection<String> lockNames, Map<String, LockOwner> enclosing, Set<EnclosingTransaction> transactions) {
        Set<String> names =
                lockNames.stream().filter(name -> !enclosing.containsKey(name)).collect(Collectors.toUnmodifiableSet());
        LockOwner owner = transactions.stream()
                .findFirst()
                .map(transaction -> transaction.ownerOfAsyncCall(names))
                .orElseGet(LockOwner::unique);
        return new AsyncLockScope(transactions, enclosing, names, owner, false);
    }

    /** The owner of the locks that no enclosing call holds. */
    LockOwner owner() {
        return owner;
    }

    LockOwner ownerOf(String name) {
        return enclosing.getOrDefault(name, owner);
    }

    /** The locks are held: the transactions keep them as well. */
    void acquired(HeldLocks held) {
        acquired = true;
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
