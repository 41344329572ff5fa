package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;

/** What moves the next renewal of a lease away from its regular time: one that is under way or has failed, or a check. */
final class RenewalSchedule {

    /** Nothing moves the next renewal. A process may hold very many locks, and nearly all of them share this, which never changes. */
    static final RenewalSchedule REGULAR = new RenewalSchedule();

    private static final long COARSEST_GRID_NANOS = Times.nanos(100);

    private boolean underWay;
    private long sentAt;

    /** When the renewal under way times out. */
    private long timeoutAt;

    /** No renewal is sent before this. */
    private long notBefore;

    private boolean checkWanted;
    private boolean checkUnderWay;
    private boolean revocationReported;

    boolean isUnderWay() {
        return underWay;
    }

    void sent(long now, EngineSettings settings) {
        underWay = true;
        checkUnderWay |= checkWanted;
        checkWanted = false;
        sentAt = now;
        timeoutAt = Times.after(now, settings.commandTimeoutNanos());
    }

    /** An answer shows that the claim still owns the lock. */
    void confirmed(long commandSentAt, long leaseMillis, long now) {
        settled(commandSentAt);
        checkUnderWay &= commandSentAt < sentAt;
        if (checkWanted) {
            // The answer may be older than the reason for the check.
            notBefore = now;
            return;
        }
        revocationReported &= checkUnderWay;
        // If a longer lease is in force, this one changed nothing, and asking again at once would never end.
        long leaseNanos = Times.nanos(leaseMillis);
        notBefore = leaseMillis > 0 ? onGrid(Times.after(commandSentAt, leaseNanos / 3), leaseNanos) : now;
    }

    void failed(long commandSentAt, long leaseNanos, long now) {
        settled(commandSentAt);
        // The check under way has failed as well, and is still wanted.
        checkWanted |= checkUnderWay;
        notBefore = Times.after(now, Math.max(Times.nanos(20), Math.min(Times.nanos(1000), leaseNanos / 10)));
    }

    /** Whether the one under way had no answer in time; then it has failed. */
    boolean failsByTimeout(long leaseNanos, long now) {
        boolean timedOut = underWay && now >= timeoutAt;
        if (timedOut) {
            failed(sentAt, leaseNanos, now);
        }
        return timedOut;
    }

    private void settled(long commandSentAt) {
        if (commandSentAt == sentAt) {
            underWay = false;
        }
    }

    /** Asks as soon as possible whether the claim still owns the lock. */
    void wantCheck() {
        checkWanted = true;
        notBefore = 0;
    }

    /** A message says that the lock was released by force: asks whether it is true. */
    void revocationReported() {
        revocationReported = true;
        wantCheck();
    }

    boolean isRevocationReported() {
        return revocationReported;
    }

    /**
     * When the next renewal is due, or the one under way times out.
     *
     * @param deadline when the lease ends that is in force
     * @param needed until when its holds need it
     */
    long due(long deadline, long needed, long leaseNanos) {
        return underWay ? timeoutAt : next(deadline, needed, leaseNanos);
    }

    boolean isDue(long now, long deadline, long needed, long leaseNanos) {
        return !underWay && now >= next(deadline, needed, leaseNanos);
    }

    private long next(long deadline, long needed, long leaseNanos) {
        return checkWanted ? notBefore : Math.max(regular(deadline, needed, leaseNanos), notBefore);
    }

    /** Whether the next renewal is due at its regular time. */
    boolean isRegular(long deadline, long leaseNanos) {
        return !underWay && !checkWanted && notBefore <= regular(deadline, Times.NEVER, leaseNanos);
    }

    private static long regular(long deadline, long needed, long leaseNanos) {
        if (needed <= deadline) {
            return Times.NEVER;
        }
        // After a third of the lease; or of the short grant lease, and so confirms the grant.
        return onGrid(deadline - leaseNanos / 3 * 2, leaseNanos);
    }

    /** Renewals fall due together, so that they travel together: each as much earlier as a thirtieth of its lease at most. */
    private static long onGrid(long moment, long leaseNanos) {
        long grid = Math.max(1, Math.min(COARSEST_GRID_NANOS, leaseNanos / 30));
        return moment - Math.floorMod(moment, grid);
    }
}
