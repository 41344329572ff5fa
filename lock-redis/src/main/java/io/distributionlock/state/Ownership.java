package io.distributionlock.state;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockInspection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that has acquired the lock: the time during which this process owns it by one claim. Several {@link Holders} may follow
 * one another in it.
 *
 * <p>How leases are counted: a lease of d milliseconds that answers a command began after the command was sent. So it is certainly
 * held until d after the sending, however long the answer took.
 *
 * <p>Why a late answer must not prolong a lease: after the local deadline, the lease may have ended in Redis, another process may
 * have owned the lock, and a later command of this process may have acquired it again. The answer does not show that. So a lease
 * past its deadline is lost, and the next ownership has a new claim.
 *
 * @hidden
 */
@Internal
public final class Ownership implements Attempt {

    /** Bits of a fencing token that count the holders of one ownership; the rest is the number from the backend. */
    public static final int LOCAL_BITS = LockInspection.LOCAL_TOKEN_BITS;

    private final Claim claim;
    final Holders holders = new Holders();

    private RenewalSchedule renewals = RenewalSchedule.REGULAR;

    /** Created when it is first needed: most locks are not passed on. */
    private @Nullable LocalHandover handover;

    /** Created when the number is first asked for. */
    private @Nullable TokenDraw tokenDraw;

    /** What asked for it, as long as one of its acquires may still run. */
    private @Nullable PendingAcquire unsettled;

    /** When the acquire was sent. */
    private final long acquiredAt;

    /** How long its answer took. An int: a process may hold very many locks. */
    private final int answerMicros;

    /** Whether an uncontended acquire was enough, so that nobody waited. */
    private final boolean acquiredUncontended;

    /**
     * Whether there may be others inside beside this one: readers, or holders of permits. A queue of such a kind only has shared
     * ownerships, and Redis knows their claims by their beginning ({@code :r}, {@code :p}).
     */
    private final boolean shared;

    private long leaseNanos;

    /** The lease lasts in Redis at least until then. Read without the engine's lock. */
    private volatile long deadline;

    /** 0 until it is drawn. Read without the engine's lock. */
    private volatile long fence;

    private volatile boolean over;

    /** Set before it is over, or by a release that finds the loss. Read without the engine's lock. */
    private volatile LossReason lossReason = LossReason.UNKNOWN;

