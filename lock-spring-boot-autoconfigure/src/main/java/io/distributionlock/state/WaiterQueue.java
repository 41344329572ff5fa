package io.distributionlock.state;

import io.distributionlock.LockOutcome;
import io.distributionlock.backend.EngineSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The attempts that wait behind one {@link Claimant}, in the order of their arrival. */
final class WaiterQueue {

    /** Always empty: nobody is added. */
    static final WaiterQueue NOBODY = new WaiterQueue();

    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>(1);

    /** No waiter's deadline is earlier than this. */
    private long nextDeadline = Times.NEVER;

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
    }

    boolean remove(Waiter waiter) {
        return waiters.remove(waiter);
    }

    @Nullable
    Waiter peek() {
        return waiters.peek();
    }

    /** The first waiter; the queue must not be empty. */
    Waiter first() {
        return waiters.element();
    }

    /** Takes out the first waiter; the queue must not be empty. */
    Waiter removeFirst() {
        return waiters.remove();
    }

    /** No waiter's deadline is earlier than this. */
    long nextDeadline() {
        return nextDeadline;
    }

    /** Whether any of them waits, rather than asks once. */
    boolean wantsPlaceInQueue() {
        for (Waiter waiter : waiters) {
            if (!waiter.isSingle()) {
                return true;
            }
        }
        return false;
    }

    void show(SnapshotBuilder snapshot, String name, long now) {
        for (Waiter waiter : waiters) {
            snapshot.waiting(name, waiter, now);
        }
    }

    void markBusy(Waiter waiter) {
        waiter.markBusy();
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
    }

    /** Single attempts end no later than this. */
    void answerBy(long latest) {
        for (Waiter waiter : waiters) {
            waiter.answerBy(latest);
            nextDeadline = Math.min(nextDeadline, waiter.deadline());
        }
    }

    /** Lets every waiter know that the lock is busy; those that asked once fail. */
    void markAllBusy(long now, List<Decision> out) {
        // A waiter that knows was preceded only by waiters that know.
        for (Iterator<Waiter> latest = waiters.descendingIterator(); latest.hasNext(); ) {
            Waiter waiter = latest.next();
            if (waiter.sawBusy()) {
                return;
            }
            markBusy(waiter);
            if (waiter.isSingle()) {
                latest.remove();
                out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now))));
            }
        }
    }

    /** @param pending the acquire they wait for, if one is pending */
    void failExpired(
            @Nullable PendingAcquire pending,
            long now,
            EngineSettings settings,
            AnswerTimeout timeout,
            List<Decision> out) {
        if (now < nextDeadline) {
            return;
        }
        nextDeadline = Times.NEVER;
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
            Waiter waiter = all.next();
            if (now >= waiter.deadline()) {
                all.remove();
                out.add(new Decision.Fail(waiter, outcomeAtDeadline(waiter, pending, now, settings, timeout)));
            } else {
                nextDeadline = Math.min(nextDeadline, waiter.deadline());
            }
        }
    }

    private static LockOutcome.NotAcquired outcomeAtDeadline(
            Waiter waiter, @Nullable PendingAcquire pending, long now, EngineSettings settings, AnswerTimeout timeout) {
        Duration waited = waiter.waited(now);
        if (waiter.sawBusy() && (pending == null || !pending.isSilent(now, settings))) {
            return new LockOutcome.Busy(waited);
        }
        Throwable refusal = pending == null ? null : pending.refusal();
        return new LockOutcome.BackendFailed(waited, refusal == null ? timeout.noAnswerAfter(waited) : refusal);
    }

    /** Fails those that do not know whether the lock is busy; the others wait for the next heartbeat. */
    void failUnanswered(Throwable cause, long now, List<Decision> out) {
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
            Waiter waiter = all.next();
            if (!waiter.sawBusy()) {
                all.remove();
                out.add(new Decision.Fail(waiter, new LockOutcome.BackendFailed(waiter.waited(now), cause)));
            }
        }
    }

    void failAll(Throwable cause, long now, List<Decision> out) {
        for (Waiter waiter : waiters) {
            out.add(new Decision.Fail(waiter, new LockOutcome.BackendFailed(waiter.waited(now), cause)));
        }
        waiters.clear();
    }

    void failNotReplicated(Throwable cause, long now, List<Decision> out) {
        for (Waiter waiter : waiters) {
            out.add(new Decision.Fail(waiter, new LockOutcome.NotReplicated(waiter.waited(now), cause)));
        }
        waiters.clear();
    }
}
