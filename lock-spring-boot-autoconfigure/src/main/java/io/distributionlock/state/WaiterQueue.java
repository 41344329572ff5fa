package io.distributionlock.state;

import io.distributionlock.LockOutcome;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that wait behind one {@link Line}, in the order of their arrival. They link to each other, so that any of them
 * leaves without a search.
 */
final class WaiterQueue {

    /** Always empty: nobody is added. */
    static final WaiterQueue NOBODY = new WaiterQueue();

    private @Nullable Waiter first;
    private @Nullable Waiter last;

    /** No waiter's deadline is earlier than this. */
    private long nextDeadline = Times.NEVER;

    boolean isEmpty() {
        return first == null;
    }

    void add(Waiter waiter) {
        waiter.queue = this;
        waiter.ahead = last;
        if (last == null) {
            first = waiter;
        } else {
            last.behind = waiter;
        }
        last = waiter;
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
    }

    /** Takes a waiter out; {@code false} if it does not wait here. */
    boolean remove(Waiter waiter) {
        if (waiter.queue != this) {
            return false;
        }
        Waiter ahead = waiter.ahead;
        Waiter behind = waiter.behind;
        if (ahead == null) {
            first = behind;
        } else {
            ahead.behind = behind;
        }
        if (behind == null) {
            last = ahead;
        } else {
            behind.ahead = ahead;
        }
        waiter.queue = null;
        waiter.ahead = null;
        waiter.behind = null;
        return true;
    }

    @Nullable
    Waiter peek() {
        return first;
    }

    /** The first waiter; the queue must not be empty. */
    Waiter first() {
        if (first == null) {
            throw new NoSuchElementException("Nobody waits");
        }
        return first;
    }

    /** Takes out the first waiter; the queue must not be empty. */
    Waiter removeFirst() {
        Waiter taken = first();
        remove(taken);
        return taken;
    }

    /** No waiter's deadline is earlier than this. */
    long nextDeadline() {
        return nextDeadline;
    }

    /** Whether any of them waits, rather than asks once. */
    boolean wantsPlaceInQueue() {
        for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
            if (!waiter.isSingle()) {
                return true;
            }
        }
        return false;
    }

    void show(SnapshotBuilder snapshot, String name, long now) {
        for (Waiter waiter = first; waiter != null; waiter = waiter.behind) {
            snapshot.waiting(name, waiter, now);
        }
    }

    void markBusy(Waiter waiter) {
        waiter.markBusy();
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
    }

    /** Lets every waiter know that the lock is busy; those that asked once fail. */
    void markAllBusy(long now, List<Decision> out) {
        // A waiter that knows was preceded only by waiters that know.
        Waiter ahead;
        for (Waiter waiter = last; waiter != null; waiter = ahead) {
            ahead = waiter.ahead;
            if (waiter.sawBusy()) {
                return;
            }
            markBusy(waiter);
            if (waiter.isSingle()) {
                remove(waiter);
                out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now))));
            }
        }
    }

    /** @param pending the acquire they wait for, if one is pending */
    void failExpired(@Nullable PendingAcquire pending, long now, StateContext context, List<Decision> out) {
        if (now < nextDeadline) {
            return;
        }
        nextDeadline = Times.NEVER;
        Waiter behind;
        for (Waiter waiter = first; waiter != null; waiter = behind) {
            behind = waiter.behind;
            if (now >= waiter.deadline()) {
                remove(waiter);
                out.add(new Decision.Fail(waiter, outcomeAtDeadline(waiter, pending, now, context)));
            } else {
                nextDeadline = Math.min(nextDeadline, waiter.deadline());
            }
        }
    }

    private static LockOutcome.NotAcquired outcomeAtDeadline(
            Waiter waiter, @Nullable PendingAcquire pending, long now, StateContext context) {
        Duration waited = waiter.waited(now);
        if (waiter.sawBusy() && (pending == null || !pending.isSilent(now, context.settings()))) {
            return new LockOutcome.Busy(waited);
        }
        Throwable refusal = pending == null ? null : pending.refusal();
        return new LockOutcome.BackendFailed(
                waited, refusal == null ? context.timeout().noAnswerAfter(waited) : refusal);
    }

    /** Fails those that do not know whether the lock is busy; the others wait for the next heartbeat. */
    void failUnanswered(Throwable cause, long now, List<Decision> out) {
        Waiter behind;
        for (Waiter waiter = first; waiter != null; waiter = behind) {
            behind = waiter.behind;
            if (!waiter.sawBusy()) {
                remove(waiter);
                out.add(new Decision.Fail(waiter, new LockOutcome.BackendFailed(waiter.waited(now), cause)));
            }
        }
    }

    void failAll(Throwable cause, long now, List<Decision> out) {
        while (!isEmpty()) {
            Waiter waiter = removeFirst();
            out.add(new Decision.Fail(waiter, new LockOutcome.BackendFailed(waiter.waited(now), cause)));
        }
    }

    /** @param holder the claim that makes this name what those who wait do not ask for: a lock, or permits */
    void failIncompatible(String holder, long now, List<Decision> out) {
        while (!isEmpty()) {
            out.add(removeFirst().incompatibleWith(holder, now));
        }
    }

    void failNotReplicated(Throwable cause, long now, List<Decision> out) {
        while (!isEmpty()) {
            Waiter waiter = removeFirst();
            out.add(new Decision.Fail(waiter, new LockOutcome.NotReplicated(waiter.waited(now), cause)));
        }
    }
}
