package io.distributionlock.state;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a lock by one claim at a time: for all threads of this process ({@link LockKind#REENTRANT}), or for a single attempt
 * (the other kinds, which keep the order of arrival). A state machine: {@link Event}s in, {@link Decision}s out. It has no I/O,
 * thread or clock: the caller passes the time and serializes events.
 *
 * <p>It is always in one {@link Phase}. While it <em>owns</em> the lock ({@link Ownership}), new threads queue here and cost no
 * command. While it <em>acquires</em> the lock ({@link PendingAcquire}), one claim stands in the queue of Redis on behalf of the whole queue
 * here, and asks again at each heartbeat. While it is <em>idle</em>, it can be discarded.
 *
 * <p>How leases are counted: a lease of d milliseconds that answers a command began after the command was sent. So it is certainly
 * held until d after the sending, however long the answer took.
 *
 * <p>A message is never believed, since anybody may have sent it: it only makes this process ask the backend at once.
 *
 * <p>Why a late answer must not prolong a lease: after the local deadline, the lease may have ended in Redis, another process may
 * have owned the lock, and a later command of this process may have acquired it again. The answer does not show that. So a lease
 * past its deadline is lost, and the next ownership has a new claim.
 */
final class Claimant {

    private final LockKind kind;
    private final StateContext context;

    /** The place of a single attempt; {@code null} for the claimant of all re-entrant attempts. */
    private final HeartbeatSchedule.@Nullable Place place;

    /** A process may hold very many locks that nobody waits for. */
    private WaiterQueue queue = WaiterQueue.NOBODY;

    private Phase phase = Phase.Idle.INSTANCE;

    /** Whether other processes waited when this one last gave the lock up. */
    private boolean othersWait;

    /** @param heartbeats those of the single attempts of the name; {@code null} for the claimant of all re-entrant attempts */
    Claimant(LockKind kind, StateContext context, @Nullable HeartbeatSchedule heartbeats) {
        this.kind = kind;
        this.context = context;
        this.place = heartbeats == null ? null : heartbeats.arrive();
    }

    /** A reader that owns the lock already, by what is left of a downgraded ownership. */
    static Claimant reading(Ownership downgraded, StateContext context, HeartbeatSchedule heartbeats) {
        Claimant reader = new Claimant(LockKind.READ, context, heartbeats);
        reader.phase = downgraded;
        return reader;
    }

    /** The claim by which it acquires or owns the lock at present, if any. */
    @Nullable
    Claim claim() {
        return phase.claim();
    }

    @Nullable
    Ownership ownership() {
        return phase instanceof Ownership held ? held : null;
    }

    private @Nullable PendingAcquire pending() {
        return phase instanceof PendingAcquire pending ? pending : null;
    }

    /** Whether this object can be discarded. */
    boolean isIdle() {
        return phase == Phase.Idle.INSTANCE && queue.isEmpty();
    }

    /** Whether an event failed halfway, so that nothing asks for those who wait. */
    private boolean isStranded() {
        return phase == Phase.Idle.INSTANCE && !queue.isEmpty();
    }

    /** Adds its holds and those who wait behind it. */
    void show(SnapshotBuilder snapshot, String name, long now) {
        if (phase instanceof Ownership held && held.isValid(now)) {
            for (Hold hold : held.holds()) {
                snapshot.held(name, hold, now);
            }
        }
        queue.show(snapshot, name, now);
    }

    /** When the next {@link Event.Tick} is due. */
    long due() {
        if (queue.isEmpty()) {
            return phase.due();
        }
        return isStranded() ? 0 : Math.min(phase.due(), queue.nextDeadline());
    }

    /** The ownership, if it is this owner's and valid. */
    @Nullable
    Ownership ownershipOf(LockOwner owner, long now) {
        return phase instanceof Ownership held && held.isHeldBy(owner) && held.isValid(now) ? held : null;
    }

    /** Whether a valid ownership excludes another owner's request of this kind. */
    boolean excludes(LockKind requested, long now) {
        return phase instanceof Ownership held
                && held.isValid(now)
                && !isOppositeOf(requested)
                && (requested.isExclusive() || !held.isShared());
    }

    /** Whether one of them is a lock and the other a permit. */
    boolean isOppositeOf(LockKind requested) {
        return (kind == LockKind.PERMIT) != (requested == LockKind.PERMIT);
    }

    // ------------------------------------------------------------------ events

    void on(Event.OfClaim event, long now, List<Decision> out) {
        if (event instanceof Event.AcquireAnswered answered) {
            acquireAnswered(answered.command(), answered.reply(), now, out);
        } else if (event instanceof Event.Release release) {
            release(release.hold(), release.result(), now, out);
        } else if (event instanceof Event.RenewAnswered answered) {
            renewAnswered(answered, now, out);
        } else if (event instanceof Event.Granted) {
            granted(now, out);
        } else if (event instanceof Event.AcquireFailed failed) {
            acquireFailed(failed.command(), failed.cause(), now, out);
        } else if (event instanceof Event.Revoked) {
            revoked(now, out);
        } else if (event instanceof Event.Gone gone) {
            gone(gone.claim(), now, out);
        } else if (event instanceof Event.Examine) {
            loseIfEnded(now, out);
        } else if (event instanceof Event.ListenForLoss listen) {
            listenForLoss(listen, now, out);
        } else if (event instanceof Event.Extend extend) {
            extend(extend, now, out);
        } else if (event instanceof Event.Confirm confirm) {
            confirm(confirm, now, out);
        } else if (event instanceof Event.Number number) {
            number(number, now, out);
        } else if (event instanceof Event.NumberAnswered answered) {
            numberAnswered(answered, now, out);
        } else if (event instanceof Event.NumberFailed failed) {
            numberFailed(failed, out);
        } else if (event instanceof Event.Detach detach) {
            detach.hold().detached = true;
        } else if (event instanceof Event.WaiveMinHoldTime waive) {
            waive.hold().keepUntil = 0;
        }
    }

    void on(Event.OfAll event, long now, List<Decision> out) {
        if (event instanceof Event.Tick) {
            tick(now, out);
        } else if (event instanceof Event.Listening) {
            listening(now, out);
        } else if (event instanceof Event.Reconnected) {
            reconnected(now, out);
        } else if (event instanceof Event.FirstAnswer) {
            firstAnswer(now);
        } else if (event instanceof Event.RefuseWaiters refusal) {
            queue.failAll(refusal.cause(), now, out);
            afterDepartures(now, out);
        } else if (event instanceof Event.RevokeAll && phase instanceof Ownership held) {
            lose(held, LossReason.STOPPED, now, out);
        }
    }

    // ------------------------------------------------------------------ threads acquire and release

    void acquire(Waiter waiter, long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (phase instanceof Ownership held && held.isHeldBy(waiter.owner)) {
            out.add(new Decision.Grant(waiter, held.addHold(waiter, now)));
            renewIfDue(held, now, out);
            return;
        }
        boolean busy = phase instanceof Ownership || phase instanceof PendingAcquire pending && pending.isBusy();
        if (busy && waiter.isSingle()) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now))));
            return;
        }
        if (queue == WaiterQueue.NOBODY) {
            queue = new WaiterQueue();
        }
        queue.add(waiter);
        if (busy) {
            queue.markBusy(waiter);
        }
        if (phase == Phase.Idle.INSTANCE) {
            startAcquiring(now, out);
        }
    }

    /** Removes a waiter, unless its outcome is decided already. */
    boolean cancel(Waiter waiter, long now, List<Decision> out) {
        if (!queue.remove(waiter)) {
            return false;
        }
        afterDepartures(now, out);
        return true;
    }

    private void release(Hold hold, CompletableFuture<ReleaseResult> result, long now, List<Decision> out) {
        if (hold.released) {
            out.add(new Decision.Released(result, ReleaseResult.ALREADY_RELEASED));
            return;
        }
        loseIfEnded(now, out);
        hold.released = true;
        Ownership held = hold.ownership;
        if (held != phase) {
            out.add(new Decision.Released(result, ReleaseResult.LOST));
            return;
        }
        held.remove(hold);
        if (!held.isFree()) {
            loseIfEnded(now, out);
            boolean mayShare = held == phase && held.isForReadersOnly() && held.keepMillis(now) == 0;
            if (mayShare) {
                held.share();
                out.add(new Decision.SendDowngrade(held.claim(), result));
            } else {
                out.add(new Decision.Released(result, ReleaseResult.STILL_HELD));
            }
        } else if (held.keepMillis(now) > 0) {
            giveUp(held, result, now, out);
        } else {
            passOn(held, result, now, out);
        }
    }

    /** Gives away a downgraded ownership, so that those who wait here can acquire the lock. */
    @Nullable
    Ownership yieldShared(long now, List<Decision> out) {
        if (phase instanceof Ownership held && held.isShared()) {
            phase = Phase.Idle.INSTANCE;
            startAcquiring(now, out);
            return held;
        }
        return null;
    }

    private void extend(Event.Extend event, long now, List<Decision> out) {
        loseIfEnded(now, out);
        Hold hold = event.hold();
        Ownership held = hold.ownership;
        if (hold.released || held != phase) {
            event.missed(out);
            return;
        }
        held.extend(hold, Times.after(now, event.nanos()));
        if (held.remainingNanos(now) >= event.nanos()) {
            out.add(new Decision.Answer(event.result(), true));
        } else {
            // Apart from the scheduled renewals: many extensions must not keep them from being sent.
            out.add(held.renewal(Times.coveringMillis(event.nanos()), now, event.result()));
        }
    }

    private void number(Event.Number event, long now, List<Decision> out) {
        loseIfEnded(now, out);
        Ownership held = event.hold().ownership;
        if (event.hold().released || held != phase || held.fence() > 0) {
            event.missed(out);
            return;
        }
        Decision.SendNumber draw = held.draw(event, now, context.settings());
        if (draw != null) {
            out.add(draw);
        }
    }

    private void confirm(Event.Confirm event, long now, List<Decision> out) {
        loseIfEnded(now, out);
        Ownership held = event.hold().ownership;
        if (event.hold().released || held != phase) {
            event.missed(out);
        } else {
            // An answer to an earlier command may be older than the request.
            out.add(held.renewal(0, now, event.result()));
        }
    }

    private void listenForLoss(Event.ListenForLoss event, long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (event.hold().ownership != phase) {
            // The loss was counted when it happened.
            event.missed(out);
        } else if (!event.hold().released) {
            event.hold().onLost(event.listener());
        }
    }

    // ------------------------------------------------------------------ answers

    private void acquireAnswered(Decision.SendAcquire command, AcquireReply reply, long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (phase instanceof Ownership held && held.claim().equals(command.claim())) {
            answeredOnceMore(held, command, reply, now, out);
        } else if (phase instanceof PendingAcquire pending && pending.claim().equals(command.claim())) {
            pending.acquires.answered(command.sentAt(), now, context.settings());
            if (reply instanceof AcquireReply.Ok ok) {
                acquired(pending, command, ok, now, out);
            } else if (reply instanceof AcquireReply.Busy busy) {
                busy(pending, command.sentAt(), busy, now, out);
            } else if (reply instanceof AcquireReply.Mixed mixed) {
                queue.failIncompatible(mixed.holder(), now, out);
                afterDepartures(now, out);
            } else {
                phase = Phase.Idle.INSTANCE;
                startAcquiring(now, out);
            }
        }
    }

    private void acquired(
            PendingAcquire pending, Decision.SendAcquire command, AcquireReply.Ok ok, long now, List<Decision> out) {
        Ownership held = new Ownership(
                pending.claim(),
                ok.fence(),
                command.sentAt(),
                now,
                Times.nanos(command.leaseMillis()),
                !kind.isExclusive());
        held.inherit(pending);
        // If another process handed the lock over, that one most likely waits again.
        held.heard(command.sentAt(), ok.waiting() > 0 || pending.isGrantReported(), now);
        startOwning(pending, held, now, out);
    }

    private void busy(PendingAcquire pending, long sentAt, AcquireReply.Busy busy, long now, List<Decision> out) {
        long heartbeat = nextHeartbeat(pending, sentAt, busy.fence(), now);
        if (!pending.acquires.isUnderWay() && pending.takeAsksAgain()) {
            heartbeat = now;
        } else if (busy.leaseLeftMillis() >= 0) {
            // No message reports a lease that runs out, so ask again just after.
            heartbeat = Math.min(
                    heartbeat,
                    Times.after(
                            now,
                            Times.nanos(busy.leaseLeftMillis()
                                    + 1
                                    + context.settings().jitterMillis())));
        }
        pending.busy(busy.fence(), heartbeat);
        queue.markAllBusy(now, out);
        queue.failExpired(pending, now, context.settings(), context.timeout(), out);
        afterDepartures(now, out);
        if (phase == pending && !pending.hasAskedToQueue()) {
            // This answers a single attempt, and a waiter has arrived since.
            sendAcquire(pending, now, out);
        }
        sendHeartbeatIfDue(now, out);
    }

    private long nextHeartbeat(PendingAcquire pending, long sentAt, long fence, long now) {
        long heartbeat = context.settings().heartbeatNanos();
        long longestPause = Times.nanos(context.maxPollMillis().getAsLong());
        if (longestPause == 0) {
            return place == null ? Times.after(sentAt, heartbeat) : place.next(sentAt, now, heartbeat);
        }
        // From now on: the pause may be shorter than the way to the backend.
        long pause = PollPause.nanos(heartbeat, longestPause, pending.unchanged(fence, now));
        return place == null ? Times.after(now, pause) : place.next(now, now, pause);
    }

    /** A late answer to an earlier acquire has granted the lock; now the later one is answered as well. */
    private void answeredOnceMore(
            Ownership held, Decision.SendAcquire command, AcquireReply reply, long now, List<Decision> out) {
        held.acquireAnswered(command.sentAt(), now, context.settings());
        if (reply instanceof AcquireReply.Ok ok && (ok.still() || ok.fence() == held.fence())) {
            held.prolong(command.sentAt(), Times.nanos(command.leaseMillis()));
            held.heard(command.sentAt(), ok.waiting() > 0, now);
        } else if (reply instanceof AcquireReply.Busy busy && busy.fence() < held.fence()) {
            // It ran before the other: does not concern the lease.
            return;
        } else {
            lose(held, held.reasonOfAbsence(), now, out);
        }
    }

    private void acquireFailed(Decision.SendAcquire command, Throwable cause, long now, List<Decision> out) {
        if (phase instanceof Ownership held && held.claim().equals(command.claim())) {
            held.acquireFailed();
        } else if (phase instanceof PendingAcquire pending
                && pending.claim().equals(command.claim())
                && pending.acquires.isTheOneUnderWay(command.sentAt())) {
            if (cause instanceof TryAgainException) {
                pending.acquires.answered(command.sentAt(), now, context.settings());
                pending.refused(cause, now);
            } else if (cause instanceof NotReplicatedException) {
                // Redis granted the lock but could forget it: it is released, and nobody waits for the same again.
                phase = Phase.Idle.INSTANCE;
                giveUp(pending, pending.acquires.burial(), now, out);
                queue.failNotReplicated(cause, now, out);
            } else {
                acquireFailed(pending, cause, now, out);
            }
        }
    }

    private void acquireFailed(PendingAcquire pending, Throwable cause, long now, List<Decision> out) {
        // A Redis without memory must not be asked to store a tombstone for each attempt that it refused.
        pending.failed(
                cause instanceof BackendProblemException problem && problem.isAnswer(),
                Times.after(now, context.settings().heartbeatNanos()));
        queue.failUnanswered(cause, now, out);
        afterDepartures(now, out);
    }

    private void renewAnswered(Event.RenewAnswered event, long now, List<Decision> out) {
        Decision.SendRenew command = event.command();
        RenewReply reply = event.reply();
        if (reply == null) {
            event.answer(false, out);
            if (phase instanceof Ownership held && held.claim().equals(command.claim())) {
                held.renewalFailed(command.sentAt(), now);
                if (held.isHandoverPending() && !held.isRenewalUnderWay()) {
                    giveUp(held, null, now, out);
                }
            }
            return;
        }
        loseIfEnded(now, out);
        if (!(phase instanceof Ownership held && held.claim().equals(command.claim()))) {
            event.answer(false, out);
        } else if (!reply.held()) {
            lose(held, held.reasonOfAbsence(), now, out);
            event.answer(false, out);
        } else {
            held.renewed(command, now);
            held.heard(command.sentAt(), reply.waiting() > 0, now);
            event.answer(true, out);
            completeHandoverIfPending(held, now, out);
        }
    }

    private void numberAnswered(Event.NumberAnswered event, long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (!(phase instanceof Ownership held && held.claim().equals(event.claim()))) {
            return;
        }
        if (event.fence() == 0) {
            lose(held, held.reasonOfAbsence(), now, out);
            return;
        }
        held.numbered(event.fence());
        for (Event.Number request : held.takeNumbering()) {
            out.add(new Decision.Numbered(request.result(), request.hold().token()));
        }
    }

    private void numberFailed(Event.NumberFailed event, List<Decision> out) {
        if (phase instanceof Ownership held && held.claim().equals(event.claim())) {
            for (Event.Number request : held.takeNumbering()) {
                out.add(new Decision.NotNumbered(request.result(), event.cause()));
            }
        }
    }

    // ------------------------------------------------------------------ messages and the connection

    private void granted(long now, List<Decision> out) {
        if (phase instanceof PendingAcquire pending) {
            pending.grantReported();
            askNow(pending, now, out);
        }
    }

    private void revoked(long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (phase instanceof Ownership held) {
            held.revocationReported();
            renewIfDue(held, now, out);
        } else if (phase instanceof PendingAcquire pending) {
            pending.revocationReported();
            askNow(pending, now, out);
        }
    }

    private void gone(Claim claim, long now, List<Decision> out) {
        if (phase instanceof Ownership held && held.claim().equals(claim)) {
            lose(held, held.reasonOfAbsence(), now, out);
        }
    }

    private void askNow(PendingAcquire pending, long now, List<Decision> out) {
        if (pending.acquires.isUnderWay()) {
            pending.askAgain();
        } else {
            sendAcquire(pending, now, out);
        }
    }

    private void listening(long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (phase instanceof Ownership held) {
            held.wantCheck();
            renewIfDue(held, now, out);
        } else if (phase instanceof PendingAcquire pending && !pending.acquires.isUnderWay()) {
            sendAcquire(pending, now, out);
        }
    }

    private void reconnected(long now, List<Decision> out) {
        loseIfEnded(now, out);
        if (phase instanceof Ownership held) {
            held.reconnected();
            renewIfDue(held, now, out);
        } else if (phase instanceof PendingAcquire pending) {
            pending.acquires.reconnected();
            if (!pending.acquires.isUnderWay()) {
                sendAcquire(pending, now, out);
            }
        }
    }

    private void firstAnswer(long now) {
        // The backend is up and answers in order, so what was sent before has no more time than what is sent now.
        long latest = context.timeout().deadline(now);
        if (phase instanceof PendingAcquire pending) {
            pending.acquires.answerBy(latest);
        }
        queue.answerBy(latest);
    }

    // ------------------------------------------------------------------ time

    private void tick(long now, List<Decision> out) {
        loseIfEnded(now, out);
        queue.failExpired(pending(), now, context.settings(), context.timeout(), out);
        afterDepartures(now, out);
        if (phase instanceof Ownership held) {
            tick(held, now, out);
        }
        if (phase instanceof PendingAcquire pending && pending.acquires.isTimedOut(now)) {
            acquireFailed(pending, context.timeout().noAnswer(), now, out);
        }
        if (isStranded()) {
            startAcquiring(now, out);
        }
        sendHeartbeatIfDue(now, out);
    }

    private void tick(Ownership held, long now, List<Decision> out) {
        if (held.isRenewalTimedOut(now)) {
            held.renewalTimedOut(now);
            if (held.isHandoverPending()) {
                giveUp(held, null, now, out);
                return;
            }
        }
        renewIfDue(held, now, out);
    }

    // ------------------------------------------------------------------ transitions

    private void startAcquiring(long now, List<Decision> out) {
        if (!queue.isEmpty()) {
            PendingAcquire pending = new PendingAcquire(
                    context.claims().next(kind, queue.first().request.permits()));
            phase = pending;
            sendAcquire(pending, now, out);
        }
    }

    private Waiter takeFirst() {
        Waiter first = queue.removeFirst();
        if (queue.isEmpty()) {
            queue = WaiterQueue.NOBODY;
        }
        return first;
    }

    private void sendHeartbeatIfDue(long now, List<Decision> out) {
        if (phase instanceof PendingAcquire pending && pending.isHeartbeatDue(now)) {
            sendAcquire(pending, now, out);
        }
    }

    private void sendAcquire(PendingAcquire pending, long now, List<Decision> out) {
        boolean inQueue = queue.wantsPlaceInQueue();
        Waiter first = queue.first();
        boolean plain = kind == LockKind.REENTRANT && !first.request.fenced() && !othersWait && pending.acquires.none();
        pending.sent(now, inQueue, plain, context.timeout().deadline(now));
        out.add(new Decision.SendAcquire(
                pending.claim(), first.leaseMillis(), inQueue, plain, now, pending.acquires.flight));
    }

    /** The first waiter becomes the holder. */
    private void startOwning(PendingAcquire pending, Ownership held, long now, List<Decision> out) {
        queue.failExpired(pending, now, context.settings(), context.timeout(), out);
        phase = held;
        if (!held.isValid(now) || queue.isEmpty() || !held.fits(queue.first(), context.settings())) {
            giveUp(held, null, now, out);
            return;
        }
        Waiter first = takeFirst();
        out.add(new Decision.Grant(first, held.admit(first, now)));
        queue.markAllBusy(now, out);
        renewIfDue(held, now, out);
    }

    /** The last hold was released: the next local waiter gets the lock, or it is given up. */
    private void passOn(Ownership held, CompletableFuture<ReleaseResult> result, long now, List<Decision> out) {
        queue.failExpired(null, now, context.settings(), context.timeout(), out);
        Waiter next = queue.peek();
        if (next == null || !held.mayPassTo(next, now, context.settings())) {
            giveUp(held, result, now, out);
            return;
        }
        if (held.handover().isWellInformed(now)) {
            out.add(new Decision.Released(result, ReleaseResult.RELEASED));
            passTo(takeFirst(), held, now, out);
        } else {
            held.handover().setPending(result);
            if (!held.isRenewalUnderWay()) {
                sendRenew(held, held.leaseToKeep(next), now, out);
            }
        }
    }

    /** An answer shows who waits elsewhere: the hand-over need not wait any longer. */
    private void completeHandoverIfPending(Ownership held, long now, List<Decision> out) {
        CompletableFuture<ReleaseResult> release = held.takePendingHandover();
        if (release == null) {
            return;
        }
        queue.failExpired(null, now, context.settings(), context.timeout(), out);
        Waiter next = queue.peek();
        if (next != null && held.mayPassTo(next, now, context.settings())) {
            out.add(new Decision.Released(release, ReleaseResult.RELEASED));
            passTo(takeFirst(), held, now, out);
        } else {
            giveUp(held, release, now, out);
        }
    }

    private void passTo(Waiter next, Ownership held, long now, List<Decision> out) {
        held.handover().passed();
        out.add(new Decision.Grant(next, held.admit(next, now)));
        if (held.handover().isKnowledgeFading(now) && !held.isRenewalUnderWay()) {
            sendRenew(held, held.leaseToAsk(now), now, out);
        }
        renewIfDue(held, now, out);
    }

    private void giveUp(
            Ownership held, @Nullable CompletableFuture<ReleaseResult> result, long now, List<Decision> out) {
        phase = Phase.Idle.INSTANCE;
        held.markOver();
        othersWait = held.othersWait();
        for (Event.Number request : held.takeNumbering()) {
            out.add(new Decision.NotNumbered(request.result(), request.over()));
        }
        if (held.mayBeAcquiredLate()) {
            out.add(new Decision.DistrustConnection());
        }
        CompletableFuture<ReleaseResult> passing = held.takePendingHandover();
        CompletableFuture<ReleaseResult> asked = result != null ? result : passing;
        out.add(new Decision.SendRelease(held.claim(), held.releaseWay(now), held.keepMillis(now), asked));
        startAcquiring(now, out);
    }

    private void giveUp(PendingAcquire pending, Decision.ReleaseWay way, long now, List<Decision> out) {
        if (pending.acquires.copyMayBeLate() || pending.acquires.isUnanswered(now, context.settings())) {
            out.add(new Decision.DistrustConnection());
        }
        out.add(new Decision.SendRelease(pending.claim(), way, 0, null));
    }

    private void loseIfEnded(long now, List<Decision> out) {
        if (phase instanceof Ownership held && !held.isValid(now)) {
            lose(held, held.reasonOfEnd(now), now, out);
        }
    }

    private void lose(Ownership held, LossReason reason, long now, List<Decision> out) {
        held.lostFor(reason);
        giveUp(held, null, now, out);
        if (!held.isFree()) {
            out.add(new Decision.ReportLoss(held.lossListeners()));
            out.add(new Decision.Lost(reason));
        }
    }

    private void renewIfDue(Ownership held, long now, List<Decision> out) {
        if (held.isRenewalDue(now)) {
            sendRenew(held, held.leaseToAsk(now), now, out);
        }
    }

    private void sendRenew(Ownership held, long leaseMillis, long now, List<Decision> out) {
        held.renewalSent(now, context.settings());
        out.add(held.renewal(leaseMillis, now, null));
    }

    /** If nobody waits any longer, the pending acquire or hand-over has lost its purpose. */
    private void afterDepartures(long now, List<Decision> out) {
        if (!queue.isEmpty()) {
            return;
        }
        queue = WaiterQueue.NOBODY;
        if (phase instanceof PendingAcquire pending) {
            if (pending.acquires.mayStillRun()) {
                // Even one that has timed out: it may still wait for a connection.
                out.add(new Decision.Drop(pending.acquires.flight));
            }
            if (pending.mayBeKnown()) {
                giveUp(pending, pending.acquires.releaseWay(), now, out);
            }
            phase = Phase.Idle.INSTANCE;
        } else if (phase instanceof Ownership held && held.isHandoverPending()) {
            giveUp(held, null, now, out);
        }
    }
}
