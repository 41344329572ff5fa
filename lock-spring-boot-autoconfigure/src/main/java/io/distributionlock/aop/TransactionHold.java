package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.LockOwner;
import io.distributionlock.LockSurroundings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The locks that a transaction keeps until it has ended, and those that must be valid when it commits. Independent of the kind
 * of transaction. Thread-safe: asynchronous calls begin and end while the transaction runs.
 */
final class TransactionHold implements LockSurroundings.Surrounding {

    private final LockOwner owner = LockOwner.unique();
    private final Set<HeldLocks> kept = new LinkedHashSet<>();
    private final Set<HeldLocks> guarded = new LinkedHashSet<>();
    private final Set<String> running = new HashSet<>();
    private final Set<String> parked = new HashSet<>();
    private boolean ended;

    @Override
    public synchronized void keep(HeldLocks locks) {
        if (!ended && kept.add(locks)) {
            locks.retain();
        }
    }

    /** Checks these locks before the commit, but does not release them. */
    synchronized void guard(HeldLocks locks) {
        guarded.add(locks);
    }

    /**
     * @throws io.distributionlock.LockLostException if one of the locks is lost
     */
    void requireValid() {
        Set<HeldLocks> all;
        synchronized (this) {
            all = new LinkedHashSet<>(guarded);
            all.addAll(kept);
        }
        all.forEach(HeldLocks::requireValid);
    }

    /** Releases what the transaction has kept. Called when it has committed or rolled back; may block. */
    void end() {
        List<HeldLocks> all;
        synchronized (this) {
            ended = true;
            all = new ArrayList<>(kept);
            kept.clear();
            guarded.clear();
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).release();
        }
    }

    /**
     * The owner for an asynchronous call of this transaction. Such locks outlive the call, so the next call must be able to
     * re-enter them; but not while the first is still running, and not by thread, since that may serve another caller by then.
     */
    synchronized LockOwner lend(Collection<String> names) {
        if (ended || names.stream().anyMatch(running::contains)) {
            return LockOwner.unique();
        }
        running.addAll(names);
        return owner;
    }

    /**
     * An asynchronous call has ended.
     *
     * @param got whether it had acquired its locks
     */
    synchronized void takeBack(LockOwner lent, Collection<String> names, boolean got) {
        if (lent == owner && running.removeAll(names) && got) {
            parked.addAll(names);
        }
    }

    /** The owner for a blocking call: the thread, unless an asynchronous call of this transaction has left one of these locks. */
    synchronized LockOwner ownerOfBlockingCall(Collection<String> names) {
        return names.stream().anyMatch(name -> parked.contains(name) && !running.contains(name))
                ? owner
                : LockOwner.currentThread();
    }
}
