package io.distributionlock.redis;

import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import java.util.Objects;

/**
 * How one process uses the locks of a Redis. Processes that share locks must agree on everything but the instance.
 *
 * @param keyPrefix the prefix of every key and channel ({@code distribution-lock.redis.key-prefix}); see {@link #isKeyPrefix}
 * @param instance the name of this process, never used by another; no line breaks
 * @param grantLease how long a lock stays with a waiter that was granted it by hand-over and has not confirmed yet
 * @param liveWindow how long a waiting acquire proves that its process is alive; at most the grant lease
 * @param queueLife how long a queue outlives the last waiting acquire
 * @param tombstoneLife how long an abandoned claim is remembered; longer than any command can be in flight
 * @param fenceLife how long a fencing number is remembered after it was drawn or its lease renewed; at least half of this after the
 *     end of a lease
 * @hidden
 */
@Internal
public record RedisPortSettings(
        String keyPrefix,
        String instance,
        Duration grantLease,
        Duration liveWindow,
        Duration queueLife,
        Duration tombstoneLife,
        Duration fenceLife) {

    public static final String DEFAULT_KEY_PREFIX = "distribution-lock";

    /** Continues a sentence about a prefix that is refused. */
    public static final String KEY_PREFIX_RULE =
            "use only letters and digits of ASCII, '.', '_', '-', '/' and ':', at least one. Other characters have a meaning in the"
                    + " permissions of Redis and in a Cluster.";

    /** Whether every character stands for itself in keys, in patterns of channels and in rules of {@code ACL SETUSER}. */
    public static boolean isKeyPrefix(String text) {
        return !text.isEmpty()
                && text.chars().allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || "._-/:".indexOf(c) >= 0));
    }

    public RedisPortSettings {
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        Objects.requireNonNull(instance, "instance");
        if (!isKeyPrefix(keyPrefix)) {
            throw new IllegalArgumentException("The key prefix (distribution-lock.redis.key-prefix) is '"
                    + MessageText.of(keyPrefix) + "': " + KEY_PREFIX_RULE);
        }
        if (instance.isBlank() || hasAny("\r\n", instance)) {
            throw new IllegalArgumentException(
                    "The instance is '" + instance + "': it must not be blank and must contain no line breaks.");
        }
        requireMillis("grantLease", grantLease);
        requireMillis("liveWindow", liveWindow);
        requireMillis("queueLife", queueLife);
        requireMillis("tombstoneLife", tombstoneLife);
        requireMillis("fenceLife", fenceLife);
        if (liveWindow.compareTo(grantLease) > 0) {
            throw new IllegalArgumentException(
                    "The live window (" + liveWindow + ") must not be longer than the grant lease (" + grantLease
                            + "): a process would count as alive after the lock granted to it has expired.");
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

    /** The prefix of the channels of all processes. */
    String channelPrefix() {
        return keyPrefix + ":wake:";
    }

    private static boolean hasAny(String characters, String text) {
        for (int i = 0; i < characters.length(); i++) {
            if (text.indexOf(characters.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static void requireMillis(String component, Duration duration) {
        Objects.requireNonNull(duration, component);
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException("The " + component + " is " + duration + ": it must be at least 1 ms.");
        }
    }
}
