package io.distributionlock.redis;

import java.time.Duration;
import java.util.Objects;

/**
 * How one process takes part in the locks of a Redis.
 *
 * <p>Processes that share locks must agree on everything but the instance.
 *
 * @param keyPrefix what every key and channel begins with ({@code distribution-lock.redis.key-prefix}); no braces, no line breaks
 * @param instance the name of this process, used by no other process at any time; no line breaks
 * @param grantLease how long a lock stays with a waiter that it was handed to and that has not confirmed yet
 * @param liveWindow how long a waiting acquire shows that its process lives; at most the grant lease
 * @param queueLife how long a queue outlives the last waiting acquire
 * @param tombstoneLife how long it is remembered that a claim was given up; longer than any command can be under way
 * @param fenceLife how long a fencing number is remembered from when it was drawn, or its lease renewed; for half of this at least
 *     after the end of any lease
 */
public record RedisPortSettings(
        String keyPrefix,
        String instance,
        Duration grantLease,
        Duration liveWindow,
        Duration queueLife,
        Duration tombstoneLife,
        Duration fenceLife) {

    public static final String DEFAULT_KEY_PREFIX = "distribution-lock";

    public RedisPortSettings {
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        Objects.requireNonNull(instance, "instance");
        if (keyPrefix.isBlank() || keyPrefix.chars().anyMatch(character -> "{}\n".indexOf(character) >= 0)) {
            throw new IllegalArgumentException("The key prefix (distribution-lock.redis.key-prefix) is '" + keyPrefix
                    + "': it must not be blank, and must hold no line breaks and no braces, "
                    + "which Redis Cluster reads as a hash tag.");
        }
        if (instance.isBlank() || instance.chars().anyMatch(character -> "\r\n".indexOf(character) >= 0)) {
            throw new IllegalArgumentException(
                    "The instance is '" + instance + "': it must not be blank and must hold no line breaks.");
        }
        requireMillis("grantLease", grantLease);
        requireMillis("liveWindow", liveWindow);
        requireMillis("queueLife", queueLife);
        requireMillis("tombstoneLife", tombstoneLife);
        requireMillis("fenceLife", fenceLife);
        if (liveWindow.compareTo(grantLease) > 0) {
            throw new IllegalArgumentException(
                    "The live window (" + liveWindow + ") must not be longer than the grant lease (" + grantLease
                            + "): a process would be taken for alive after the lock granted to it has ended.");
        }
    }

    /** The settings that the protocol recommends, for one process. */
    public static RedisPortSettings of(String keyPrefix, String instance) {
        return new RedisPortSettings(
                keyPrefix,
                instance,
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10));
    }

    /** The channel on which this process is told of its locks. */
    String channel() {
        return channelPrefix() + instance;
    }

    /** What the channels of all processes begin with. */
    String channelPrefix() {
        return keyPrefix + ":wake:";
    }

    private static void requireMillis(String component, Duration duration) {
        Objects.requireNonNull(duration, component);
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException("The " + component + " is " + duration + ": it must be at least 1 ms.");
        }
    }
}
