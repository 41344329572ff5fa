package io.distributionlock.state;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a lock in this process, and the {@link Attempt} that is under way for all of them: all threads of this process
 * ({@link LockKind#REENTRANT}), or a single one (the other kinds, which keep the order of arrival). A state machine: {@link Event}s
 * in, {@link Decision}s out. It has no I/O, thread or clock: the caller passes the time and serializes events.
 *
 * <p>One attempt at a time. While it asks for the lock, its claim stands in the queue of Redis for all of them. Once it owns the lock,
 * the lock passes from one waiter to the next at no cost. Without one, and without waiters, the queue can be discarded.
 *
 * <p>A message is never believed, since anybody may have sent it: it only makes this process ask the backend at once.
 */
sealed class RequestQueue permits SingleRequestQueue {

    private final LockKind kind;
    final StateContext context;

    /** A process may hold very many locks that nobody waits for. */
    private WaiterQueue waiters = WaiterQueue.NOBODY;

    @Nullable
    Attempt attempt;

    /** Whether other processes waited when this one last gave the lock up. */
    private boolean othersWait;

    /** {@code null} if the latest answer to an acquire was in time, as almost always. */
    private @Nullable LateGrants lateGrants;

    RequestQueue(LockKind kind, StateContext context) {
        this.kind = kind;
        this.context = context;
    }

    /** The claim by which it acquires or owns the lock at present, if any. */
    @Nullable
    Claim claim() {
        return attempt == null ? null : attempt.claim();
    }

    /** Whether this object can be discarded. */
    boolean isIdle() {
        return attempt == null && waiters.isEmpty();
    }

    /** Whether it does not own the lock yet. */
    boolean isWaiting() {
        return !(attempt instanceof Ownership) && !isIdle();
    }

    /** Whether an event failed halfway, so that nothing asks for those who wait. */
    private boolean isStranded() {
        return attempt == null && !waiters.isEmpty();
    }

    /** Adds its holds and those who wait behind it. */
    void show(SnapshotBuilder snapshot, String name, long now) {
        if (attempt instanceof Ownership held && held.isValid(now)) {
            for (Hold hold : held.holders.all()) {
                snapshot.held(name, hold, now);
            }
        }
        waiters.show(snapshot, name, now);
    }

    /** When the next {@link Event.Tick} is due. */
    long due() {
        if (isStranded()) {
            return 0;
        }
        long due = attempt == null ? Times.NEVER : attempt.due();
        return waiters.isEmpty() ? due : Math.min(due, waiters.nextDeadline());
    }

    /** The ownership, if it is this owner's and valid. */
    @Nullable
    Ownership ownershipOf(LockOwner owner, long now) {
        return attempt instanceof Ownership held && held.holders.include(owner) && held.isValid(now) ? held : null;
    }

    /** Whether a valid ownership excludes another owner's request of this kind. */
    boolean excludes(LockKind requested, long now) {
        return attempt instanceof Ownership held
                && held.isValid(now)
                && !isOppositeOf(requested)
                && (requested.isExclusive() || !held.isShared());
    }

    /** Whether one of them is a lock and the other a permit. */
    boolean isOppositeOf(LockKind requested) {
        return (kind == LockKind.PERMIT) != (requested == LockKind.PERMIT);
    }

    // ------------------------------------------------------------------ events

    /** The claim of the event is that of the attempt. */
    void on(Event.OfClaim event, long now, List<Decision> out) {
        Attempt concerned = attempt;
        loseIfEnded(now, out);
        if (concerned != null && concerned == attempt) {
            concerned.on(event, this, now, out);
        } else {
            event.onUnknownClaim(out);
        }
    }

    void on(Event.OfAll event, long now, List<Decision> out) {
        if (event instanceof Event.RefuseWaiters refusal) {
            waiters.failAll(waiter -> new LockOutcome.BackendFailed(waiter.waited(now), refusal.cause()), out);
            afterDepartures(now, out);
            return;
        }
        loseIfEnded(now, out);
        if (event instanceof Event.Tick) {
            failExpired(now, out);
            afterDepartures(now, out);
        }
        if (attempt != null) {
            attempt.on(event, this, now, out);
        }
        if (isStranded()) {
            ask(now, out);
        }
    }

    // ------------------------------------------------------------------ waiters

    void acquire(Waiter waiter, long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (attempt instanceof Ownership held && held.holders.include(waiter.owner)) {
            out.add(new Decision.Grant(waiter, held.holders.add(waiter, held, now)));
            held.renewIfDue(now, this, out);
            return;
        }
        boolean busy = attempt instanceof Ownership || attempt != null && attempt.state() == Attempt.State.WAITING;
        if (busy && waiter.isSingle()) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now))));
            return;
        }
        if (waiters == WaiterQueue.NOBODY) {
            waiters = new WaiterQueue();
        }
        waiters.add(waiter);
        if (busy) {
            waiters.markBusy(waiter);
        }
        if (attempt == null) {
            ask(now, out);
        }
    }

    /** Removes a waiter, unless its outcome is decided already. */
    boolean cancel(Waiter waiter, long now, List<Decision> out) {
        if (!waiters.remove(waiter)) {
            return false;
        }
        afterDepartures(now, out);
        return true;
    }

    /** If nobody waits any longer, the pending acquire or hand-over has lost its purpose. */
    private void afterDepartures(long now, List<Decision> out) {
        if (!waiters.isEmpty()) {
            return;
        }
        waiters = WaiterQueue.NOBODY;
        if (attempt instanceof PendingAcquire pending) {
            pending.giveUp(this, now, out);
            attempt = null;
        } else if (attempt instanceof Ownership held && held.isHandoverPending()) {
            giveUp(held, null, now, out);
        }
    }

    private void failExpired(long now, List<Decision> out) {
        waiters.failExpired(attempt instanceof PendingAcquire pending ? pending : null, lateGrants, now, context, out);
    }

    private Waiter takeFirst() {
        Waiter first = waiters.removeFirst();
        if (waiters.isEmpty()) {
            waiters = WaiterQueue.NOBODY;
        }
        return first;
    }

    // ------------------------------------------------------------------ asking

    private @Nullable PendingAcquire ask(long now, List<Decision> out) {
        if (waiters.isEmpty()) {
            return null;
        }
        PendingAcquire pending = new PendingAcquire(
                context.claims().next(kind, waiters.first().request.permits()));
        attempt = pending;
        pending.start(this, now, out);
        return pending;
    }

    /** Whether any of those who wait wants a place in the queue of the backend. */
    boolean wantsPlaceInQueue() {
        return waiters.wantsPlaceInQueue();
    }

    /** See {@link Decision.SendAcquire#uncontended}. */
    boolean mayAskUncontended(long now) {
        return kind == LockKind.REENTRANT
                && !othersWait
                && !waiters.first().request.fenced()
                && context.fastPathGate().isOpen(now);
    }

    /** The lease to ask for. */
    long leaseMillis() {
        return waiters.first().leaseMillis();
    }

    /** When to ask again. */
    long nextHeartbeat(long sentAt, long now) {
        // While polling, from now on: the pause may be shorter than the way to the backend.
        return heartbeatAfter(context.polls() ? now : sentAt, context.heartbeatNanos(), now);
    }

    long heartbeatAfter(long since, long interval, long now) {
        return Times.after(since, interval);
    }

    /** Whether it asks at this heartbeat. */
    boolean hasTurn(long now) {
        return true;
    }

    /** The lock is busy, as the backend has answered. */
    void busy(long now, List<Decision> out) {
        waiters.markAllBusy(now, out);
        failExpired(now, out);
        afterDepartures(now, out);
    }

    /** The name is used as a lock where permits are asked for, or the other way round. */
    void incompatibleWith(String holder, long now, List<Decision> out) {
        waiters.failAll(waiter -> waiter.incompatibleWith(holder, now), out);
        afterDepartures(now, out);
    }

    /** The claim has a tombstone: those who wait need another, if there are any. */
    @Nullable
    PendingAcquire askWithNewClaim(long now, List<Decision> out) {
        attempt = null;
        return ask(now, out);
    }

    /** The backend granted the lock but could forget it: it is released, and nobody waits for the same again. */
    void notReplicated(PendingAcquire pending, Throwable cause, long now, List<Decision> out) {
        attempt = null;
        pending.release(pending.withTombstone(), this, now, out);
        waiters.failAll(waiter -> new LockOutcome.NotReplicated(waiter.waited(now), cause), out);
    }

    /** Fails those who do not know whether the lock is busy. */
    void unanswered(Throwable cause, long now, List<Decision> out) {
        waiters.failUnanswered(cause, now, out);
        afterDepartures(now, out);
    }

    // ------------------------------------------------------------------ owning

    /** The first waiter becomes the holder. */
    void acquired(
            PendingAcquire pending, Decision.SendAcquire command, AcquireReply.Ok ok, long now, List<Decision> out) {
        // What is known of others comes first, as it may decide about the release below; then who still waits, since
        // the lease has to suit the first of them; only then the grant.
        Ownership held = new Ownership(pending, command, ok, now, !kind.isExclusive());
        // If another process handed the lock over, that one most likely waits again.
        held.heard(command.sentAt(), ok.waiting() > 0 || pending.grantReported, now);
        if (!held.isValid(now)) {
            acquiredTooLate(pending, held, command.sentAt(), now, out);
            return;
        }
        failExpired(now, out);
        attempt = held;
        if (waiters.isEmpty() || !held.fits(waiters.first(), context)) {
            giveUp(held, null, now, out);
            return;
        }
        Waiter first = takeFirst();
        out.add(new Decision.Grant(first, held.holders.admit(first, held, now)));
        waiters.markAllBusy(now, out);
        held.renewIfDue(now, this, out);
    }

    /** The lease was over when the answer came, though perhaps not in the backend yet: the waiters ask again. */
    private void acquiredTooLate(PendingAcquire pending, Ownership held, long sentAt, long now, List<Decision> out) {
        LateGrants late = lateGrants == null ? new LateGrants() : lateGrants;
        lateGrants = late;
        late.add(sentAt, now);
        failExpired(now, out);
        if (late.areEnough()) {
            waiters.failIf(late::concern, waiter -> late.outcome(waiter, now), out);
        }
        if (waiters.isEmpty() || held.fence() == 0) {
            // Without a number, an ownership that a later answer finds could not be told from this one.
            attempt = held;
            giveUp(held, null, now, out);
        } else {
            // By the same claim, which may own the lock still: another one would be the last in the queue.
            pending.askAfterLateGrant(this, now, out);
        }
    }

    /** An answer to an acquire has come before the lease that it asked for was over. */
    void answeredInTime() {
        lateGrants = null;
    }

    /** The last hold was released: the next local waiter gets the lock, or it is given up. */
    void passOn(Ownership held, CompletableFuture<ReleaseResult> result, long now, List<Decision> out) {
        failExpired(now, out);
        Waiter next = waiters.peek();
        if (next == null || !held.mayPassTo(next, now, context)) {
            giveUp(held, result, now, out);
        } else if (held.handover().isWellInformed(now)) {
            out.add(new Decision.Answer<>(result, ReleaseResult.RELEASED));
            passTo(takeFirst(), held, now, out);
        } else {
            held.handover().setPending(result);
            held.askBeforePassingTo(next, this, now, out);
        }
    }

    /** An answer shows who waits elsewhere, whatever was asked: the hand-over need not wait any longer. */
    void completeHandoverIfPending(Ownership held, long now, List<Decision> out) {
        CompletableFuture<ReleaseResult> release = held.takePendingHandover();
        if (release == null) {
            return;
        }
        failExpired(now, out);
        Waiter next = waiters.peek();
        if (next != null && held.mayPassTo(next, now, context)) {
            out.add(new Decision.Answer<>(release, ReleaseResult.RELEASED));
            passTo(takeFirst(), held, now, out);
        } else {
            giveUp(held, release, now, out);
        }
    }

    private void passTo(Waiter next, Ownership held, long now, List<Decision> out) {
        held.handover().passed();
        out.add(new Decision.Grant(next, held.holders.admit(next, held, now)));
        held.refreshKnowledge(this, now, out);
        held.renewIfDue(now, this, out);
    }

    // ------------------------------------------------------------------ the end of an ownership

    void giveUp(Ownership held, @Nullable CompletableFuture<ReleaseResult> result, long now, List<Decision> out) {
        attempt = null;
        othersWait = held.othersWait();
        held.end(result, context, now, out);
        ask(now, out);
    }

    void lose(Ownership held, LossReason reason, long now, List<Decision> out) {
        if (held.holders.isEmpty()) {
            // Its last release is under way, and finds the loss.
            giveUp(held, null, now, out);
            return;
        }
        held.lostFor(reason);
        giveUp(held, null, now, out);
        out.add(new Decision.ReportLoss(held.holders.takeLossListeners(), reason));
    }

    void loseIfEnded(long now, List<Decision> out) {
        if (attempt instanceof Ownership held && !held.isValid(now)) {
            lose(held, held.reasonOfEnd(now), now, out);
        }
    }
}
