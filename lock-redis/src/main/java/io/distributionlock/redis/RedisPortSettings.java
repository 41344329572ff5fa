package io.distributionlock.redis;

import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.time.Duration;

/**
 * How one process uses the locks of a Redis. Processes that share locks must agree on everything but the instance.
 *
 * @param keyPrefix the prefix of every key and channel ({@code distribution-lock.redis.key-prefix}); see {@link #isKeyPrefix}
 * @param instance the name of this process, never used by another; no line breaks
 * @param grantLease how long a lock stays with a waiter that was granted it by hand-over and has not confirmed yet; the liveness timeout is
 *     as long, since a process must not count as alive after its grant has ended
 * @hidden
 */
@Internal
public record RedisPortSettings(String keyPrefix, String instance, Duration grantLease) {

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
        if (!isKeyPrefix(keyPrefix)) {
            throw new IllegalArgumentException("The key prefix (distribution-lock.redis.key-prefix) is '"
                    + MessageText.of(keyPrefix) + "': " + KEY_PREFIX_RULE);
        }
        if (instance.isBlank() || instance.indexOf('\n') >= 0 || instance.indexOf('\r') >= 0) {
            throw new IllegalArgumentException(
                    "The instance is '" + instance + "': it must not be blank and must contain no line breaks.");
        }
    }

    /** The settings that the protocol recommends, for one process. */
    public static RedisPortSettings of(String keyPrefix, String instance) {
        return new RedisPortSettings(keyPrefix, instance, Duration.ofSeconds(3));
    }

    /** The prefix of the channels of all processes. */
    String channelPrefix() {
        return keyPrefix + ":wake:";
    }
}
