package io.distributionlock.state;

import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock may pass from holder to holder inside this process: what is known of waiters in other processes, and how much of
 * their patience was used.
 */
final class LocalHandover {

    /** How old the knowledge of other waiters may be. */
    private static final long FRESH_NANOS = Times.nanos(20);

    /** What must be left of the lease: time for an answer over a slow network. */
    private static final long MIN_LEASE_NANOS = Times.nanos(100);

    /** One slow answer must not let this process overlook new waiters for seconds. */
    private static final long MAX_VALID_NANOS = Times.nanos(250);

    private long knownSince;
    private long roundTrip;

    /** The release that waits for an answer before the lock passes on. */
    private @Nullable CompletableFuture<ReleaseResult> pending;

    private boolean othersWait;
    private long othersWaitSince;

    /** How often the lock has passed on since others wait. */
    private int count;

    /** The lock was acquired by a command that was sent at this time, and whose answer took so long. */
    LocalHandover(long sentAt, long roundTrip) {
        this.knownSince = sentAt;
        this.roundTrip = roundTrip;
    }

    /** Whether the lock is free inside this process, and passed on as soon as an answer shows who waits elsewhere. */
    boolean isPending() {
        return pending != null;
    }

    /** @param release is to be answered by what the answer shows, because until then nobody knows whether the lock was held */
    void setPending(CompletableFuture<ReleaseResult> release) {
        pending = release;
    }

    /** It is not pending any more; returns whose release waits for its answer, if it was. */
    @Nullable
    CompletableFuture<ReleaseResult> takePending() {
        CompletableFuture<ReleaseResult> release = pending;
        pending = null;
        return release;
    }

    /** Notes whether other processes wait, as an answer shows, unless the answer to a later command is known. */
    void update(long sentAt, boolean others, long now) {
        if (sentAt < knownSince) {
            return;
        }
        knownSince = sentAt;
        roundTrip = now - sentAt;
        if (others && !othersWait) {
            othersWaitSince = now;
            count = 0;
        }
        othersWait = others;
    }

    /** Whether the knowledge of other waiters is recent; over a slow network, within a few round trips. */
    boolean isWellInformed(long now) {
        return now - knownSince < validNanos();
    }

    private long validNanos() {
        return Math.max(FRESH_NANOS, roundTrip + Math.min(3 * roundTrip, MAX_VALID_NANOS));
    }

    /** Whether to refresh that knowledge in the background, so that the next hand-over need not wait for it. */
    boolean isKnowledgeFading(long now) {
        return now - knownSince >= validNanos() / 2;
    }

    /** The lease that must be left for the next holder, which may have to renew at once. */
    long leaseNeeded() {
        return Math.max(MIN_LEASE_NANOS, 4 * roundTrip);
    }

    /** Whether the lock may stay in this process for one more holder. */
    boolean isWithinBudget(long now, EngineSettings settings) {
        return !othersWait
                || (count < settings.handoverMaxCount()
                        && now - othersWaitSince < settings.handoverMaxTime().toNanos());
    }

    /** Whether other processes wait, as far as this one knows. */
    boolean othersWait() {
        return othersWait;
    }

    void passed() {
        count++;
    }
}
