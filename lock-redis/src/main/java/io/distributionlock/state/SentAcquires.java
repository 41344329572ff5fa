package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;

/**
 * The acquires of one claim, and whether one of them may still run: it is under way, or a duplicate of it may run late although it was
 * answered or given up. A claim whose acquires may still run is given up with a tombstone; see {@link Decision.ReleaseMode}.
 */
final class SentAcquires {

    final InFlightAcquire flight = new InFlightAcquire();

    private int count;
    private long sentAt;
    private long timeoutAt;
    private boolean underWay;
    private boolean mayBeDuplicated;

    /** Whether the first is an uncontended one. */
    private boolean uncontended;

    /**
     * @param asUncontended whether it was sent as an uncontended acquire
     * @param answerBy when it counts as failed
     */
    void sent(long now, boolean asUncontended, long answerBy) {
        count++;
        sentAt = now;
        timeoutAt = answerBy;
        underWay = true;
        uncontended |= asUncontended;
    }

    /** An answer may have taken so long that the client has sent the command again over a new connection. */
    void answered(long commandSentAt, long now, EngineSettings settings) {
        if (commandSentAt == sentAt) {
            underWay = false;
        }
        mayBeDuplicated |= now - commandSentAt > settings.commandTimeoutNanos() / 2;
    }

    /** The one under way was answered, without having run. */
    void answered(long now, EngineSettings settings) {
        answered(sentAt, now, settings);
    }

    /** @param answered whether the backend reported the failure; otherwise the command may still run */
    void failed(boolean answered) {
        underWay = false;
        mayBeDuplicated |= !answered;
    }

    /** One that is under way may run twice, once over each connection. */
    void reconnected() {
        mayBeDuplicated |= underWay;
    }

    boolean none() {
        return count == 0;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Whether the latest is an uncontended acquire. */
    boolean isUncontended() {
        return uncontended && count == 1;
    }

    boolean isTheOneUnderWay(long commandSentAt) {
        return underWay && commandSentAt == sentAt;
    }

    boolean isTimedOut(long now) {
        return underWay && now >= timeoutAt;
    }

    long timeoutAt() {
        return timeoutAt;
    }

    /** Whether the one under way has been unanswered for unusually long. */
    boolean isUnanswered(long now, EngineSettings settings) {
        return underWay && now - sentAt >= settings.silenceNanos();
    }

    /** Whether a duplicate may run that no answer will tell of. */
    boolean mayBeDuplicated() {
        return mayBeDuplicated;
    }

    boolean mayStillRun() {
        return underWay || mayBeDuplicated;
    }

    Decision.ReleaseMode releaseMode() {
        if (!mayStillRun()) {
            return Decision.ReleaseMode.FULL;
        }
        return withTombstone();
    }

    /** A tombstone, whatever is known of the acquires. */
    Decision.ReleaseMode withTombstone() {
        return uncontended ? Decision.ReleaseMode.TOMBSTONE_AND_RETRIES : Decision.ReleaseMode.TOMBSTONE;
    }
}
