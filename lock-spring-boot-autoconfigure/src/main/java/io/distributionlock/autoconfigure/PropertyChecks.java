package io.distributionlock.autoconfigure;

import io.distributionlock.internal.LockTimes;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.TableName;
import io.distributionlock.redis.RedisPortSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the ranges of the properties. Constraint annotations would be silently ignored without a validator on the class path.
 */
final class PropertyChecks {

    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX = Duration.ofDays(365);

    private PropertyChecks() {}

    static void zeroOrMore(String property, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(
                    property + " is " + shown(value) + ": set it to 0 or more, such as 5s, or remove it.");
        }
        notTooLong(property, value);
    }

    static void atLeastOneMillisecond(String property, Duration value) {
        notTooLong(property, value);
        atLeast(MIN, "", property, value);
    }

    static void longEnoughToHold(String property, Duration value) {
        notTooLong(property, value);
        String withUnit = value.compareTo(MIN) < 0 ? "60s" : value.toMillis() + "s";
        atLeast(LockTimes.MIN_CONFIGURED_HOLD, ", with its unit, such as " + withUnit, property, value);
    }

    private static void atLeast(Duration shortest, String form, String property, Duration value) {
        if (value.compareTo(shortest) < 0) {
            throw new IllegalArgumentException(property + " is " + shown(value) + ": set it to at least "
                    + shown(shortest) + form + ", or remove it.");
        }
    }

    static void between(String property, Duration value, Duration shortest, Duration longest) {
        if (value.compareTo(shortest) < 0 || value.compareTo(longest) > 0) {
            throw new IllegalArgumentException(property + " is " + shown(value) + ": set it from " + shown(shortest)
                    + " to " + shown(longest) + ", or remove it.");
        }
    }

    static void fraction(String property, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(property + " is " + value + ": set it from 0 to 1, such as 0.01.");
        }
    }

    static void names(String property, List<String> values) {
        Set<String> known = new HashSet<>();
        for (int i = 0; i < values.size(); i++) {
            String name = values.get(i);
            if (name.isBlank()) {
                throw new IllegalArgumentException(property + "[" + i + "] is blank: set it to a name, or remove it.");
            }
            if (!known.add(name)) {
                throw new IllegalArgumentException(
                        property + " has '" + MessageText.of(name) + "' twice: remove one of them.");
            }
        }
    }

    /** It stands in statements as it is. */
    static void tableName(String property, String value) {
        if (!TableName.is(value)) {
            throw new IllegalArgumentException(property + " is '" + MessageText.of(value)
                    + "': set it to the name of a table, of letters, digits and '_', with its schema and a '.' before it if that is not the"
                    + " default one.");
        }
    }

    static void keyPrefix(String property, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(
                    property + " is blank: set it to a text that distinguishes the keys of the locks from others.");
        }
        if (!RedisPortSettings.isKeyPrefix(value)) {
            throw new IllegalArgumentException(
                    property + " is '" + MessageText.of(value) + "': " + RedisPortSettings.KEY_PREFIX_RULE);
        }
    }

    /** A command may wait for the WAIT in flight and for up to two more. */
    static void replicaAcks(
            String countProperty,
            int count,
            String timeoutProperty,
            Duration timeout,
            String commandTimeoutProperty,
            Duration commandTimeout) {
        if (count < 0) {
            throw new IllegalArgumentException(
                    countProperty + " is " + count + ": set it to the number of replicas, or to 0 for none.");
        }
        atLeastOneMillisecond(timeoutProperty, timeout);
        if (count > 0 && timeout.multipliedBy(3).compareTo(commandTimeout) > 0) {
            throw new IllegalArgumentException(timeoutProperty + " is " + shown(timeout) + " and "
                    + commandTimeoutProperty + " " + shown(commandTimeout)
                    + ": set the first to at most a third of the second, so that waiting for replicas does not look"
                    + " like a Redis that does not answer.");
        }
    }

    private static void notTooLong(String property, Duration value) {
        if (value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(property + " is " + shown(value) + ": set it to at most 365d.");
        }
    }

    /** In milliseconds if that is exact and fits. */
    private static String shown(Duration value) {
        boolean inMillis = Math.abs(value.toDays()) <= MAX.toDays() && value.getNano() % 1_000_000 == 0;
        return inMillis ? value.toMillis() + "ms" : value.toString();
    }
}
