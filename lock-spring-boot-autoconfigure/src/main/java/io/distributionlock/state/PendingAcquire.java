package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import org.jspecify.annotations.Nullable;

/** The claim by which this process asks for a lock, and what is known from its answers. */
final class PendingAcquire implements Phase {

    private static final long FIRST_PAUSE_NANOS = Times.nanos(20);
    private static final long LONGEST_PAUSE_NANOS = Times.nanos(200);

    private final Claim claim;
    final SentAcquires acquires = new SentAcquires();

    /** Of the last answer "busy". */
    private long lastFence = -1;

    private boolean queued;
    private boolean busy;
    private boolean failed;
    private long nextHeartbeat;
    private long turnAt;
    private boolean asksAgain;
    private boolean grantReported;
    private boolean revocationReported;
    private @Nullable Throwable refusal;
    private long pause = FIRST_PAUSE_NANOS;

    PendingAcquire(Claim claim) {
        this.claim = claim;
    }

    @Override
    public Claim claim() {
        return claim;
    }

    /** @param answerBy when the acquire counts as failed */
    void sent(long now, boolean inQueue, boolean plain, long answerBy) {
        asksAgain = false;
        queued |= inQueue;
        acquires.sent(now, plain, answerBy);
    }

    void busy(long fence, long heartbeatAt) {
        busy = true;
        failed = false;
        refusal = null;
        pause = FIRST_PAUSE_NANOS;
        lastFence = fence;
        nextHeartbeat = heartbeatAt;
    }

    /**
     * For how long the lock has not changed hands, as far as this claim knows.
     *
     * @param fence of an answer "busy", before it is noted
     */
    long unchanged(long fence, long now) {
        if (fence != lastFence) {
            turnAt = now;
        }
        return now - turnAt;
    }

    /**
     * The acquire under way failed or timed out.
     *
     * @param answered whether the backend reported the failure; otherwise the command may still run
     */
    void failed(boolean answered, long heartbeatAt) {
        acquires.failed(answered);
        busy = false;
        failed = true;
        refusal = null;
        nextHeartbeat = heartbeatAt;
    }

    /** The backend refused the acquire under way without running it: it is sent again soon. */
    void refused(Throwable cause, long now) {
        busy = false;
        failed = true;
        refusal = cause;
        nextHeartbeat = Times.after(now, pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }

    /** Why the backend refuses acquires at present, if it does. */
    @Nullable
    Throwable refusal() {
        return refusal;
    }

    /** Asks once more after the answer to the acquire under way, which may be older than a message. */
    void askAgain() {
        asksAgain = true;
    }

    boolean takeAsksAgain() {
        boolean again = asksAgain;
        asksAgain = false;
        return again;
    }

    /** A message says that another process handed the lock over to this claim. */
    void grantReported() {
        grantReported = true;
    }

    boolean isGrantReported() {
        return grantReported;
    }

    /** A message says that the lock was taken from this claim: the answer under way may be out of date already. */
    void revocationReported() {
        revocationReported = true;
    }

    boolean isRevocationReported() {
        return revocationReported;
    }

    boolean isHeartbeatDue(long now) {
        return !acquires.isUnderWay() && now >= nextHeartbeat;
    }

    /** Whether this claim has asked for a place in the queue of the backend. */
    boolean hasAskedToQueue() {
        return queued;
    }

    /** Whether the lock was busy at the latest answer. */
    boolean isBusy() {
        return busy;
    }

    /** Whether the latest command failed, or has been unanswered for unusually long. */
    boolean isSilent(long now, EngineSettings settings) {
        return failed || acquires.isUnanswered(now, settings);
    }

    /** Whether the backend may know this claim, so that giving it up takes a release. */
    boolean mayBeKnown() {
        return acquires.mayStillRun() || queued;
    }

    @Override
    public long due() {
        return acquires.isUnderWay() ? acquires.timeoutAt() : nextHeartbeat;
    }
}