    /**
     * @param pending what asked for it
     * @param command the acquire that was answered
     */
    Ownership(
            PendingAcquire pending,
            Decision.SendAcquire command,
            AcquireReply.Ok reply,
            long answeredAt,
            boolean shared) {
        this.claim = pending.claim();
        this.unsettled = pending.mayStillRun() ? pending : null;
        this.fence = reply.fence();
        this.acquiredUncontended = !isNumbered();
        this.acquiredAt = command.sentAt();
        this.answerMicros = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(answeredAt - acquiredAt));
        this.shared = shared;
        this.leaseNanos = Times.nanos(command.leaseMillis());
        this.deadline = Times.after(acquiredAt, leaseNanos);
        if (pending.revocationReported) {
            ownRenewals().revocationReported();
        }
    }

    @Override
    public Claim claim() {
        return claim;
    }

    @Override
    public State state() {
        return isHandoverPending() ? State.PASSING : State.HELD;
    }

    @Override
    public long due() {
        long end = holders.end();
        return Math.min(Math.min(deadline, end), renewals.due(deadline, end, leaseNanos));
    }

    // ------------------------------------------------------------------ read by any thread

    public boolean isValid(long now) {
        return !over && now < deadline && now < holders.end();
    }

    public long remainingNanos(long now) {
        return over ? 0 : Math.max(0, Math.min(deadline, holders.end()) - now);
    }

    /** Why it was lost; known once that was reported. */
    public LossReason lossReason() {
        return lossReason;
    }

    /** The owner of all its holds. */
    public LockOwner owner() {
        return holders.owner();
    }

    /** The fencing number; 0 until it is drawn. */
    long fence() {
        return fence;
    }

    private boolean isNumbered() {
        return fence != 0;
    }

    long deadline() {
        return deadline;
    }

    // ------------------------------------------------------------------ events

    @Override
    public void on(Event.OfClaim event, RequestQueue queue, long now, List<Decision> out) {
        if (event instanceof Event.RenewAnswered answered) {
            renewAnswered(answered, queue, now, out);
        } else if (event instanceof Event.AcquireAnswered answered) {
            acquireAnswered(answered.command(), answered.reply(), queue, now, out);
        } else if (event instanceof Event.AcquireFailed && unsettled != null) {
            unsettled.failed(false);
        } else if (event instanceof Event.Revoked) {
            ownRenewals().revocationReported();
            renewIfDue(now, queue, out);
        } else if (event instanceof Event.Gone) {
            queue.lose(this, reasonOfAbsence(), now, out);
        } else if (event instanceof Event.NumberAnswered answered) {
            numberAnswered(answered.fence(), out);
        } else if (event instanceof Event.NumberFailed failed) {
            endTokenDraw(wanted -> wanted.fail(failed.cause(), out));
        } else if (event instanceof Event.OfHold ofHold) {
            onHold(ofHold, queue, now, out);
        }
    }

    private void onHold(Event.OfHold event, RequestQueue queue, long now, List<Decision> out) {
        Hold hold = event.hold();
        if (hold.released) {
            event.onUnknownClaim(out);
        } else if (event instanceof Event.Release release) {
            release(hold, release.result(), queue, now, out);
        } else if (event instanceof Event.Extend extend) {
            extend(extend, now, out);
        } else if (event instanceof Event.Confirm confirm) {
            // An answer to an earlier command may be older than the request.
            out.add(renewal(0, now, confirm.result()));
        } else if (event instanceof Event.Number number) {
            number(number, queue, now, out);
        } else if (event instanceof Event.ListenForLoss listen) {
            hold.onLost(listen.listener());
        } else if (event instanceof Event.WaiveMinHoldTime) {
            hold.minHoldUntil = 0;
        }
    }

    @Override
    public void on(Event.OfAll event, RequestQueue queue, long now, List<Decision> out) {
        if (event instanceof Event.Tick) {
            tick(queue, now, out);
        } else if (event instanceof Event.Listening || event instanceof Event.Reconnected) {
            // The backend may have lost the lease.
            if (unsettled != null && event instanceof Event.Reconnected) {
                unsettled.reconnected();
            }
            ownRenewals().wantCheck();
            renewIfDue(now, queue, out);
        } else if (event instanceof Event.RevokeAll) {
            queue.lose(this, LossReason.STOPPED, now, out);
        }
    }

    private void tick(RequestQueue queue, long now, List<Decision> out) {
        if (renewals.failsByTimeout(leaseNanos, now) && isHandoverPending()) {
            queue.giveUp(this, null, now, out);
        } else {
            renewIfDue(now, queue, out);
        }
    }

    // ------------------------------------------------------------------ holders release and extend

    private void release(
            Hold hold, CompletableFuture<ReleaseResult> result, RequestQueue queue, long now, List<Decision> out) {
        hold.released = true;
        holders.remove(hold);
        if (holders.isEmpty()) {
            if (holders.minHoldMillis(now) > 0) {
                queue.giveUp(this, result, now, out);
            } else {
                queue.passOn(this, result, now, out);
            }
            return;
        }
        // The remaining holds may have ended already.
        queue.loseIfEnded(now, out);
        out.add(new Decision.Answer<>(result, ReleaseResult.STILL_HELD));
    }

    private void extend(Event.Extend event, long now, List<Decision> out) {
        holders.extend(event.hold(), Times.after(now, event.nanos()));
        if (remainingNanos(now) >= event.nanos()) {
            out.add(new Decision.Answer<>(event.result(), true));
        } else {
            // Under way beside a scheduled renewal: many extensions must not keep those from being sent. Its answer
            // moves the next one, as every answer does.
            out.add(renewal(Times.coveringMillis(event.nanos()), now, event.result()));
        }
    }

    private void number(Event.Number event, RequestQueue queue, long now, List<Decision> out) {
        if (isNumbered()) {
            event.onUnknownClaim(out);
            return;
        }
        if (tokenDraw == null) {
            tokenDraw = new TokenDraw();
        }
        if (tokenDraw.add(event, now, queue.context.settings())) {
            out.add(new Decision.SendNumber(claim, leaseNanos / 1_000_000));
        }
    }

    private void numberAnswered(long number, List<Decision> out) {
        // The first answer counts: a later one may come from a backend that has lost the number.
        if (!isNumbered()) {
            fence = number;
        }
        endTokenDraw(wanted -> wanted.end(out));
    }

    private void endTokenDraw(Consumer<TokenDraw> end) {
        TokenDraw wanted = tokenDraw;
        tokenDraw = null;
        if (wanted != null) {
            end.accept(wanted);
        }
    }

    // ------------------------------------------------------------------ answers

    /**
     * A late answer to an earlier acquire has granted the lock; now the later one is answered as well. Both have numbers to compare:
     * {@link PendingAcquire} gives up an uncontended one.
     */
    private void acquireAnswered(
            Decision.SendAcquire command, AcquireReply reply, RequestQueue queue, long now, List<Decision> out) {
        if (unsettled != null) {
            unsettled.wasAnswered(command, now, queue.context.settings());
            unsettled = unsettled.mayStillRun() ? unsettled : null;
        }
        if (reply instanceof AcquireReply.Ok ok && (ok.still() || ok.fence() == fence)) {
            prolong(command.sentAt(), Times.nanos(command.leaseMillis()));
            heard(command.sentAt(), ok.waiting() > 0, now);
        } else if (!(reply instanceof AcquireReply.Busy busy && busy.fence() < fence)) {
            // Otherwise it ran before the other and does not concern the lease.
            queue.lose(this, reasonOfAbsence(), now, out);
        }
    }

    private void renewAnswered(Event.RenewAnswered event, RequestQueue queue, long now, List<Decision> out) {
        Decision.SendRenew command = event.command();
        RenewReply reply = event.reply();
        if (reply == null) {
            event.answer(false, out);
            ownRenewals().failed(command.sentAt(), leaseNanos, now);
            if (isHandoverPending() && !renewals.isUnderWay()) {
                queue.giveUp(this, null, now, out);
            }
        } else if (!reply.held()) {
            queue.lose(this, reasonOfAbsence(), now, out);
            event.answer(false, out);
        } else {
            renewed(command, now);
            heard(command.sentAt(), reply.waiting() > 0, now);
            event.answer(true, out);
            queue.completeHandoverIfPending(this, now, out);
        }
    }

    private void renewed(Decision.SendRenew command, long now) {
        ownRenewals().confirmed(command.sentAt(), command.leaseMillis(), now);
        prolong(command.sentAt(), Times.nanos(command.leaseMillis()));
        if (renewals.isRegular(deadline, leaseNanos)) {
            renewals = RenewalSchedule.REGULAR;
        }
    }

    private void prolong(long sentAt, long nanos) {
        long until = Times.after(sentAt, nanos);
        if (nanos > 0 && until > deadline) {
            deadline = until;
            leaseNanos = nanos;
        }
    }

    // ------------------------------------------------------------------ renewals

    private RenewalSchedule ownRenewals() {
        if (renewals == RenewalSchedule.REGULAR) {
            renewals = new RenewalSchedule();
        }
        return renewals;
    }

    void renewIfDue(long now, RequestQueue queue, List<Decision> out) {
        if (renewals.isDue(now, deadline, holders.end(), leaseNanos)) {
            sendRenew(holders.leaseMillis(deadline, now), queue, now, out);
        }
    }

    /** @param leaseMillis 0 only asks whether the lock is still held */
    private void sendRenew(long leaseMillis, RequestQueue queue, long now, List<Decision> out) {
        ownRenewals().sent(now, queue.context.settings());
        out.add(renewal(leaseMillis, now, null));
    }

    private Decision.SendRenew renewal(long leaseMillis, long now, @Nullable CompletableFuture<Boolean> caller) {
        return new Decision.SendRenew(claim, leaseMillis, shared, isNumbered(), now, caller);
    }

    // ------------------------------------------------------------------ the next holder

    /** How the lock passes to the next holder inside this process. */
    LocalHandover handover() {
        if (handover == null) {
            handover = new LocalHandover(acquiredAt, TimeUnit.MICROSECONDS.toNanos(answerMicros));
        }
        return handover;
    }

    /** See {@link LocalHandover#takePending()}. */
    @Nullable
    CompletableFuture<ReleaseResult> takePendingHandover() {
        return handover == null ? null : handover.takePending();
    }

    boolean isHandoverPending() {
        return handover != null && handover.isPending();
    }

    /** Whether other processes wait, as far as this one knows. */
    boolean othersWait() {
        return handover != null && handover.othersWait();
    }

    /** See {@link LocalHandover#update}. */
    void heard(long sentAt, boolean others, long now) {
        // That nobody waits elsewhere is soon out of date: of no use before the lock has been passed on once.
        if (others || handover != null) {
            handover().update(sentAt, others, now);
        }
    }

    /**
     * Whether the lease suits its first holder. It may have been acquired for a waiter that has left since, and after a crash
     * would last as long as that one wanted.
     */
    boolean fits(Waiter first, StateContext context) {
        return leaseNanos
                <= Math.max(Times.nanos(first.leaseMillis()), context.settings().grantLeaseNanos());
    }

    boolean mayPassTo(Waiter next, long now, StateContext context) {
        EngineSettings settings = context.settings();
        if (!settings.handsOverLocally() || !holders.mayBeFollowed()) {
            return false;
        }
        long left = deadline - now;
        boolean safelyAhead =
                left > Math.max(handover().leaseNeeded(), Math.min(leaseNanos, settings.grantLeaseNanos()) / 4);
        // The next holder may crash: the lock must not outlast it by much more than it asked for.
        boolean fits = left <= Math.max(next.holdNanos(), settings.grantLeaseNanos()) || holders.areRenewedLike(next);
        return safelyAhead && fits && handover().isWithinBudget(now, settings);
    }

    /** Asks who waits elsewhere before the lock passes to this waiter: after a crash it lasts no longer than both asked for. */
    void askBeforePassingTo(Waiter next, RequestQueue queue, long now, List<Decision> out) {
        if (!renewals.isUnderWay()) {
            sendRenew(holders.areRenewedLike(next) ? next.leaseMillis() : 0, queue, now, out);
        }
    }

    /** Asks who waits elsewhere in good time, so that the next hand-over need not wait for the answer. */
    void refreshKnowledge(RequestQueue queue, long now, List<Decision> out) {
        if (handover().isKnowledgeFading(now) && !renewals.isUnderWay()) {
            sendRenew(holders.leaseMillis(deadline, now), queue, now, out);
        }
    }

    // ------------------------------------------------------------------ the end

    public boolean isShared() {
        return shared;
    }

    long leaseNanos() {
        return leaseNanos;
    }

    /** Why it is not valid any longer although no answer has said so. */
    LossReason reasonOfEnd(long now) {
        if (holders.end() <= deadline) {
            return LossReason.EXPIRED;
        }
        // A process that runs notices at once what is due, and asks for a renewal long before the end.
        return now - due() > leaseNanos / 3 ? LossReason.PAUSED : LossReason.NO_ANSWER;
    }

    /** Why the backend no longer has it. */
    private LossReason reasonOfAbsence() {
        return renewals.isRevocationReported() ? LossReason.FORCED : LossReason.GONE;
    }

    void lostFor(LossReason reason) {
        lossReason = reason;
    }

    /** The backend no longer had it when a hold was released. */
    Decision.ReportLoss foundLost(Hold hold, long answeredAt) {
        boolean wasKnown = lossReason != LossReason.UNKNOWN;
        if (!wasKnown) {
            lostFor(answeredAt < deadline ? reasonOfAbsence() : reasonOfLateRelease(hold));
        }
        return new Decision.ReportLoss(hold.takeLossListeners(), wasKnown ? null : lossReason);
    }

    /** The lease may have ended while the release was under way. */
    private LossReason reasonOfLateRelease(Hold hold) {
        return hold.end <= deadline ? LossReason.EXPIRED : LossReason.NO_ANSWER;
    }

    /** Marks it as over, before anything reports that, and gives up its claim. */
    void end(@Nullable CompletableFuture<ReleaseResult> result, StateContext context, long now, List<Decision> out) {
        over = true;
        endTokenDraw(wanted -> wanted.end(out));
        if (unsettled != null && unsettled.mayBeDuplicated()) {
            context.fastPathGate().close(now);
        }
        CompletableFuture<ReleaseResult> passing = takePendingHandover();
        out.add(new Decision.SendRelease(
                claim, releaseMode(now), holders.minHoldMillis(now), result != null ? result : passing));
    }

    private Decision.ReleaseMode releaseMode(long now) {
        if (unsettled != null) {
            return unsettled.releaseMode();
        }
        boolean uncontended = acquiredUncontended && !othersWait() && holders.minHoldMillis(now) == 0;
        return uncontended ? Decision.ReleaseMode.UNCONTENDED : Decision.ReleaseMode.FULL;
    }
}
