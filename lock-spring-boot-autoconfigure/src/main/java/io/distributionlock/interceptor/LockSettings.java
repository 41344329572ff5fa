package io.distributionlock.interceptor;

import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.reflect.Placeholders;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kind and the times that an annotation asks for, as numbers or as text.
 *
 * @param permits how many there are if that is the kind; otherwise 0
 * @param tryLockTime {@code null} for the default
 * @param holdLockTime {@code null} for a renewed lease
 * @param minHoldTime {@code null} for none
 * @param refuseRepeats whether that time keeps out repeats
 */
record LockSettings(
        LockKind kind,
        int permits,
        @Nullable Duration tryLockTime,
        @Nullable Duration holdLockTime,
        @Nullable Duration minHoldTime,
        boolean refuseRepeats) {

    private static final long UNSET = -1;

    private static final String AT_LEAST_ONE = "Set it to how many calls may run at once, at least 1.";

    /** Longer times are shown as durations: their milliseconds may overflow. */
    private static final Duration LONGEST_IN_MILLIS = Duration.ofDays(365);

    /** Reads the attributes, and adds what is wrong with them to {@code problems}. */
    static LockSettings of(
            DistributionLock annotation,
            Placeholders placeholders,
            String place,
            AttributeNames wording,
            List<LockProblem> problems) {
        TimeReader reader = new TimeReader(placeholders, place, wording, problems);
        Duration tryLockTime =
                reader.read("tryLockTime", annotation.tryLockTime(), UNSET, annotation.tryLockTimeString());
        Duration holdLockTime =
                reader.read("holdLockTime", annotation.holdLockTime(), UNSET, annotation.holdLockTimeString());
        Duration minHoldTime = reader.read("minHoldTime", annotation.minHoldTime(), 0, annotation.minHoldTimeString());
        if (tryLockTime != null && tryLockTime.isNegative()) {
            reader.refuse(
                    "tryLockTime",
                    tryLockTime,
                    "to the milliseconds to wait, to 0 for a single attempt, or leave it out for the default.");
        }
        if (holdLockTime != null && holdLockTime.compareTo(Duration.ofMillis(1)) < 0) {
            reader.refuse(
                    "holdLockTime",
                    holdLockTime,
                    "to at least 1 millisecond, or leave it out to hold the lock until the method returns.");
        }
        if (minHoldTime != null && minHoldTime.isNegative()) {
            reader.refuse("minHoldTime", minHoldTime, "to 0 (none) or more milliseconds, or leave it out.");
        }
        int permits = permits(annotation, placeholders, place, problems);
        LockKind kind = permits == 0 ? annotation.kind() : LockKind.PERMIT;
        if (annotation.refuseRepeats() && reader.foundNothing() && (minHoldTime == null || minHoldTime.isZero())) {
            reader.refuse("minHoldTime", Duration.ZERO, "to the time for which repeats are refused, such as 5s.");
        }
        if (annotation.refuseRepeats() && !kind.isExclusive()) {
            problems.add(new LockProblem(
                    place + " has refuseRepeats = true and kind = " + kind + ", which many hold at once.",
                    "Set 'kind' to an exclusive one without 'permits', or leave 'refuseRepeats' out."));
        }
        LockSettings settings = new LockSettings(
                kind, permits, atMostForever(tryLockTime), holdLockTime, minHoldTime, annotation.refuseRepeats());
        if (reader.foundNothing()) {
            settings.checkTogether(place, wording, problems);
        }
        return settings;
    }

    private static int permits(
            DistributionLock annotation, Placeholders placeholders, String place, List<LockProblem> problems) {
        LockKind kind = annotation.kind();
        String text = annotation.permitsString();
        if (!text.isEmpty() && annotation.permits() != 0) {
            problems.add(new LockProblem(
                    place + " has both permits = " + annotation.permits() + " and permitsString = \"" + text + "\".",
                    "Keep 'permits' or 'permitsString', not both."));
            return 1;
        }
        if (text.isEmpty() && annotation.permits() == 0) {
            if (kind != LockKind.PERMIT) {
                return 0;
            }
            problems.add(new LockProblem(
                    place + " has kind = PERMIT without a number of permits.",
                    "Set 'permits' to how many calls may run at once."));
            return 1;
        }
        String written = text.isEmpty() ? "permits = " + annotation.permits() : "permitsString = \"" + text + "\"";
        if (kind != LockKind.REENTRANT && kind != LockKind.PERMIT) {
            problems.add(new LockProblem(
                    place + " has both " + written + " and kind = " + kind + ".",
                    "Remove one of them: a name is a lock or has permits, not both."));
            return 1;
        }
        try {
            int permits = text.isEmpty()
                    ? annotation.permits()
                    : Integer.parseInt(placeholders.resolve(text).trim());
            if (permits > 0) {
                return permits;
            }
            problems.add(new LockProblem(place + " has " + written + ".", AT_LEAST_ONE));
        } catch (IllegalArgumentException e) {
            problems.add(new LockProblem(place + " has " + written + ": " + MessageText.sentence(e), AT_LEAST_ONE));
        }
        return 1;
    }

    private static @Nullable Duration atMostForever(@Nullable Duration wait) {
        return wait != null && wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait;
    }

    /** The request knows the upper limits, and which times contradict each other. */
    private void checkTogether(String place, AttributeNames wording, List<LockProblem> problems) {
        try {
            applyTo(LockRequest.named("check")).build();
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage())
                    .replaceFirst("^Lock 'check': ", "")
                    .replace("minHoldTime", wording.nameOf("minHoldTime"))
                    .replace("holdLockTime", wording.nameOf("holdLockTime"));
            problems.add(new LockProblem(place + ": " + reason, "Correct the times of the annotation."));
        }
    }

    LockRequest.Builder applyTo(LockRequest.Builder request) {
        if (kind == LockKind.PERMIT) {
            request.permits(permits);
        } else {
            request.kind(kind);
        }
        if (refuseRepeats) {
            request.refuseRepeats(minHoldTime == null ? Duration.ZERO : minHoldTime);
        }
        if (tryLockTime != null) {
            request.tryLockTime(tryLockTime);
        }
        if (holdLockTime != null) {
            request.holdLockTime(holdLockTime);
        }
        if (minHoldTime != null) {
            request.minHoldTime(minHoldTime);
        }
        return request;
    }

    /** Reads the two forms of a time. */
    private static final class TimeReader {

        private final Placeholders placeholders;
        private final String place;
        private final AttributeNames wording;
        private final List<LockProblem> problems;
        private final int before;

        TimeReader(Placeholders placeholders, String place, AttributeNames wording, List<LockProblem> problems) {
            this.placeholders = placeholders;
            this.place = place;
            this.wording = wording;
            this.problems = problems;
            this.before = problems.size();
        }

        @Nullable
        Duration read(String attribute, long milliseconds, long unset, String text) {
            if (text.isEmpty()) {
                return milliseconds == unset ? null : Duration.ofMillis(milliseconds);
            }
            String asNumber = wording.nameOf(attribute);
            String asText = wording.nameOf(attribute + "String");
            if (milliseconds != unset) {
                problems.add(new LockProblem(
                        place + " has both " + asNumber + " = " + milliseconds + " and " + asText + " = \"" + text
                                + "\".",
                        "Keep '" + asNumber + "' or '" + asText + "', not both."));
                return null;
            }
            try {
                Duration read = DurationParser.parse(placeholders.resolve(text));
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

        void refuse(String attribute, Duration value, String cure) {
            String written = wording.nameOf(attribute);
            boolean inMillis = Math.abs(value.toDays()) <= LONGEST_IN_MILLIS.toDays();
            problems.add(new LockProblem(
                    place + " has " + written + " = " + (inMillis ? value.toMillis() : value) + ".",
                    "Set '" + written + "' " + cure));
        }

        boolean foundNothing() {
            return problems.size() == before;
        }
    }
}
