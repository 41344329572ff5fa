package io.distributionlock.state;

import io.distributionlock.LockOutcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The attempts that wait behind one {@link RequestQueue}, in the order of their arrival. */
final class WaiterQueue {

    /** Stands for a queue without waiters, and stays empty. */
    static final WaiterQueue NOBODY = new WaiterQueue();

    private final Deque<Waiter> waiters = new ArrayDeque<>(1);

    /** No waiter's deadline is earlier than this. */
    private long nextDeadline = Times.NEVER;

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    void add(Waiter waiter) {
        waiters.addLast(waiter);
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
    }

    /** Takes a waiter out; {@code false} if it does not wait here. */
    boolean remove(Waiter waiter) {
        return waiters.remove(waiter);
    }

    @Nullable
    Waiter peek() {
        return waiters.peekFirst();
    }

    /** The first waiter; the queue must not be empty. */
    Waiter first() {
        return waiters.getFirst();
    }

    /** Takes out the first waiter; the queue must not be empty. */
    Waiter removeFirst() {
        return waiters.removeFirst();
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

    /** Lets every waiter know that the lock is busy; those that asked once fail. */
    void markAllBusy(long now, List<Decision> out) {
        // A waiter that knows was preceded only by waiters that know.
        for (Iterator<Waiter> fromLast = waiters.descendingIterator(); fromLast.hasNext(); ) {
            Waiter waiter = fromLast.next();
            if (waiter.sawBusy()) {
                return;
            }
            markBusy(waiter);
            if (waiter.isSingle()) {
                fromLast.remove();
                out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now))));
            }
        }
    }

    /**
     * @param pending the acquire they wait for, if one is pending
     * @param late what was granted too late, if that was the latest answer
     */
    void failExpired(
            @Nullable PendingAcquire pending,
            @Nullable LateGrants late,
            long now,
            StateContext context,
            List<Decision> out) {
        if (now < nextDeadline) {
            return;
        }
        failIf(
                waiter -> now >= waiter.deadline(),
                waiter -> outcomeAtDeadline(waiter, pending, late, now, context),
                out);
        nextDeadline = Times.NEVER;
        waiters.forEach(waiter -> nextDeadline = Math.min(nextDeadline, waiter.deadline()));
    }

    void failIf(Predicate<Waiter> condition, Function<Waiter, LockOutcome.NotAcquired> outcome, List<Decision> out) {
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
            Waiter waiter = all.next();
            if (condition.test(waiter)) {
                all.remove();
                out.add(new Decision.Fail(waiter, outcome.apply(waiter)));
            }
        }
    }

    private static LockOutcome.NotAcquired outcomeAtDeadline(
            Waiter waiter,
            @Nullable PendingAcquire pending,
            @Nullable LateGrants late,
            long now,
            StateContext context) {
        Throwable refusal = pending == null ? null : pending.refusal();
        if (refusal != null) {
            return new LockOutcome.BackendFailed(waiter.waited(now), refusal);
        }
        boolean silent = pending != null && pending.isSilent(now, context.settings());
        if (late != null && late.concern(waiter) && !silent) {
            return late.outcome(waiter, now);
        }
        return waiter.outcomeAtDeadline(silent, now, context.timeout());
    }

    /** Fails those that do not know whether the lock is busy; the others wait for the next heartbeat. */
    void failUnanswered(Throwable cause, long now, List<Decision> out) {
        failIf(waiter -> !waiter.sawBusy(), waiter -> new LockOutcome.BackendFailed(waiter.waited(now), cause), out);
    }

    void failAll(Function<Waiter, LockOutcome.NotAcquired> outcome, List<Decision> out) {
        failIf(waiter -> true, outcome, out);
    }
}
