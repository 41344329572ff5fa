package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time in which this process owns a lock by one claim. Holders may follow one another in it; each of them may have
 * entered several times.
 */
final class Tenure {

    /** Bits of a fencing token that count the holders of one tenure; the rest is the number that Redis gave. */
    static final int LOCAL_BITS = 10;

    /** How old the knowledge of who waits elsewhere may be when the lock is passed on inside the process. */
    private static final long FRESH_NANOS = Times.nanos(20);

    /** What must be left of a lease that is passed on inside the process: time for an answer over a slow network. */
    private static final long SHORTEST_HANDOVER_NANOS = Times.nanos(100);

    /**
     * For how long an answer may be relied on after it has come, however long it took: one slow answer must not let the process
     * overlook for seconds that others have begun to wait.
     */
    private static final long LONGEST_TRUST_NANOS = Times.nanos(250);

    private static final int LAST_LOCAL_NUMBER = (1 << LOCAL_BITS) - 1;

    final String claim;
    final long fence;

    /** Whether the lease was asked for, rather than handed over. */
    private final boolean asked;

    /** Whether there may be other readers beside this one. */
    private boolean shared;

    private final List<Hold> holds = new ArrayList<>(1);
    private @Nullable LockOwner owner;
    private int localNumber = -1;

    /** The lease lasts in Redis at least until then. Read without the engine's lock. */
    private volatile long deadline;

    private volatile long end;
    private volatile boolean over;

    private long leaseNanos;
    private long keepUntil;
    private boolean lastWasRenewed;
    private boolean acquireUnderWay;
    private boolean maybeRunLate;

    private boolean renewUnderWay;
    private long renewSentAt;
    private long renewTimeoutAt;
    private long renewNotBefore;
    private boolean checkWanted;
    private boolean checkUnderWay;

    /** Made when somebody asks. */
    private @Nullable Checks checks;

    private boolean handoverPending;
    private long heardAt;
    private long roundTrip;
    private boolean othersWait;
    private long othersWaitSince;
    private int handovers;

    private Tenure(String claim, long fence, long sentAt, long leaseNanos, boolean asked, boolean shared) {
        this.claim = claim;
        this.fence = fence;
        this.asked = asked;
        this.shared = shared;
        this.leaseNanos = leaseNanos;
        this.deadline = Times.after(sentAt, leaseNanos);
        this.end = Times.NEVER;
    }

    /** A lease that was asked for by an acquire, sent at this time. */
    static Tenure acquired(String claim, long fence, long sentAt, long leaseNanos, boolean shared) {
        return new Tenure(claim, fence, sentAt, leaseNanos, true, shared);
    }

    /** The short lease of a lock that was handed over some time after this moment. */
    static Tenure granted(String claim, long fence, long provenAt, long grantLeaseNanos, boolean shared) {
        return new Tenure(claim, fence, provenAt, grantLeaseNanos, false, shared);
    }

    // --- validity: the only part that is read by any thread ---

    boolean isValid(long now) {
        return !over && now < deadline && now < end;
    }

    long remainingNanos(long now) {
        return over ? 0 : Math.max(0, Math.min(deadline, end) - now);
    }

    /** Called before anybody is told that the lock was lost or given up. */
    void markOver() {
        over = true;
    }

    // --- holders ---

    /** Whether this owner is inside himself, and may enter again; work that he has left behind is not he. */
    boolean isHeldBy(LockOwner candidate) {
        return Objects.equals(owner, candidate) && holdCount() > 0;
    }

    /** Who is inside himself, if anybody is. */
    @Nullable
    LockOwner presentOwner() {
        return holdCount() > 0 ? owner : null;
    }

    /** How often the owner is inside. */
    int holdCount() {
        int count = 0;
        for (Hold hold : holds) {
            if (!hold.detached) {
                count++;
            }
        }
        return count;
    }

    /** How often the owner is inside in this way. */
    int holdCount(LockKind kind) {
        int count = 0;
        for (Hold hold : holds) {
            if (!hold.detached && hold.kind == kind) {
                count++;
            }
        }
        return count;
    }

    boolean isShared() {
        return shared;
    }

    /** From now on there may be other readers. */
    void share() {
        shared = true;
    }

    /** Whether it keeps everybody out although none of its holds needs that any longer. */
    boolean isForReadersOnly() {
        return !shared && holds.stream().allMatch(hold -> hold.kind == LockKind.READ);
    }

    List<Runnable> lossListeners() {
        List<Runnable> all = new ArrayList<>();
        for (Hold hold : holds) {
            all.addAll(hold.lossListeners());
        }
        return all;
    }

    boolean isFree() {
        return holds.isEmpty();
    }

