package io.distributionlock.interceptor;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.reflect.Placeholders;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the two forms of the times of an annotation, and shows them in messages as they were written. */
final class TimeReader {

    /** A time in a message of the request: by its name, perhaps with its value. */
    private static final Pattern TIME = Pattern.compile("(minHoldTime|holdLockTime)( is [^:]+| \\([^)]*\\))?");

    private final Placeholders placeholders;
    private final String place;
    private final AttributeNames wording;
    private final List<LockProblem> problems;
    private final int before;
    private final Map<String, Written> written = new HashMap<>();

    /** The form in which a time was written. */
    private record Written(String name, String shown) {}

    TimeReader(Placeholders placeholders, String place, AttributeNames wording, List<LockProblem> problems) {
        this.placeholders = placeholders;
        this.place = place;
        this.wording = wording;
        this.problems = problems;
        this.before = problems.size();
    }

    @Nullable
    Duration read(String attribute, long milliseconds, long unset, String text) {
        String asNumber = wording.nameOf(attribute);
        String asText = wording.nameOf(attribute + "String");
        if (text.isEmpty()) {
            // An annotation may have the time as text only.
            String shown = asNumber.equals(asText) ? shown(asText, text, text) : asNumber + " = " + milliseconds;
            written.put(attribute, new Written(asNumber, shown));
            return milliseconds == unset ? null : Duration.ofMillis(milliseconds);
        }
        if (milliseconds != unset) {
            problems.add(new LockProblem(
                    place + " has both " + asNumber + " = " + milliseconds + " and " + asText + " = \"" + text + "\".",
                    "Keep '" + asNumber + "' or '" + asText + "', not both."));
            return null;
        }
        try {
            String resolved = placeholders.resolve(text);
            written.put(attribute, new Written(asText, shown(asText, text, resolved)));
            Duration read = DurationParser.parse(resolved);
            return unset < 0 && read.equals(Duration.ofMillis(unset)) ? null : read;
        } catch (IllegalArgumentException e) {
            problems.add(new LockProblem(
                    place + " has " + asText + " = \"" + text + "\": " + MessageText.sentence(e),
                    "Set '" + asText
                            + "' to milliseconds, to a duration such as 5s, or to a placeholder that has such a"
                            + " value."));
            return null;
        }
    }

    /** An attribute that is written as text, with the value of its placeholders. */
    static String shown(String name, String text, String resolved) {
        return name + " = \"" + text + "\"" + (text.equals(resolved) ? "" : " (= " + MessageText.of(resolved) + ")");
    }

    void refuse(String attribute, String cure) {
        Written time = written(attribute);
        problems.add(new LockProblem(place + " has " + time.shown() + ".", "Set '" + time.name() + "' " + cure));
    }

    /** A message of the request in the words of the annotation. */
    String asWritten(String message) {
        return TIME.matcher(message).replaceAll(time -> {
            Written found = written(time.group(1));
            return Matcher.quoteReplacement(time.group(2) == null ? found.name() : found.shown());
        });
    }

    private Written written(String attribute) {
        String name = wording.nameOf(attribute);
        return written.getOrDefault(attribute, new Written(name, name));
    }

    boolean foundNothing() {
        return problems.size() == before;
    }
}
