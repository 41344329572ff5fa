package io.distributionlock.interceptor;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.Reentry;
import io.distributionlock.internal.LockTimes;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.Placeholders;
import io.distributionlock.internal.UnfitValueException;
import io.distributionlock.key.AttributeNames;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * What an annotation asks for, read once: its attributes are slow to read. As in Spring's {@code @Retryable}, the text form of an
 * attribute wins over its number, unless it is empty.
 *
 * @param key as written
 * @param permits how many there are if that is the kind; otherwise 0
 * @param tryLockTime {@code null} for the default
 * @param holdLockTime {@code null} for a renewed lease
 * @param minHoldTime zero for none
 * @param refuseRepeats whether that time keeps out repeats
 * @param executor empty for the default, as if its placeholder has no value
 */
record LockSettings(
        String key,
        LockKind kind,
        int permits,
        @Nullable Duration tryLockTime,
        @Nullable Duration holdLockTime,
        Duration minHoldTime,
        boolean refuseRepeats,
        boolean refuseReentry,
        OnLost onLost,
        CommitGuard commitGuard,
        String executor) {

    private static final Duration UNSET = Duration.ofMillis(-1);

    /** Reads the attributes, and adds what is wrong with them to {@code problems}. */
    static LockSettings of(
            DistributionLock annotation,
            Placeholders placeholders,
            String place,
            AttributeNames names,
            List<LockProblem> problems) {
        String executor = executor(annotation.executor(), placeholders, place, problems);
        try {
            LockSettings settings = read(annotation, placeholders, executor);
            if (settings.refuseRepeats()) {
                LockTimes.requireWithin("minHoldTime", settings.minHoldTime());
            }
            // The request knows the other ranges, and what excludes each other.
            settings.applyTo(LockRequest.named("check")).build();
            requireLongEnough(settings.holdLockTime());
            return settings;
        } catch (UnfitValueException e) {
            problems.add(new LockProblem(place + ": " + e.problem(names::nameOf), e.action(names::nameOf)));
            return new LockSettings(
                    annotation.key(),
                    annotation.kind(),
                    0,
                    null,
                    null,
                    Duration.ZERO,
                    false,
                    false,
                    annotation.onLost(),
                    annotation.commitGuard(),
                    executor);
        }
    }

    private static String executor(
            String written, Placeholders placeholders, String place, List<LockProblem> problems) {
        try {
            return placeholders.resolve(written);
        } catch (IllegalArgumentException e) {
            problems.add(new LockProblem(
                    place + ": executor = \"" + written + "\": " + MessageText.sentence(e),
                    "Set the property, or give the placeholder a default: ${property:default}."));
            return "";
        }
    }

    private static LockSettings read(DistributionLock annotation, Placeholders placeholders, String executor) {
        int permits = permits(annotation.permits(), annotation.permitsString(), placeholders);
        LockKind kind = annotation.kind();
        Duration wait =
                time("tryLockTimeString", annotation.tryLockTimeString(), annotation.tryLockTime(), placeholders);
        Duration hold =
                time("holdLockTimeString", annotation.holdLockTimeString(), annotation.holdLockTime(), placeholders);
        Duration minimum =
                time("minHoldTimeString", annotation.minHoldTimeString(), annotation.minHoldTime(), placeholders);
        return new LockSettings(
                annotation.key(),
                permits != 0 && kind == LockKind.REENTRANT ? LockKind.PERMIT : kind,
                permits,
                wait.equals(UNSET) ? null : atMostForever(wait),
                hold.equals(UNSET) ? null : hold,
                minimum,
                annotation.refuseRepeats(),
                annotation.reentry() == Reentry.REFUSE,
                annotation.onLost(),
                annotation.commitGuard(),
                executor);
    }

    private static void requireLongEnough(@Nullable Duration hold) {
        if (hold != null && hold.compareTo(LockTimes.MIN_CONFIGURED_HOLD) < 0) {
            throw new UnfitValueException(
                    "%s is " + LockTimes.shown(hold) + ": the lock of a method is held for at least "
                            + LockTimes.shown(LockTimes.MIN_CONFIGURED_HOLD) + ".",
                    "Set %2$s to a time with its unit, such as " + hold.toMillis()
                            + "s, or leave it out to hold the lock until the work ends.",
                    "holdLockTime",
                    "holdLockTimeString");
        }
    }

    private static Duration atMostForever(Duration wait) {
        return wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait;
    }

    private static Duration time(String attribute, String text, long milliseconds, Placeholders placeholders) {
        try {
            String resolved = placeholders.resolve(text);
            return StringUtils.hasText(resolved)
                    ? DurationFormatterUtils.detectAndParse(resolved)
                    : Duration.ofMillis(milliseconds);
        } catch (IllegalArgumentException e) {
            throw unreadable(attribute, text, "milliseconds, a duration such as 5s", e);
        }
    }

    private static int permits(int number, String text, Placeholders placeholders) {
        try {
            String resolved = placeholders.resolve(text);
            return StringUtils.hasText(resolved) ? Integer.parseInt(resolved) : number;
        } catch (IllegalArgumentException e) {
            throw unreadable("permitsString", text, "a whole number (0 for a lock)", e);
        }
    }

    private static UnfitValueException unreadable(
            String attribute, String text, String wanted, IllegalArgumentException cause) {
        String problem = " = \"" + MessageText.of(text) + "\": " + MessageText.sentence(cause);
        return new UnfitValueException(
                "%s" + problem.replace("%", "%%"),
                "Write " + wanted + ", or a placeholder that has such a value.",
                attribute);
    }

    LockSettings withCommitGuard(CommitGuard other) {
        return new LockSettings(
                key,
                kind,
                permits,
                tryLockTime,
                holdLockTime,
                minHoldTime,
                refuseRepeats,
                refuseReentry,
                onLost,
                other,
                executor);
    }

    LockRequest.Builder applyTo(LockRequest.Builder request) {
        request.kind(kind).permits(permits).label(key).onLost(onLost).commitGuard(commitGuard);
        if (refuseReentry) {
            request.refuseReentry();
        }
        if (refuseRepeats) {
            request.refuseRepeats(minHoldTime);
        }
        if (tryLockTime != null) {
            request.tryLockTime(tryLockTime);
        }
        if (holdLockTime != null) {
            request.holdLockTime(holdLockTime);
        }
        return request.minHoldTime(minHoldTime);
    }
}