    /** The first holder, or the next one in this process: gets a fencing token of its own. */
    Hold admit(Waiter waiter, long now) {
        owner = waiter.owner;
        localNumber++;
        keepUntil = 0;
        return enter(waiter, now);
    }

    /** The present holder, once more. */
    Hold enter(Waiter waiter, long now) {
        long holdEnd;
        if (waiter.request.renewed()) {
            holdEnd = waiter.request.maxHoldTime() == null
                    ? Times.NEVER
                    : Times.after(now, waiter.request.maxHoldTime().toNanos());
        } else {
            holdEnd = Times.after(now, waiter.holdNanos());
            if (asked && leaseNanos >= waiter.holdNanos() && holds.isEmpty() && localNumber == 0) {
                // The lease was asked for this hold, a moment before it could begin: the two end together.
                holdEnd = Math.min(holdEnd, deadline);
            }
        }
        long token = (fence << LOCAL_BITS) | localNumber;
        Hold hold = new Hold(this, waiter, token, now, wayIn(), holdEnd);
        holds.add(hold);
        lastWasRenewed = waiter.request.renewed();
        keepUntil = Math.max(
                keepUntil, Times.after(now, waiter.request.minHoldTime().toNanos()));
        computeEnd();
        return hold;
    }

    private Way wayIn() {
        if (!holds.isEmpty()) {
            return Way.REENTERED;
        }
        if (localNumber > 0) {
            return Way.PASSED_ON;
        }
        return asked ? Way.ASKED : Way.HANDED_OVER;
    }

    List<Hold> holds() {
        return holds;
    }

    void leave(Hold hold) {
        holds.remove(hold);
        if (!holds.isEmpty()) {
            computeEnd();
        } else {
            end = Times.NEVER;
        }
    }

    /** Lets a hold end no sooner than this. */
    void lengthen(Hold hold, long until) {
        hold.end = Math.max(hold.end, until);
        computeEnd();
    }

    private void computeEnd() {
        long latest = 0;
        for (Hold hold : holds) {
            latest = Math.max(latest, hold.end);
        }
        end = latest;
    }

    /** How long the lock has to stay taken yet although it is released now. */
    long keepMillis(long now) {
        return keepUntil > now ? Times.coveringMillis(keepUntil - now) : 0;
    }

    // --- acquires that may still run ---

    void inherit(Bid bid) {
        acquireUnderWay = bid.isUnderWay();
        maybeRunLate = bid.mayRunLate();
    }

    void acquireAnswered(long commandSentAt, long now, EngineSettings settings) {
        acquireUnderWay = false;
        maybeRunLate |= Bid.isSlow(commandSentAt, now, settings);
    }

    void acquireFailed() {
        acquireUnderWay = false;
        maybeRunLate = true;
    }

    /** An acquire under way crosses the new connection, and may run twice; and whether the lease still stands has to be asked. */
    void reconnected() {
        maybeRunLate |= acquireUnderWay;
        wantCheck();
    }

    boolean mustBury() {
        return acquireUnderWay || maybeRunLate;
    }

    // --- renewal ---

    boolean isRenewUnderWay() {
        return renewUnderWay;
    }

    boolean isRenewTimedOut(long now) {
        return renewUnderWay && now >= renewTimeoutAt;
    }

    void renewSent(long now, EngineSettings settings) {
        renewUnderWay = true;
        checkUnderWay |= checkWanted;
        checkWanted = false;
        renewSentAt = now;
        renewTimeoutAt = Times.after(now, settings.commandTimeoutNanos());
    }

    /** An answer came that says the lock is still held. */
    void renewed(long commandSentAt, long leaseMillis, long now) {
        renewSettled(commandSentAt);
        checkUnderWay &= commandSentAt < renewSentAt;
        prolong(commandSentAt, Times.nanos(leaseMillis));
        // If a longer lease is in force already, nothing was prolonged, and asking again at once would go on for ever.
        renewNotBefore = leaseMillis > 0 ? Times.after(commandSentAt, Times.nanos(leaseMillis) / 3) : now;
    }

    void renewFailed(long commandSentAt, long now) {
        renewSettled(commandSentAt);
        // What was to be found out is still not known.
        checkWanted |= checkUnderWay;
        renewNotBefore = Times.after(now, Math.max(Times.nanos(20), Math.min(Times.nanos(1000), leaseNanos / 10)));
    }

    void renewTimedOut(long now) {
        renewFailed(renewSentAt, now);
    }

    private void renewSettled(long commandSentAt) {
        if (commandSentAt == renewSentAt) {
            renewUnderWay = false;
        }
    }

