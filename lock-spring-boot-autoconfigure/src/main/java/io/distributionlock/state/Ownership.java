package io.distributionlock.state;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockInspection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time during which this process owns a lock by one claim. Several holders may follow one another in it, and each may have
 * acquired the lock several times.
 *
 * @hidden
 */
@Internal
public final class Ownership implements Phase {

    /** Bits of a fencing token that count the holders of one ownership; the rest is the number from the backend. */
    public static final int LOCAL_BITS = LockInspection.LOCAL_TOKEN_BITS;

    private static final int LAST_LOCAL_NUMBER = (1 << LOCAL_BITS) - 1;

    private final Claim claim;

    /** Exists while renewals are not simply due at their regular time: a process may hold very many locks. */
    private @Nullable RenewalSchedule renewal;

    /** Created when it is first needed: most locks are not passed on. */
    private @Nullable LocalHandover handover;

    /** 0 until it is drawn. Read without the engine's lock. */
    private volatile long fence;

    /** When the acquire was sent. */
    private final long acquiredAt;

    /** How long its answer took. An int: a process may hold very many locks. */
    private final int answerMicros;

    /** Whether a plain acquire was enough, so that nobody waited. */
    private final boolean acquiredPlainly;

    /** Whether another process handed the lock over, as a message said. */
    private boolean handedOver;

    /** Whether there may be other readers beside this one. */
    private boolean shared;

    /** The latest hold, which links to the earlier ones: most locks have one, and a process may hold very many locks. */
    private @Nullable Hold latest;

    private @Nullable LockOwner owner;
    private int localNumber = -1;

    /** The lease lasts in Redis at least until then. Read without the engine's lock. */
    private volatile long deadline;

    private volatile long end;
    private volatile boolean over;

    /** Set before it is over. Read without the engine's lock. */
    private volatile LossReason lossReason = LossReason.UNKNOWN;

    private long leaseNanos;

    /** As the released holds ask; each of the others has its own. */
    private long keepUntil;

    private boolean lastWasRenewed;

    /** The acquires of the claim, as long as one of them may still run. */
    private @Nullable SentAcquires unsettled;

    /** Created when the number is first asked for. */
    private @Nullable Numbering numbering;

