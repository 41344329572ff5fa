package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;

/** How long the lease of an {@link Ownership} lasts in the backend, and when it is renewed. */
final class RenewalSchedule {

    private static final long COARSEST_GRID_NANOS = Times.nanos(100);

    private long leaseNanos;

    /** The lease lasts in the backend at least until then. Read without the engine's lock. */
    private volatile long deadline;

    private boolean underWay;
    private long sentAt;

    /** When the renewal under way times out. */
    private long timeoutAt;

    /** No renewal is sent before this. */
    private long notBefore;

    private boolean checkWanted;
    private boolean checkUnderWay;
    private boolean revocationReported;

    RenewalSchedule(long acquiredAt, long leaseNanos) {
        this.leaseNanos = leaseNanos;
        this.deadline = Times.after(acquiredAt, leaseNanos);
    }

    /** When the lease ends. */
    long deadline() {
        return deadline;
    }

    long leaseNanos() {
        return leaseNanos;
    }

    /** A command that was sent then has given the lock for so long. It never shortens the lease. */
    void prolong(long commandSentAt, long nanos) {
        long until = Times.after(commandSentAt, nanos);
        if (nanos > 0 && until > deadline) {
            deadline = until;
            leaseNanos = nanos;
        }
    }

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
        long nanos = Times.nanos(leaseMillis);
        prolong(commandSentAt, nanos);
        settled(commandSentAt);
        checkUnderWay &= commandSentAt < sentAt;
        if (checkWanted) {
            // The answer may be older than the reason for the check.
            notBefore = now;
            return;
        }
        revocationReported &= checkUnderWay;
        // If a longer lease is in force, this one changed nothing, and asking again at once would never end.
        notBefore = nanos > 0 ? onGrid(Times.after(commandSentAt, nanos / 3), nanos) : now;
    }

    void failed(long commandSentAt, long now) {
        settled(commandSentAt);
        // The check under way has failed as well, and is still wanted.
        checkWanted |= checkUnderWay;
        notBefore = Times.after(now, Math.max(Times.nanos(20), Math.min(Times.nanos(1000), leaseNanos / 10)));
    }

    /** Whether the one under way had no answer in time; then it has failed. */
    boolean failsByTimeout(long now) {
        boolean timedOut = underWay && now >= timeoutAt;
        if (timedOut) {
            failed(sentAt, now);
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
     * @param needed until when its holds need the lease
     */
    long due(long needed) {
        return underWay ? timeoutAt : next(needed);
    }

    boolean isDue(long now, long needed) {
        return !underWay && now >= next(needed);
    }

    private long next(long needed) {
        if (checkWanted) {
            return notBefore;
        }
        // After a third of the lease; or of the short grant lease, and so confirms the grant.
        return needed <= deadline
                ? Times.NEVER
                : Math.max(onGrid(deadline - leaseNanos / 3 * 2, leaseNanos), notBefore);
    }

    /** Renewals fall due together, so that they travel together: each as much earlier as a thirtieth of its lease at most. */
    private static long onGrid(long moment, long leaseNanos) {
        long grid = Math.max(1, Math.min(COARSEST_GRID_NANOS, leaseNanos / 30));
        return moment - Math.floorMod(moment, grid);
    }
}
