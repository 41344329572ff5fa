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
 * The locks that one transaction keeps until it has ended, and those that have to be valid when it commits. Knows nothing of
 * the kind of transaction. Thread-safe, for asynchronous work comes and goes while the transaction runs.
 */
final class TransactionHold implements LockSurroundings.Surrounding {

    private final LockOwner owner = LockOwner.unique();
    private final Set<HeldLocks> kept = new LinkedHashSet<>();
    private final Set<HeldLocks> guarded = new LinkedHashSet<>();
    private final Set<String> atWork = new HashSet<>();
    private final Set<String> parked = new HashSet<>();
    private boolean ended;

    @Override
    public synchronized void keep(HeldLocks locks) {
        if (!ended && kept.add(locks)) {
            locks.retain();
        }
    }

    /** Has the locks checked before the commit; somebody else gives them back. */
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

    /** The transaction has ended, in whatever way. Gives back what is not at work any more; may block for that. */
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
     * The owner that asynchronous calls of this transaction take these locks for. They outlive their result, so that the next
     * call has to enter what the last one left; but not while that is still at work, and not by the thread, which may serve
     * somebody else by then.
     */
    synchronized LockOwner lend(Collection<String> names) {
        if (ended || names.stream().anyMatch(atWork::contains)) {
            return LockOwner.unique();
        }
        atWork.addAll(names);
        return owner;
    }

    /** The work of an asynchronous call has ended, if it had got its locks. */
    synchronized void takeBack(LockOwner lent, Collection<String> names, boolean got) {
        if (lent == owner && atWork.removeAll(names) && got) {
            parked.addAll(names);
        }
    }

    /** For whom a blocking call of this transaction takes these locks: for the thread, unless an asynchronous one left them. */
    synchronized LockOwner ownerOfBlockingCall(Collection<String> names) {
        return names.stream().anyMatch(name -> parked.contains(name) && !atWork.contains(name))
                ? owner
                : LockOwner.currentThread();
    }
}
