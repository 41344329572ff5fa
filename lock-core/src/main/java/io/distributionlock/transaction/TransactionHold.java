package io.distributionlock.transaction;

import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.Internal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The locks that one transaction keeps until it ends, and those that must be valid when it commits. Independent of the kind of
 * transaction. Thread-safe: asynchronous calls start and end while the transaction runs.
 *
 * @hidden
 */
@Internal
public final class TransactionHold implements LockScope.EnclosingTransaction {

    private final Set<HeldLocks> kept = new LinkedHashSet<>();
    private final Set<HeldLocks> guarded = new LinkedHashSet<>();
    private final Set<HeldLocks> beganIn = new LinkedHashSet<>();
    private final Set<TransactionHold> around = new LinkedHashSet<>();
    private boolean ended;

    @Override
    public synchronized void keep(HeldLocks locks) {
        if (!ended && kept.add(locks)) {
            locks.retain();
        }
    }

    /** Checks the locks before the commit, without keeping them. */
    synchronized void guard(HeldLocks locks) {
        guarded.add(locks);
    }

    /** As {@link #guard}, for a transaction that began in the work that holds these locks, and ends in it. */
    synchronized void beganIn(HeldLocks locks, boolean mayWrite) {
        guard(locks);
        if (mayWrite) {
            beganIn.add(locks);
        }
    }

    /** The transaction began inside of another: what it commits stays if that one rolls back, so it checks the locks of both. */
    synchronized void beganInside(TransactionHold outer) {
        around.add(outer);
    }

    /**
     * @throws io.distributionlock.LockLostException if one of the locks is lost
     */
    void requireValid() {
        Set<HeldLocks> all = locks();
        List<TransactionHold> outer;
        synchronized (this) {
            outer = List.copyOf(around);
        }
        outer.forEach(hold -> all.addAll(hold.locks()));
        all.forEach(HeldLocks::requireValid);
    }

    synchronized Set<HeldLocks> locks() {
        Set<HeldLocks> all = new LinkedHashSet<>(guarded);
        all.addAll(kept);
        return all;
    }

    /**
     * The transaction has ended. Releases the locks that no running call retains; may block.
     *
     * @param rolledBack whether what the work under the locks did is undone
     */
    void end(boolean rolledBack) {
        List<HeldLocks> began;
        List<TransactionHold> outer;
        List<HeldLocks> all;
        synchronized (this) {
            ended = true;
            began = List.copyOf(beganIn);
            beganIn.clear();
            outer = List.copyOf(around);
            all = new ArrayList<>(kept);
            kept.clear();
            guarded.clear();
            around.clear();
        }
        // One inside another may only record the failure.
        began.stream()
                .filter(locks -> outer.stream().noneMatch(hold -> hold.decidesAbout(locks)))
                .forEach(locks -> locks.transactionEnded(rolledBack));
        if (rolledBack) {
            all.forEach(HeldLocks::failed);
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).release();
        }
    }

    /** Whether its end decides what is left of the work that holds these locks. */
    private synchronized boolean decidesAbout(HeldLocks locks) {
        return beganIn.contains(locks) || kept.contains(locks);
    }
}
