package io.distributionlock.interceptor;

import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.LockTimes;
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

    private static final String AT_LEAST_ONE =
            "Set it to how many calls may run at once: a whole number of at least 1, as text also a placeholder (${…}).";

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
                    "to the milliseconds to wait, to 0 for a single attempt, or leave it out for the default.");
        }
        if (holdLockTime != null && holdLockTime.compareTo(Duration.ofMillis(1)) < 0) {
            reader.refuse(
                    "holdLockTime",
                    "to at least 1 millisecond, or leave it out to hold the lock until the method returns.");
        }
        int permits = permits(annotation, placeholders, place, problems);
        LockKind kind = permits == 0 ? annotation.kind() : LockKind.PERMIT;
        if (annotation.refuseRepeats() && !kind.isExclusive()) {
            problems.add(notExclusive(annotation, place));
        } else if (annotation.refuseRepeats()) {
            boolean missing = minHoldTime == null && reader.foundNothing();
            if (missing || (minHoldTime != null && !LockTimes.keepsOutRepeats(minHoldTime))) {
                reader.refuse(
                        "minHoldTime",
                        "to the time for which repeats are refused: more than 0 and at most 365 days, such as 5s.");
            }
        } else if (minHoldTime != null && minHoldTime.isNegative()) {
            reader.refuse("minHoldTime", "to 0 (none) or more milliseconds, or leave it out.");
        }
        LockSettings settings = new LockSettings(
                kind, permits, atMostForever(tryLockTime), holdLockTime, minHoldTime, annotation.refuseRepeats());
        if (reader.foundNothing()) {
            settings.checkTogether(place, reader, problems);
        }
        return settings;
    }

    private static LockProblem notExclusive(DistributionLock annotation, String place) {
        boolean byKind = annotation.permits() == 0 && annotation.permitsString().isEmpty();
        return byKind
                ? new LockProblem(
                        place + " has refuseRepeats = true and kind = " + annotation.kind()
                                + ", which many hold at once.",
                        "Set 'kind' to an exclusive one, or leave 'refuseRepeats' out.")
                : new LockProblem(
                        place + " has refuseRepeats = true and "
                                + (annotation.permits() == 0 ? "permitsString" : "permits")
                                + ", but permits let calls run beside each other.",
                        "The two exclude each other: leave one of them out.");
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
        if (text.isEmpty()) {
            if (annotation.permits() > 0) {
                return annotation.permits();
            }
            problems.add(new LockProblem(place + " has " + written + ".", AT_LEAST_ONE));
            return 1;
        }
        try {
            String resolved = placeholders.resolve(text).trim();
            int permits = wholeNumber(resolved);
            if (permits > 0) {
                return permits;
            }
            String shown = TimeReader.shown("permitsString", text, resolved);
            problems.add(new LockProblem(place + " has " + shown + ".", AT_LEAST_ONE));
        } catch (IllegalArgumentException e) {
            problems.add(new LockProblem(place + " has " + written + ": " + MessageText.sentence(e), AT_LEAST_ONE));
        }
        return 1;
    }

    private static int wholeNumber(String text) {
        if (!text.matches("[+-]?\\d+")) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number");
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not between 1 and " + Integer.MAX_VALUE, e);
        }
    }

    private static @Nullable Duration atMostForever(@Nullable Duration wait) {
        return wait != null && wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait;
    }

    /** The request knows the upper limits, and which times contradict each other. */
    private void checkTogether(String place, TimeReader reader, List<LockProblem> problems) {
        try {
            applyTo(LockRequest.named("check")).build();
        } catch (IllegalArgumentException e) {
            String reason = reader.asWritten(String.valueOf(e.getMessage()).replaceFirst("^Lock 'check': ", ""));
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
}
