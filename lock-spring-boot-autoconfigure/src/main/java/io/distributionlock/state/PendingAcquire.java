package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import org.jspecify.annotations.Nullable;

/** The claim by which this process asks for a lock, and what is known from its answers. */
final class PendingAcquire implements Phase {

    private static final long FIRST_PAUSE_NANOS = Times.nanos(20);
    private static final long LONGEST_PAUSE_NANOS = Times.nanos(200);

    private final Claim claim;
    final InFlightAcquire flight = new InFlightAcquire();

    /** Of the last answer "busy". */
    private long lastFence = -1;

    private long sentAt;
    private long timeoutAt;
    private boolean underWay;
    private boolean mayRunLate;
    private boolean queued;
    private boolean plain;
    private boolean sent;
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

    /**
     * @param asPlain whether it was sent as a plain acquire
     * @param answerBy when it counts as failed
     */
    void sent(long now, boolean inQueue, boolean asPlain, long answerBy) {
        sentAt = now;
        asksAgain = false;
        timeoutAt = answerBy;
        underWay = true;
        queued |= inQueue;
        plain |= asPlain;
        sent = true;
    }

    /** The one under way, if any, counts as failed no later than this. */
    void answerBy(long latest) {
        timeoutAt = Math.min(timeoutAt, latest);
    }

    /** The acquire that was sent at this time was answered. */
    void answered(long commandSentAt, long now, EngineSettings settings) {
        if (commandSentAt == sentAt) {
            underWay = false;
        }
        mayRunLate |= isSlow(commandSentAt, now, settings);
    }

    /** Whether an answer took so long that the client may have resent the command over a new connection. */
    static boolean isSlow(long commandSentAt, long now, EngineSettings settings) {
        return now - commandSentAt > settings.commandTimeoutNanos() / 2;
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
        underWay = false;
        mayRunLate |= !answered;
        busy = false;
        failed = true;
        refusal = null;
        nextHeartbeat = heartbeatAt;
    }

    /** The backend refused the acquire under way without running it: it is sent again soon. */
    void refused(Throwable cause, long now, EngineSettings settings) {
        answered(sentAt, now, settings);
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

    /** An acquire under way may run twice, once over each connection. The backend may be another one, with older data. */
    void reconnected() {
        mayRunLate |= underWay;
    }

    boolean isUnderWay() {
        return underWay;
    }

    boolean isTheOneUnderWay(long commandSentAt) {
        return underWay && commandSentAt == sentAt;
    }

    boolean isTimedOut(long now) {
        return underWay && now >= timeoutAt;
    }

    boolean isHeartbeatDue(long now) {
        return !underWay && now >= nextHeartbeat;
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
        return failed || isUnanswered(now, settings);
    }

    /** Whether the one under way has been unanswered for unusually long. */
    boolean isUnanswered(long now, EngineSettings settings) {
        return underWay && now - sentAt >= Math.min(settings.commandTimeoutNanos(), settings.heartbeatNanos()) / 2;
    }

    /** Whether a copy of an acquire may still run although the acquire itself was answered or given up. */
    boolean mayRunLate() {
        return mayRunLate;
    }

    /** Whether nothing was sent yet. */
    boolean isFirst() {
        return !sent;
    }

    /** Whether one of its acquires was a plain one, or may yet be sent as one. */
    boolean isPlain() {
        return plain && !flight.isScript();
    }

    /** Whether the backend may know this claim, so that giving it up takes a release. */
    boolean mayBeKnown() {
        return underWay || mayRunLate || queued;
    }

    /** Whether an acquire may still run after the claim was given up. */
    boolean needsTombstone() {
        return underWay || mayRunLate;
    }

    Decision.ReleaseWay releaseWay() {
        return needsTombstone() ? Decision.ReleaseWay.burying(isPlain()) : Decision.ReleaseWay.FULL;
    }

    @Override
    public long due() {
        return underWay ? timeoutAt : nextHeartbeat;
    }
}
