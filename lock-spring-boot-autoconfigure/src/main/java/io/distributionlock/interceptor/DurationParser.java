package io.distributionlock.interceptor;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a time of an annotation: milliseconds, a number with a unit such as {@code 5s}, or ISO-8601. */
final class DurationParser {

    private static final Pattern SIMPLE = Pattern.compile("([+-]?\\d{1,18})\\s*([a-z]{0,2})");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "", ChronoUnit.MILLIS,
            "ns", ChronoUnit.NANOS,
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private DurationParser() {}

    /**
     * @throws IllegalArgumentException if the text is not a duration
     */
    static Duration parse(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        Matcher simple = SIMPLE.matcher(trimmed);
        try {
            if (simple.matches() && UNITS.containsKey(simple.group(2))) {
                ChronoUnit unit = UNITS.getOrDefault(simple.group(2), ChronoUnit.MILLIS);
                return Duration.of(Long.parseLong(simple.group(1)), unit);
            }
            return Duration.parse(trimmed);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration: write milliseconds, or a number with a unit (ms, s, m, h, d)",
                    e);
        }
    }
}
