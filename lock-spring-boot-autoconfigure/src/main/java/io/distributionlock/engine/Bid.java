package io.distributionlock.engine;

import org.jspecify.annotations.Nullable;

/**
 * The claim by which this process asks for a lock, and what it knows of its answers.
 *
 * <p>{@code provenAt} and {@code provenFence} are the (t, f) of the protocol: a grant with a greater fencing number than
 * {@code provenFence} was made after {@code provenAt}, so its lease lasts at least until {@code provenAt} + grant lease.
 */
final class Bid {

    final String claim;
    final Flight flight = new Flight();

    private static final long FIRST_PAUSE_NANOS = Times.nanos(20);
    private static final long LONGEST_PAUSE_NANOS = Times.nanos(200);

    private long provenAt;
    private long provenFence = -1;
    private long sentAt;
    private long timeoutAt;
    private boolean underWay;
    private boolean maybeRunLate;
    private boolean queued;
    private boolean busy;
    private boolean failed;
    private long nextBeat;
    private long grantedFence = -1;
    private @Nullable Throwable refusal;
    private long pause = FIRST_PAUSE_NANOS;

    Bid(String claim, long now) {
        this.claim = claim;
        this.provenAt = now;
    }

    void sent(long now, boolean wait, EngineSettings settings) {
        sentAt = now;
        timeoutAt = Times.after(now, settings.commandTimeoutNanos());
        underWay = true;
        queued |= wait;
    }

    /** An answer came to the acquire that was sent at this time. */
    void answered(long commandSentAt, long now, EngineSettings settings) {
        if (commandSentAt == sentAt) {
            underWay = false;
        }
        maybeRunLate |= isSlow(commandSentAt, now, settings);
    }

    /** Whether an answer took so long that the client may have sent the command again behind a lost connection. */
    static boolean isSlow(long commandSentAt, long now, EngineSettings settings) {
        return now - commandSentAt > settings.commandTimeoutNanos() / 2;
    }

    void busy(long commandSentAt, long fence, long nextBeat) {
        busy = true;
        failed = false;
        refusal = null;
        pause = FIRST_PAUSE_NANOS;
        if (commandSentAt >= provenAt) {
            provenAt = commandSentAt;
            provenFence = fence;
        }
        this.nextBeat = nextBeat;
    }

    /**
     * The acquire under way failed or timed out.
     *
     * @param answered whether the backend said so itself; otherwise nobody knows whether it will run
     */
    void failed(boolean answered, long nextBeat) {
        underWay = false;
        maybeRunLate |= !answered;
        busy = false;
        failed = true;
        refusal = null;
        this.nextBeat = nextBeat;
    }

    /** The acquire under way did not run, because the backend could not run it yet: it is to be sent again soon. */
    void refused(Throwable cause, long now, EngineSettings settings) {
        answered(sentAt, now, settings);
        busy = false;
        failed = true;
        refusal = cause;
        nextBeat = Times.after(now, pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }

    /** Why the backend does not run acquires at present, if it has said so. */
    @Nullable
    Throwable refusal() {
        return refusal;
    }

    /** A message told of a grant that the answer to the acquire under way may not know yet. */
    void granted(long fence) {
        grantedFence = Math.max(grantedFence, fence);
    }

    /** Whether a grant was told that is newer than a busy answer with this number. */
    boolean wasGrantedAfter(long busyFence) {
        return grantedFence > busyFence;
    }

    /** What is under way crosses a new connection, and may be sent twice. */
    void reconnected() {
        maybeRunLate |= underWay;
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

    boolean isBeatDue(long now) {
        return !underWay && now >= nextBeat;
    }

    /** Whether this claim has asked for a place in the queue of the backend. */
    boolean hasAskedToQueue() {
        return queued;
    }

    /** Whether the latest thing heard is that somebody else has the lock. */
    boolean isBusy() {
        return busy;
    }

    /** Whether the latest command failed, or has been without an answer for remarkably long. */
    boolean isSilent(long now, EngineSettings settings) {
        return failed
                || underWay && now - sentAt >= Math.min(settings.commandTimeoutNanos(), settings.heartbeatNanos()) / 2;
    }

    /** Whether a copy of an acquire may still run although the acquire itself was answered or given up. */
    boolean mayRunLate() {
        return maybeRunLate;
    }

    /** Whether the other side may know this claim, so that it has to be told when it is given up. */
    boolean maybeKnown() {
        return underWay || maybeRunLate || queued;
    }

    /** Whether an acquire may still run after the claim was given up. */
    boolean mustBury() {
        return underWay || maybeRunLate;
    }

    /** Whether a grant with this number is newer than the last busy answer. */
    boolean isNews(long fence) {
        return fence > provenFence;
    }

    long provenAt() {
        return provenAt;
    }

    long due() {
        return underWay ? timeoutAt : nextBeat;
    }
}