    void prolong(long sentAt, long nanos) {
        long until = Times.after(sentAt, nanos);
        if (nanos > 0 && until > deadline) {
            deadline = until;
            leaseNanos = nanos;
        }
    }

    /** Whether the lease still stands has to be asked as soon as possible. */
    void wantCheck() {
        checkWanted = true;
        renewNotBefore = 0;
    }

    boolean isRenewDue(long now) {
        return !renewUnderWay && now >= renewDue();
    }

    /** The lease to ask for: as long as the holds need; 0 only asks whether the lock is still held. */
    long leaseToAsk(long now) {
        long millis = 0;
        for (Hold hold : holds) {
            if (hold.renewed) {
                millis = Math.max(millis, hold.leaseMillis);
            } else if (hold.end > deadline) {
                millis = Math.max(millis, Times.coveringMillis(hold.end - now));
            }
        }
        return millis;
    }

    /** The lease to ask for before the lock passes to this one: it outlasts no crash by more than what both asked for. */
    long leaseToKeep(Waiter next) {
        return lastWasRenewed && next.request.renewed() ? next.leaseMillis() : 0;
    }

    private long renewDue() {
        if (checkWanted) {
            return renewNotBefore;
        }
        if (end <= deadline) {
            return Times.NEVER;
        }
        // A third of the lease has passed; or of the short grant lease, which is what confirms a grant.
        return Math.max(onGrid(deadline - leaseNanos / 3 * 2), renewNotBefore);
    }

    /** Renewals that are due at about the same time are made due at the same time, so that they travel together. */
    private long onGrid(long moment) {
        long grid = leaseNanos >= Times.nanos(3000) ? Times.nanos(100) : Times.nanos(1);
        return moment <= 0 ? 0 : (moment + grid - 1) / grid * grid;
    }

    long due() {
        long due = Math.min(Math.min(deadline, end), renewUnderWay ? renewTimeoutAt : renewDue());
        return checks == null ? due : Math.min(due, checks.due());
    }

    // --- questions whether it still stands ---

    Checks checks() {
        if (checks == null) {
            checks = new Checks();
        }
        return checks;
    }

    @Nullable
    Checks checksIfAny() {
        return checks;
    }

    // --- hand-over inside the process ---

    /** An answer, or a message, told at this time whether others wait; what it says was true after {@code sentAt}. */
    void heard(long sentAt, boolean others, long now) {
        if (sentAt >= heardAt) {
            heardAt = sentAt;
            roundTrip = now - sentAt;
        }
        if (others && !othersWait) {
            othersWaitSince = now;
            handovers = 0;
        }
        othersWait = others;
    }

    /** Whether it is recent knowledge who waits elsewhere. Over a slow network, recent is what a few round trips can tell. */
    boolean isWellInformed(long now) {
        return now - heardAt < trust();
    }

    private long trust() {
        return Math.max(FRESH_NANOS, roundTrip + Math.min(3 * roundTrip, LONGEST_TRUST_NANOS));
    }

    /** Whether that knowledge should be renewed in the background, so that passing on will not have to wait for it. */
    boolean isKnowledgeFading(long now) {
        return now - heardAt >= trust() / 2;
    }

    /**
     * Whether this lease was asked for somebody like this one, who is to be the first holder. It may have been asked for another
     * who has left since, and would outlast a crash by what that one wanted.
     */
    boolean fits(Waiter first, EngineSettings settings) {
        return leaseNanos <= Math.max(Times.nanos(first.leaseMillis()), settings.grantLeaseNanos());
    }

    boolean mayHandOverTo(Waiter next, long now, EngineSettings settings) {
        if (!settings.handsOverLocally() || localNumber >= LAST_LOCAL_NUMBER || over) {
            return false;
        }
        long left = deadline - now;
        // The next holder may have to renew at once, and loses the lock if the answer comes after the lease has ended.
        long enoughToRenew = Math.max(SHORTEST_HANDOVER_NANOS, 4 * roundTrip);
        boolean safelyAhead = left > Math.max(enoughToRenew, Math.min(leaseNanos, settings.grantLeaseNanos()) / 4);
        // The next holder may crash: the lock must not outlast it by much more than it asked for.
        boolean fits = left <= Math.max(next.holdNanos(), settings.grantLeaseNanos())
                || (lastWasRenewed && next.request.renewed());
        boolean withinBudget = !othersWait
                || (handovers < settings.handoverMaxCount()
                        && now - othersWaitSince < settings.handoverMaxTime().toNanos());
        return safelyAhead && fits && withinBudget;
    }

    void countHandover() {
        handovers++;
    }

    boolean isHandoverPending() {
        return handoverPending;
    }

    void setHandoverPending(boolean pending) {
        handoverPending = pending;
    }
}
