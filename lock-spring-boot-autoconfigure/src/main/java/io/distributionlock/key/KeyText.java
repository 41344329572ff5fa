package io.distributionlock.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a value in a lock name. Equal values have equal texts in every process; a value without such a text is refused.
 */
final class KeyText {

    /** With a larger scale, the plain form of a {@link BigDecimal} would be mostly zeros. */
    private static final int PLAIN_DIGITS = 100;

    /** A thousand digits and some: to write more digits takes longer than in proportion. */
    private static final int LONGEST_NUMBER_IN_BITS = 3_400;

    private KeyText() {}

    /**
     * @throws IllegalArgumentException if the value has no text of its own; the message goes on with a sentence about its place
     */
    static String of(Object value) {
        if (value instanceof CharSequence || value instanceof Boolean || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Number number) {
            return ofNumber(number);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Class<?> type) {
            return type.getName();
        }
        Instant instant = instantOf(value);
        if (instant != null) {
            return instant.toString();
        }
        return ofObject(value);
    }

    private static String ofNumber(Number number) {
        if (number instanceof BigInteger integer) {
            return ofFewDigits(integer).toString();
        }
        if (number instanceof BigDecimal decimal) {
            ofFewDigits(decimal.unscaledValue());
            BigDecimal canonical = decimal.stripTrailingZeros();
            boolean plain = Math.abs((long) canonical.scale()) <= PLAIN_DIGITS;
            return plain ? canonical.toPlainString() : canonical.toString();
        }
        if (number instanceof Double value) {
            // Adding zero turns -0.0 into 0.0.
            return Double.toString(value + 0.0d);
        }
        if (number instanceof Float value) {
            return Float.toString(value + 0.0f);
        }
        return number instanceof Integer || number instanceof Long ? number.toString() : ofObject(number);
    }

    private static BigInteger ofFewDigits(BigInteger number) {
        if (number.bitLength() > LONGEST_NUMBER_IN_BITS) {
            throw new IllegalArgumentException(
                    "is a number of more than 1,000 digits. Validate it before, or mark another value.");
        }
        return number;
    }

    /**
     * The instant of a date type with a zone, so that its text does not depend on the zone. The old date classes print the zone of
     * their process, and omit the milliseconds.
     */
    private static @Nullable Instant instantOf(Object value) {
        if (value instanceof ZonedDateTime moment) {
            return moment.toInstant();
        }
        if (value instanceof OffsetDateTime moment) {
            return moment.toInstant();
        }
        if (value instanceof Date date && !isDateOrTimeOfSql(date)) {
            return date.toInstant();
        }
        return value instanceof Calendar calendar ? calendar.toInstant() : null;
    }

    /** These two are no instants, and their own text is right. Compared by name: the module may be missing. */
    private static boolean isDateOrTimeOfSql(Date date) {
        String type = date.getClass().getName();
        return type.equals("java.sql.Date") || type.equals("java.sql.Time");
    }

    private static String ofObject(Object value) {
        Class<?> type = value.getClass();
        if (type.isArray() || value instanceof Collection || value instanceof Map) {
            throw new IllegalArgumentException("is a " + type.getSimpleName()
                    + ", which is not one value. Mark a single value, or something that stands for the whole.");
        }
        String text = value.toString();
        if (text == null) {
            throw new IllegalArgumentException(
                    "is a " + type.getName() + " whose toString() returns null. Mark one of its values instead.");
        }
        if (text.equals(ofIdentity(value)) || IdentityText.isIn(text)) {
            throw new IllegalArgumentException("is a " + type.getName()
                    + ", whose toString() is or contains a text that differs for equal values. Mark one of its values"
                    + " instead (such as its id), or give the class a toString() without arrays and objects that have"
                    + " none of their own.");
        }
        return text;
    }

    /** As {@link Object#toString()} says it. */
    private static String ofIdentity(Object value) {
        return value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
    }
}
