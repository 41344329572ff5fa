package io.distributionlock.redis.message;

import java.time.Duration;
import java.util.Objects;

/**
 * How processes learn that they were granted a lock.
 *
 * @param mode how they are notified
 * @param pollInterval how long a process that waits and cannot be notified pauses before it asks again; from {@link #SHORTEST} to
 *     {@link #LONGEST}
 */
public record MessageSettings(MessageMode mode, Duration pollInterval) {

    /** The shortest pause. */
    public static final Duration SHORTEST = Duration.ofMillis(10);

    /** The longest pause: the heartbeat. */
    public static final Duration LONGEST = Duration.ofSeconds(1);

    /** Found out from the servers, with a pause of 100 ms. */
    public static final MessageSettings STANDARD = new MessageSettings(MessageMode.AUTO, Duration.ofMillis(100));

    /**
     * @throws IllegalArgumentException if the pause is out of range
     */
    public MessageSettings {
        Objects.requireNonNull(mode, "mode");
        if (pollInterval.compareTo(SHORTEST) < 0 || pollInterval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("pollInterval (distribution-lock.redis.poll-interval) is "
                    + pollInterval.toMillis() + "ms: set it from " + SHORTEST.toMillis() + "ms to "
                    + LONGEST.toMillis() + "ms.");
        }
    }
}
