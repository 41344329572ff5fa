package io.distributionlock.engine;

import io.distributionlock.BackendProblemException;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One party that stands for a lock: all threads of this process together ({@link LockKind#REENTRANT}), or a single attempt (the
 * other kinds, which keep the order of arrival). A state machine: events in, {@link Decision}s out. No I/O, no thread, no clock:
 * the caller says what time it is and keeps events from overlapping.
 *
 * <p>At any time a contender is in one of three states. It <em>owns</em> the lock (a {@link Tenure}): threads that come now
 * stand in its queue, and cost no command. It <em>bids</em> (a {@link Bid}): on behalf of its whole queue, one claim stands in
 * the queue of Redis, and asks again each heartbeat. Or it has nothing to do with the lock, and this object can be forgotten.
 *
 * <p>Why leases are counted as they are. A lease that Redis gives for d milliseconds, in answer to a command, began after the
 * command was sent; so until d after the sending it is certainly ours, whatever the network did to the answer. A lock that
 * was handed over comes without a command; what bounds it is the last answer "busy": had the grant been made before that,
 * the answer would have shown its number. Hence a grant with a greater number was made after that command was sent.
 *
 * <p>Why an answer may come too late to prolong. Once the local deadline has passed, the lease may have run out in Redis, a
 * second process may have come and gone, and a third command of ours may have taken the lock anew; the answer alone does not
 * show that. So what is past its deadline is lost, and the next tenure has a new claim.
 */
final class Contender {

    /** A grant is started on at once if its lease lasts this long at least. */
    private static final long COMFORTABLE_NANOS = Times.nanos(500);

    private final LockKind kind;
    private final EngineSettings settings;
    private final ClaimNames claims;
    private final long beatPhase;
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>(1);

    /** No waiter's deadline is earlier than this. */
    private long nextDeadline = Times.NEVER;

    private @Nullable Bid bid;
    private @Nullable Tenure tenure;

    /** @param beatPhase when, within each heartbeat's time, the single attempts of this name have theirs */
    Contender(LockKind kind, EngineSettings settings, ClaimNames claims, long beatPhase) {
        this.kind = kind;
        this.settings = settings;
        this.claims = claims;
        this.beatPhase = beatPhase;
    }

    /** A contender that owns the lock already: as a reader, by what is left of an exclusive tenure. */
    static Contender reading(Tenure downgraded, EngineSettings settings, ClaimNames claims, long beatPhase) {
        Contender reader = new Contender(LockKind.READ, settings, claims, beatPhase);
        reader.tenure = downgraded;
        return reader;
    }

    /** The claim by which it bids or owns at present, if any. */
    @Nullable
    String claim() {
        if (tenure != null) {
            return tenure.claim;
        }
        return bid == null ? null : bid.claim;
    }

    @Nullable
    Tenure tenure() {
        return tenure;
    }

    /** Whether this object can be forgotten. */
    boolean isIdle() {
        return tenure == null && bid == null && queue.isEmpty();
    }

    /** Adds its holds and those who wait behind it. */
    void show(SnapshotBuilder snapshot, String name, long now) {
        if (tenure != null && tenure.isValid(now)) {
            for (Hold hold : tenure.holds()) {
                snapshot.held(name, hold, now);
            }
        }
        for (Waiter waiter : queue) {
            snapshot.waiting(name, waiter, now);
        }
    }

    /** When {@link #tick} has to be called at the latest. */
    long due() {
        long due = Times.NEVER;
        if (tenure != null) {
            due = tenure.due();
        }
        if (bid != null) {
            due = Math.min(due, bid.due());
        }
        if (queue.isEmpty()) {
            return due;
        }
        return isStranded() ? 0 : Math.min(due, nextDeadline);
    }

    /** Whether something went wrong in the middle of an event, so that nobody asks for those who wait. */
    private boolean isStranded() {
        return tenure == null && bid == null && !queue.isEmpty();
    }

    /** The tenure, if it is this owner's and valid. */
    @Nullable
    Tenure tenureOf(LockOwner owner, long now) {
        return tenure != null && tenure.isHeldBy(owner) && tenure.isValid(now) ? tenure : null;
    }

    /** Whether a valid tenure keeps out somebody else who asks in this way. */
    boolean keepsOut(LockKind asked, long now) {
        return tenure != null && tenure.isValid(now) && (asked.isExclusive() || !tenure.isShared());
    }

    // ------------------------------------------------------------------ threads come and go

    void enter(Waiter waiter, long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (tenure != null && tenure.isHeldBy(waiter.owner)) {
            out.add(new Decision.Grant(waiter, tenure.enter(waiter, now)));
            renewIfDue(tenure, now, out);
            return;
        }
        boolean busy = tenure != null || (bid != null && bid.isBusy());
        if (busy && waiter.isSingle()) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(Times.between(waiter.arrivedAt, now))));
            return;
        }
        queue.add(waiter);
        if (busy) {
            tellBusy(waiter);
        }
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
        if (tenure == null && bid == null) {
            startBid(now, out);
        }
    }

    /** Takes a waiter out, unless its outcome is decided already. */
    boolean leave(Waiter waiter, long now, List<Decision> out) {
        if (!queue.remove(waiter)) {
            return false;
        }
        afterDepartures(now, out);
        return true;
    }

    /**
     * Ends a hold.
     *
     * @return how that ended, or {@code null} if the ticket will be told by the answer to the release
     */
    @Nullable
    ReleaseResult exit(Hold hold, ReleaseTicket ticket, long now, List<Decision> out) {
        if (hold.released) {
            return ReleaseResult.ALREADY_RELEASED;
        }
        loseWhatHasEnded(now, out);
        hold.released = true;
        Tenure held = hold.tenure;
        if (held != tenure) {
            return ReleaseResult.LOST;
        }
        held.leave(hold);
        if (!held.isFree()) {
            loseWhatHasEnded(now, out);
            boolean mayShare = held == tenure && held.isForReadersOnly() && held.keepMillis(now) == 0;
            return mayShare ? downgrade(held, ticket, out) : ReleaseResult.STILL_HELD;
        }
        if (held.keepMillis(now) > 0) {
            giveUp(held, ticket, now, out);
            return null;
        }
        return passOn(held, ticket, now, out);
    }

    private @Nullable ReleaseResult downgrade(Tenure held, ReleaseTicket ticket, List<Decision> out) {
        held.share();
        out.add(new Decision.SendDowngrade(held.claim, ticket));
        return null;
    }

    /** Gives away a tenure that is shared by now, so that those who wait here can bid for the lock. */
    @Nullable
    Tenure yieldShared(long now, List<Decision> out) {
        Tenure shared = tenure;
        if (shared == null || !shared.isShared()) {
            return null;
        }
        tenure = null;
        startBid(now, out);
        return shared;
    }

    /** Lets a hold last at least this long from now on. */
    void extend(Hold hold, long nanos, Extension extension, long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (hold.released || hold.tenure != tenure) {
            out.add(new Decision.Answer(extension, false));
            return;
        }
        long until = Times.after(now, nanos);
        tenure.lengthen(hold, until);
        if (tenure.remainingNanos(now) >= nanos) {
            out.add(new Decision.Answer(extension, true));
        } else {
            // Beside the renewals, which go on: many extensions must not keep them from being sent.
            out.add(new Decision.SendRenew(tenure.claim, Times.coveringMillis(nanos), now, extension));
        }
    }

    /** Asks whether a hold is still held. */
    void confirm(Hold hold, Extension confirmation, long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (hold.released || hold.tenure != tenure) {
            out.add(new Decision.Answer(confirmation, false));
        } else {
            tenure.checks().ask(confirmation);
            checkIfAsked(tenure, now, out);
        }
    }

    /** Remembers who wants to know when a hold is lost, or tells at once if it is lost already. */
    void whenLost(Hold hold, Runnable listener, long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (hold.released) {
            return;
        }
        if (hold.tenure == tenure) {
            hold.whenLost(listener);
        } else {
            // It was counted when it was lost.
            out.add(new Decision.TellLoss(List.of(listener)));
        }
    }

    // ------------------------------------------------------------------ answers

    void acquireAnswered(
            String claim, long sentAt, long leaseMillis, AcquireReply reply, long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (tenure != null && tenure.claim.equals(claim)) {
            confirmAnswered(tenure, sentAt, leaseMillis, reply, now, out);
            return;
        }
        if (bid == null || !bid.claim.equals(claim)) {
            return;
        }
        bid.answered(sentAt, now, settings);
        if (reply instanceof AcquireReply.Ok ok) {
            won(bid, sentAt, leaseMillis, ok, now, out);
        } else if (reply instanceof AcquireReply.Busy busy) {
            heardBusy(bid, sentAt, busy, now, out);
        } else {
            bid = null;
            startBid(now, out);
        }
    }

    private void won(Bid winner, long sentAt, long leaseMillis, AcquireReply.Ok ok, long now, List<Decision> out) {
        Tenure won = Tenure.acquired(winner.claim, ok.fence(), sentAt, Times.nanos(leaseMillis), !kind.isExclusive());
        won.inherit(winner);
        won.heard(sentAt, ok.waiting() > 0, now);
        begin(won, now, out);
    }

    private void heardBusy(Bid bidder, long sentAt, AcquireReply.Busy busy, long now, List<Decision> out) {
        long beat = nextHeartbeat(sentAt, now);
        if (bidder.wasGrantedAfter(busy.fence())) {
            beat = now;
        } else if (busy.leaseLeftMillis() >= 0) {
            // A lease that runs out wakes nobody, so ask again just after.
            beat = Math.min(beat, Times.after(now, Times.nanos(busy.leaseLeftMillis() + 1 + settings.jitterMillis())));
        }
        bidder.busy(sentAt, busy.fence(), beat);
        tellWhoDoesNotKnow(now, out);
        failWhoseTimeIsOver(now, out);
        afterDepartures(now, out);
        if (bid != null && !bid.hasAskedToQueue()) {
            // A single attempt was answered, and somebody who waits has come since.
            beat(bid, now, out);
        }
        beatIfDue(now, out);
    }

    /** Single attempts of one name have their heartbeats at the same time, so that they travel in one command. */
    private long nextHeartbeat(long sentAt, long now) {
        long beat = settings.heartbeatNanos();
        if (kind == LockKind.REENTRANT) {
            return Times.after(sentAt, beat);
        }
        long next = sentAt + beat - Math.floorMod(sentAt - beatPhase, beat);
        // Who was answered only after that moment is in time for the one after it, unless Redis is slow.
        return next <= now && now - sentAt < beat ? next + beat : next;
    }

    /** An acquire was under way when its claim was granted the lock by a message; here is its answer. */
    private void confirmAnswered(
            Tenure held, long sentAt, long leaseMillis, AcquireReply reply, long now, List<Decision> out) {
        held.acquireAnswered(sentAt, now, settings);
        if (reply instanceof AcquireReply.Ok ok && (ok.still() || ok.fence() == held.fence)) {
            held.prolong(sentAt, Times.nanos(leaseMillis));
            held.heard(sentAt, ok.waiting() > 0, now);
        } else if (reply instanceof AcquireReply.Busy busy && busy.fence() < held.fence) {
            // Answered before the grant: says nothing of it.
            return;
        } else {
            lose(held, now, out);
        }
    }

    void acquireFailed(String claim, long sentAt, Throwable cause, long now, List<Decision> out) {
        if (tenure != null && tenure.claim.equals(claim)) {
            tenure.acquireFailed();
        } else if (bid != null && bid.claim.equals(claim) && bid.isTheOneUnderWay(sentAt)) {
            if (cause instanceof TryAgainException) {
                bid.refused(cause, now, settings);
            } else if (cause instanceof NotReplicatedException) {
                notReplicated(bid, cause, now, out);
            } else {
                bidFailed(bid, cause, now, out);
            }
        }
    }

    /** Redis has given the lock, but could forget it: it goes back, and who waits here is not made to wait for the same again. */
    private void notReplicated(Bid winner, Throwable cause, long now, List<Decision> out) {
        bid = null;
        out.add(new Decision.SendRelease(winner.claim, true, 0, null));
        for (Waiter waiter : queue) {
            out.add(new Decision.Fail(
                    waiter, new LockOutcome.NotReplicated(Times.between(waiter.arrivedAt, now), cause)));
        }
        queue.clear();
    }

    private void bidFailed(Bid bidder, Throwable cause, long now, List<Decision> out) {
        // Whoever has no memory left must not be asked to remember each attempt that it refused.
        bidder.failed(cause instanceof BackendProblemException, Times.after(now, settings.heartbeatNanos()));
        for (Iterator<Waiter> waiters = queue.iterator(); waiters.hasNext(); ) {
            Waiter waiter = waiters.next();
            if (!waiter.sawBusy()) {
                waiters.remove();
                out.add(new Decision.Fail(
                        waiter, new LockOutcome.BackendFailed(Times.between(waiter.arrivedAt, now), cause)));
            }
        }
        afterDepartures(now, out);
    }

    void renewAnswered(
            String claim,
            long sentAt,
            long leaseMillis,
            RenewReply reply,
            @Nullable Extension extension,
            long now,
            List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (tenure == null || !tenure.claim.equals(claim)) {
            answer(extension, false, out);
            return;
        }
        if (!reply.held()) {
            lose(tenure, now, out);
            answer(extension, false, out);
            return;
        }
        tenure.renewed(sentAt, leaseMillis, now);
        tenure.heard(sentAt, reply.waiting() > 0, now);
        answer(extension, true, out);
        if (tenure.isHandoverPending()) {
            completeHandover(tenure, now, out);
        }
    }

    void checkAnswered(
            String claim, long sentAt, RenewReply reply, List<Extension> asking, long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        Tenure held = tenure;
        if (held == null || !held.claim.equals(claim)) {
            answer(asking, false, out);
            return;
        }
        if (!reply.held()) {
            lose(held, now, out);
            answer(asking, false, out);
            return;
        }
        held.checks().settled(sentAt);
        held.heard(sentAt, reply.waiting() > 0, now);
        answer(asking, true, out);
        checkIfAsked(held, now, out);
        if (held.isHandoverPending()) {
            completeHandover(held, now, out);
        }
    }

    void checkFailed(String claim, long sentAt, List<Extension> asking, long now, List<Decision> out) {
        answer(asking, false, out);
        if (tenure != null && tenure.claim.equals(claim)) {
            tenure.checks().settled(sentAt);
            checkIfAsked(tenure, now, out);
        }
    }

    private static void answer(List<Extension> asking, boolean held, List<Decision> out) {
        for (Extension each : asking) {
            out.add(new Decision.Answer(each, held));
        }
    }

    void renewFailed(String claim, long sentAt, @Nullable Extension extension, long now, List<Decision> out) {
        answer(extension, false, out);
        if (tenure == null || !tenure.claim.equals(claim)) {
            return;
        }
        tenure.renewFailed(sentAt, now);
        if (tenure.isHandoverPending() && !tenure.isRenewUnderWay()) {
            giveUp(tenure, null, now, out);
        }
    }

    private static void answer(@Nullable Extension extension, boolean held, List<Decision> out) {
        if (extension != null) {
            out.add(new Decision.Answer(extension, held));
        }
    }

    // ------------------------------------------------------------------ messages and the connection

    void granted(String claim, long fence, long now, List<Decision> out) {
        if (bid == null || !bid.claim.equals(claim) || !bid.isNews(fence)) {
            return;
        }
        Tenure granted = Tenure.granted(claim, fence, bid.provenAt(), settings.grantLeaseNanos(), !kind.isExclusive());
        if (!settings.grantsNeedConfirmation() && granted.remainingNanos(now) >= COMFORTABLE_NANOS) {
            granted.inherit(bid);
            // Somebody handed the lock over; most likely it waits again.
            granted.heard(now, true, now);
            begin(granted, now, out);
        } else if (bid.isUnderWay()) {
            bid.granted(fence);
        } else {
            beat(bid, now, out);
        }
    }

    void revoked(String claim, long now, List<Decision> out) {
        if (tenure != null && tenure.claim.equals(claim)) {
            lose(tenure, now, out);
        }
        if (bid != null && bid.claim.equals(claim)) {
            // The message was faster than the answer that the claim had won: that answer is out of date already.
            out.add(new Decision.SendRelease(claim, bid.mustBury(), 0, null));
            bid = null;
            startBid(now, out);
        }
    }

    /** Messages are received from now on, and earlier ones may be missing, of a grant or of a release by force: ask at once. */
    void listening(long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (tenure != null) {
            tenure.wantCheck();
            renewIfDue(tenure, now, out);
        }
        if (bid != null && !bid.isUnderWay()) {
            beat(bid, now, out);
        }
    }

    /** Redis may have lost everything, and what was under way may run twice. */
    void reconnected(long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        if (tenure != null) {
            tenure.reconnected();
            renewIfDue(tenure, now, out);
        }
        if (bid != null) {
            bid.reconnected();
            if (!bid.isUnderWay()) {
                beat(bid, now, out);
            }
        }
    }

    // ------------------------------------------------------------------ time

    void tick(long now, List<Decision> out) {
        loseWhatHasEnded(now, out);
        failWhoseTimeIsOver(now, out);
        afterDepartures(now, out);
        if (tenure != null) {
            tickTenure(tenure, now, out);
        }
        if (bid != null && bid.isTimedOut(now)) {
            bidFailed(bid, settings.noAnswer(), now, out);
        }
        if (isStranded()) {
            startBid(now, out);
        }
        beatIfDue(now, out);
    }

    private void tickTenure(Tenure held, long now, List<Decision> out) {
        if (held.isRenewTimedOut(now)) {
            held.renewTimedOut(now);
            if (held.isHandoverPending()) {
                giveUp(held, null, now, out);
                return;
            }
        }
        renewIfDue(held, now, out);
        Checks checks = held.checksIfAny();
        if (checks != null) {
            checks.timeOut(now);
            checkIfAsked(held, now, out);
        }
    }

    private void failWhoseTimeIsOver(long now, List<Decision> out) {
        if (now < nextDeadline) {
            return;
        }
        nextDeadline = Times.NEVER;
        for (Iterator<Waiter> waiters = queue.iterator(); waiters.hasNext(); ) {
            Waiter waiter = waiters.next();
            if (now >= waiter.deadline()) {
                waiters.remove();
                out.add(new Decision.Fail(waiter, outcomeAtDeadline(waiter, now)));
            } else {
                nextDeadline = Math.min(nextDeadline, waiter.deadline());
            }
        }
    }

    /** Who was told once that the lock is busy knows it; whoever was not has come after all who were. */
    private void tellWhoDoesNotKnow(long now, List<Decision> out) {
        for (Iterator<Waiter> latest = queue.descendingIterator(); latest.hasNext(); ) {
            Waiter waiter = latest.next();
            if (waiter.sawBusy()) {
                return;
            }
            tellBusy(waiter);
            if (waiter.isSingle()) {
                latest.remove();
                out.add(new Decision.Fail(waiter, new LockOutcome.Busy(Times.between(waiter.arrivedAt, now))));
            }
        }
    }

    private void tellBusy(Waiter waiter) {
        waiter.seesBusy();
        nextDeadline = Math.min(nextDeadline, waiter.deadline());
    }

    private LockOutcome.NotAcquired outcomeAtDeadline(Waiter waiter, long now) {
        var waited = Times.between(waiter.arrivedAt, now);
        boolean silent = bid != null && bid.isSilent(now, settings);
        return waiter.sawBusy() && !silent
                ? new LockOutcome.Busy(waited)
                : new LockOutcome.BackendFailed(waited, whyNoAnswer(waited));
    }

    private Throwable whyNoAnswer(Duration waited) {
        Throwable refusal = bid == null ? null : bid.refusal();
        return refusal == null ? settings.noAnswerWithin(waited) : refusal;
    }

    /** The process stops: nobody waits any longer. Who holds goes on. */
    void refuseWaiters(Throwable cause, long now, List<Decision> out) {
        for (Waiter waiter : queue) {
            out.add(new Decision.Fail(
                    waiter, new LockOutcome.BackendFailed(Times.between(waiter.arrivedAt, now), cause)));
        }
        queue.clear();
        afterDepartures(now, out);
    }

    /** The process has waited long enough for its holders: whoever still holds has lost. */
    void takeAway(long now, List<Decision> out) {
        if (tenure != null) {
            lose(tenure, now, out);
        }
    }

    // ------------------------------------------------------------------ transitions

    private void startBid(long now, List<Decision> out) {
        if (!queue.isEmpty()) {
            bid = new Bid(claims.next(kind), now);
            beat(bid, now, out);
        }
    }

    private void beatIfDue(long now, List<Decision> out) {
        if (bid != null && bid.isBeatDue(now)) {
            beat(bid, now, out);
        }
    }

    private void beat(Bid bidder, long now, List<Decision> out) {
        long leaseMillis = queue.element().leaseMillis();
        boolean wait = false;
        for (Waiter waiter : queue) {
            if (!waiter.isSingle()) {
                wait = true;
                break;
            }
        }
        bidder.sent(now, wait, settings);
        out.add(new Decision.SendAcquire(bidder.claim, leaseMillis, wait, now, bidder.flight));
    }

    /** The bid was successful; its head becomes the holder. */
    private void begin(Tenure won, long now, List<Decision> out) {
        failWhoseTimeIsOver(now, out);
        bid = null;
        tenure = won;
        if (!won.isValid(now) || queue.isEmpty() || !won.fits(queue.element(), settings)) {
            giveUp(won, null, now, out);
            return;
        }
        Waiter head = queue.remove();
        out.add(new Decision.Grant(head, won.admit(head, now)));
        tellWhoDoesNotKnow(now, out);
        renewIfDue(won, now, out);
    }

    /** The lock is free inside the process: the next local thread gets it, or it is given up. */
    private @Nullable ReleaseResult passOn(Tenure held, @Nullable ReleaseTicket ticket, long now, List<Decision> out) {
        failWhoseTimeIsOver(now, out);
        Waiter next = queue.peek();
        if (next == null || !held.mayHandOverTo(next, now, settings)) {
            giveUp(held, ticket, now, out);
            return null;
        }
        if (held.isWellInformed(now)) {
            handOver(held, queue.remove(), now, out);
        } else {
            held.setHandoverPending(true);
            if (!held.isRenewUnderWay()) {
                sendRenew(held, held.leaseToKeep(next), now, out);
            }
        }
        return ReleaseResult.RELEASED;
    }

    /** The answer that was waited for has come, or another one that is as good. */
    private void completeHandover(Tenure held, long now, List<Decision> out) {
        held.setHandoverPending(false);
        failWhoseTimeIsOver(now, out);
        Waiter next = queue.peek();
        if (next != null && held.mayHandOverTo(next, now, settings)) {
            handOver(held, queue.remove(), now, out);
        } else {
            giveUp(held, null, now, out);
        }
    }

    private void handOver(Tenure held, Waiter next, long now, List<Decision> out) {
        held.countHandover();
        out.add(new Decision.Grant(next, held.admit(next, now)));
        if (held.isKnowledgeFading(now) && !held.isRenewUnderWay()) {
            sendRenew(held, held.leaseToAsk(now), now, out);
        }
        renewIfDue(held, now, out);
    }

    private void giveUp(Tenure held, @Nullable ReleaseTicket ticket, long now, List<Decision> out) {
        tenure = null;
        held.markOver();
        Checks checks = held.checksIfAny();
        if (checks != null) {
            answer(checks.takeWaiting(), false, out);
        }
        out.add(new Decision.SendRelease(held.claim, held.mustBury(), held.keepMillis(now), ticket));
        startBid(now, out);
    }

    private void loseWhatHasEnded(long now, List<Decision> out) {
        if (tenure != null && !tenure.isValid(now)) {
            lose(tenure, now, out);
        }
    }

    private void lose(Tenure held, long now, List<Decision> out) {
        giveUp(held, null, now, out);
        if (!held.isFree()) {
            out.add(new Decision.TellLoss(held.lossListeners()));
            out.add(new Decision.Lost());
        }
    }

    private void renewIfDue(Tenure held, long now, List<Decision> out) {
        if (held.isRenewDue(now)) {
            sendRenew(held, held.leaseToAsk(now), now, out);
        }
    }

    private void sendRenew(Tenure held, long leaseMillis, long now, List<Decision> out) {
        held.renewSent(now, settings);
        out.add(new Decision.SendRenew(held.claim, leaseMillis, now, null));
    }

    private void checkIfAsked(Tenure held, long now, List<Decision> out) {
        Checks checks = held.checks();
        if (checks.isDue()) {
            out.add(new Decision.SendCheck(held.claim, now, checks.sent(now, settings)));
        }
    }

    /** If nobody waits any longer, the bid or the pending hand-over has lost its purpose. */
    private void afterDepartures(long now, List<Decision> out) {
        if (!queue.isEmpty()) {
            return;
        }
        if (bid != null) {
            if (bid.mustBury()) {
                // Also what has timed out: it may be waiting for a connection yet.
                out.add(new Decision.Drop(bid.flight));
            }
            if (bid.maybeKnown()) {
                out.add(new Decision.SendRelease(bid.claim, bid.mustBury(), 0, null));
            }
            bid = null;
        }
        if (tenure != null && tenure.isHandoverPending()) {
            giveUp(tenure, null, now, out);
        }
    }
}
