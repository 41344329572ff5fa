package io.distributionlock.redis.message;

import java.time.Duration;
import java.util.Objects;

/**
 * How processes learn that they were granted a lock.
 *
 * @param mode how they are notified
 * @param pollInterval how long a process that waits and cannot be notified pauses before it asks again; from {@link #MIN_INTERVAL} to
 *     {@link #MAX_INTERVAL}
 */
public record MessageSettings(MessageMode mode, Duration pollInterval) {

    /** The shortest pause. */
    public static final Duration MIN_INTERVAL = Duration.ofMillis(10);

    /** The longest pause: the heartbeat. */
    public static final Duration MAX_INTERVAL = Duration.ofSeconds(1);

    /** Found out from the servers, with a pause of 100 ms. */
    public static final MessageSettings STANDARD = new MessageSettings(MessageMode.AUTO, Duration.ofMillis(100));

    /**
     * @throws IllegalArgumentException if the pause is out of range
     */
    public MessageSettings {
        Objects.requireNonNull(mode, "mode");
        if (pollInterval.compareTo(MIN_INTERVAL) < 0 || pollInterval.compareTo(MAX_INTERVAL) > 0) {
            throw new IllegalArgumentException("pollInterval (distribution-lock.redis.poll-interval) is "
                    + pollInterval.toMillis() + "ms: set it from " + MIN_INTERVAL.toMillis() + "ms to "
                    + MAX_INTERVAL.toMillis() + "ms.");
        }
    }
}
