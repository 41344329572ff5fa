package io.distributionlock.redis.message;

import java.time.Duration;
import java.util.Objects;

/**
 * How processes learn that they were granted a lock.
 *
 * @param mode how they are notified
 * @param maxPollInterval how long a process that waits and cannot be notified pauses at most before it asks again; from
 *     {@link #SHORTEST} to {@link #LONGEST}
 */
public record MessageSettings(MessageMode mode, Duration maxPollInterval) {

    /** The shortest bound for the pause. */
    public static final Duration SHORTEST = Duration.ofMillis(10);

    /** The longest bound for the pause: the heartbeat. */
    public static final Duration LONGEST = Duration.ofSeconds(1);

    /** Found out from the servers, with the longest pause. */
    public static final MessageSettings STANDARD = new MessageSettings(MessageMode.AUTO, LONGEST);

    /**
     * @throws IllegalArgumentException if the pause is out of range
     */
    public MessageSettings {
        Objects.requireNonNull(mode, "mode");
        if (maxPollInterval.compareTo(SHORTEST) < 0 || maxPollInterval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("maxPollInterval (distribution-lock.redis.max-poll-interval) is "
                    + maxPollInterval.toMillis() + "ms: set it from " + SHORTEST.toMillis() + "ms to "
                    + LONGEST.toMillis() + "ms.");
        }
    }
}