    /** The lease that answered an acquire. */
    Ownership(Claim claim, long fence, long sentAt, long answeredAt, long leaseNanos, boolean shared) {
        this.claim = claim;
        this.fence = fence;
        this.acquiredPlainly = fence == 0;
        this.acquiredAt = sentAt;
        this.answerMicros = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(answeredAt - sentAt));
        this.shared = shared;
        this.leaseNanos = leaseNanos;
        this.deadline = Times.after(sentAt, leaseNanos);
        this.end = Times.NEVER;
    }

    @Override
    public Claim claim() {
        return claim;
    }

    @Override
    public long due() {
        long renewalDue = renewal == null
                ? RenewalSchedule.regular(deadline, end, leaseNanos)
                : renewal.due(deadline, end, leaseNanos);
        return Math.min(Math.min(deadline, end), renewalDue);
    }

    // ------------------------------------------------------------------ the fencing number

    /** The fencing number; 0 until it is drawn. */
    long fence() {
        return fence;
    }

    /** Notes who wants the number. Returns the command that draws it, unless it is under way. */
    Decision.@Nullable SendNumber draw(Event.Number request, long now, EngineSettings settings) {
        if (numbering == null) {
            numbering = new Numbering();
        }
        boolean underWay = !numbering.requests.isEmpty() && now < numbering.timeoutAt;
        numbering.requests.add(request);
        if (underWay) {
            return null;
        }
        numbering.timeoutAt = Times.after(now, settings.commandTimeoutNanos());
        return new Decision.SendNumber(claim, leaseNanos / 1_000_000);
    }

    /** The first answer counts: a later one may come from a backend that has lost the number. */
    void numbered(long number) {
        if (fence == 0) {
            fence = number;
        }
    }

    /** Those who want the number, which is no longer being drawn. */
    List<Event.Number> takeNumbering() {
        if (numbering == null) {
            return List.of();
        }
        List<Event.Number> all = numbering.requests;
        numbering = null;
        return all;
    }

    /** Those who want the number, which is being drawn, and when the command that draws it is no longer waited for. */
    private static final class Numbering {

        private final List<Event.Number> requests = new ArrayList<>(1);
        private long timeoutAt;
    }

    // ------------------------------------------------------------------ validity, read by any thread

    public boolean isValid(long now) {
        return !over && now < deadline && now < end;
    }

    public long remainingNanos(long now) {
        return over ? 0 : Math.max(0, Math.min(deadline, end) - now);
    }

    /** Why it was lost; known once it is over. */
    public LossReason lossReason() {
        return lossReason;
    }

    void lostFor(LossReason reason) {
        lossReason = reason;
    }

    /** Why it is not valid any longer although no answer has said so. */
    LossReason reasonOfEnd(long now) {
        if (end <= deadline) {
            return LossReason.EXPIRED;
        }
        // A process that runs notices at once what is due, and asks for a renewal long before the end.
        return now - due() > leaseNanos / 3 ? LossReason.PAUSED : LossReason.NO_ANSWER;
    }

    /** Why the backend no longer has it. */
    LossReason reasonOfAbsence() {
        return renewal != null && renewal.isRevocationReported() ? LossReason.FORCED : LossReason.GONE;
    }

    /** Called before anything reports that the lock was lost or given up. */
    void markOver() {
        over = true;
    }

    // ------------------------------------------------------------------ holders

    /** Whether this owner holds the lock and may re-enter. Detached holds do not count. */
    boolean isHeldBy(LockOwner candidate) {
        return Objects.equals(owner, candidate) && holdCount() > 0;
    }

    /** The owner that holds the lock. Detached holds do not count. */
    @Nullable
    LockOwner presentOwner() {
        return holdCount() > 0 ? owner : null;
    }

    /** The owner of all its holds. */
    public LockOwner owner() {
        return Objects.requireNonNull(owner);
    }

    int holdCount() {
        int count = 0;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            if (!hold.detached) {
                count++;
            }
        }
        return count;
    }

    public boolean isShared() {
        return shared;
    }

    /** From now on there may be other readers. */
    void share() {
        shared = true;
    }

    /** Whether it is exclusive although all holds that are left only read. */
    boolean isForReadersOnly() {
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            if (hold.kind != LockKind.READ) {
                return false;
            }
        }
        return !shared;
    }

    List<LossListener> lossListeners() {
        List<LossListener> all = new ArrayList<>();
        for (Hold hold : holds()) {
            all.addAll(hold.lossListeners());
        }
        return all;
    }

    boolean isFree() {
        return latest == null;
    }

    /** Adds the first hold of an owner, with a fencing token of its own. */
    Hold admit(Waiter waiter, long now) {
        owner = waiter.owner;
        localNumber++;
        keepUntil = 0;
        return addHold(waiter, now);
    }

    /** Adds a hold of the present owner. */
    Hold addHold(Waiter waiter, long now) {
        Hold hold = new Hold(this, waiter, localNumber, now, origin(), endOfHold(waiter, now));
        hold.earlier = latest;
        latest = hold;
        lastWasRenewed = waiter.request.renewed();
        hold.keepUntil = Times.after(now, waiter.request.minHoldTime().toNanos());
        computeEnd();
        return hold;
    }

    private long endOfHold(Waiter waiter, long now) {
        if (waiter.request.renewed()) {
            return waiter.request.maxHoldTime() == null
                    ? Times.NEVER
                    : Times.after(now, waiter.request.maxHoldTime().toNanos());
        }
        long holdEnd = Times.after(now, waiter.holdNanos());
        boolean isFirst = isFree() && localNumber == 0;
        // The lease was acquired for this hold, a moment before the hold could begin: the two end together.
        return isFirst && leaseNanos >= waiter.holdNanos() ? Math.min(holdEnd, deadline) : holdEnd;
    }

    private Hold.Origin origin() {
        if (!isFree()) {
            return Hold.Origin.REENTERED;
        }
        if (localNumber > 0) {
            return Hold.Origin.PASSED_ON;
        }
        return handedOver ? Hold.Origin.HANDED_OVER : Hold.Origin.ACQUIRED;
    }

    /** From the first to the latest. */
    List<Hold> holds() {
        List<Hold> all = new ArrayList<>(1);
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            all.add(hold);
        }
        Collections.reverse(all);
        return all;
    }

    void remove(Hold hold) {
        unlink(hold);
        keepUntil = Math.max(keepUntil, hold.keepUntil);
        if (!isFree()) {
            computeEnd();
        } else {
            end = Times.NEVER;
        }
    }

    private void unlink(Hold hold) {
        if (latest == hold) {
            latest = hold.earlier;
            return;
        }
        for (Hold later = latest; later != null; later = later.earlier) {
            if (later.earlier == hold) {
                later.earlier = hold.earlier;
                return;
            }
        }
    }

    /** Lets a hold end no sooner than this. */
    void extend(Hold hold, long until) {
        hold.end = Math.max(hold.end, until);
        computeEnd();
    }

    private void computeEnd() {
        long last = 0;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            last = Math.max(last, hold.end);
        }
        end = last;
    }

    /** How long the lock has to stay taken if it is released now. */
    long keepMillis(long now) {
        long until = keepUntil;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            until = Math.max(until, hold.keepUntil);
        }
        return until > now ? Times.coveringMillis(until - now) : 0;
    }

    // ------------------------------------------------------------------ acquires that may still run

    void inherit(PendingAcquire pending) {
        unsettled = pending.acquires.mayStillRun() ? pending.acquires : null;
        handedOver = pending.isGrantReported();
        if (pending.isRevocationReported()) {
            revocationReported();
        }
    }

    void acquireAnswered(long commandSentAt, long now, EngineSettings settings) {
        if (unsettled != null) {
            unsettled.answered(commandSentAt, now, settings);
            unsettled = unsettled.mayStillRun() ? unsettled : null;
        }
    }

    void acquireFailed() {
        if (unsettled != null) {
            unsettled.failed(false);
        }
    }

    /** The backend may have lost the lease. */
    void reconnected() {
        if (unsettled != null) {
            unsettled.reconnected();
        }
        wantCheck();
    }

    boolean mayBeAcquiredLate() {
        return unsettled != null && unsettled.copyMayBeLate();
    }

    Decision.ReleaseWay releaseWay(long now) {
        if (unsettled != null) {
            return unsettled.releaseWay();
        }
        boolean plain = acquiredPlainly && !othersWait() && keepMillis(now) == 0;
        return plain ? Decision.ReleaseWay.PLAIN : Decision.ReleaseWay.FULL;
    }

    // ------------------------------------------------------------------ the lease

    boolean isRenewalDue(long now) {
        return renewal == null
                ? now >= RenewalSchedule.regular(deadline, end, leaseNanos)
                : renewal.isDue(now, deadline, end, leaseNanos);
    }

    boolean isRenewalUnderWay() {
        return renewal != null && renewal.isUnderWay();
    }

    boolean isRenewalTimedOut(long now) {
        return renewal != null && renewal.isTimedOut(now);
    }

    /** Asks as soon as possible whether the claim still owns the lock. */
    void wantCheck() {
        renewal().wantCheck();
    }

    /** A message says that the lock was released by force: asks whether it is true. */
    void revocationReported() {
        renewal().revocationReported();
    }

    private RenewalSchedule renewal() {
        if (renewal == null) {
            renewal = new RenewalSchedule();
        }
        return renewal;
    }

    void renewalSent(long now, EngineSettings settings) {
        renewal().sent(now, settings);
    }

    Decision.SendRenew renewal(long leaseMillis, long now, @Nullable CompletableFuture<Boolean> caller) {
        return new Decision.SendRenew(claim, leaseMillis, shared, fence > 0, now, caller);
    }

    void renewed(Decision.SendRenew command, long now) {
        RenewalSchedule schedule = renewal();
        schedule.confirmed(command.sentAt(), command.leaseMillis(), now);
        prolong(command.sentAt(), Times.nanos(command.leaseMillis()));
        if (schedule.isRegular(deadline, leaseNanos)) {
            renewal = null;
        }
    }

    void renewalFailed(long commandSentAt, long now) {
        renewal().failed(commandSentAt, leaseNanos, now);
    }

    void renewalTimedOut(long now) {
        renewal().timedOut(leaseNanos, now);
    }

    void prolong(long sentAt, long nanos) {
        long until = Times.after(sentAt, nanos);
        if (nanos > 0 && until > deadline) {
            deadline = until;
            leaseNanos = nanos;
        }
    }

    /** The lease to ask for: as long as the holds need; 0 only asks whether the lock is still held. */
    long leaseToAsk(long now) {
        long millis = 0;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            if (hold.isRenewed()) {
                millis = Math.max(millis, hold.renewedMillis);
            } else if (hold.end > deadline) {
                millis = Math.max(millis, Times.coveringMillis(hold.end - now));
            }
        }
        return millis;
    }

    /** The lease to ask for before the lock passes to this waiter: after a crash it lasts no longer than both asked for. */
    long leaseToKeep(Waiter next) {
        return lastWasRenewed && next.request.renewed() ? next.leaseMillis() : 0;
    }

    // ------------------------------------------------------------------ who may hold it next

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

    /** Notes whether other processes wait, as an answer or message shows; it was true after {@code sentAt}. */
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
    boolean fits(Waiter first, EngineSettings settings) {
        return leaseNanos <= Math.max(Times.nanos(first.leaseMillis()), settings.grantLeaseNanos());
    }

    boolean mayPassTo(Waiter next, long now, EngineSettings settings) {
        if (!settings.handsOverLocally() || localNumber >= LAST_LOCAL_NUMBER || over) {
            return false;
        }
        long left = deadline - now;
        boolean safelyAhead =
                left > Math.max(handover().leaseNeeded(), Math.min(leaseNanos, settings.grantLeaseNanos()) / 4);
        // The next holder may crash: the lock must not outlast it by much more than it asked for.
        boolean fits = left <= Math.max(next.holdNanos(), settings.grantLeaseNanos())
                || (lastWasRenewed && next.request.renewed());
        return safelyAhead && fits && handover().isWithinBudget(now, settings);
    }
}
