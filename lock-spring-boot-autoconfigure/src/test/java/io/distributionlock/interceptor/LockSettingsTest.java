package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What numbers, texts and placeholders in annotations make of a request, and which of them stop the start. */
@Tag("boot4")
class LockSettingsTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor() {
        @Override
        public Set<LockKind> kinds() {
            return EnumSet.allOf(LockKind.class);
        }
    };

    private LockRequest requestOf(Consumer<Settings> call, String... properties) {
        LockContextRunner.with(executor, Settings.class)
                .withPropertyValues("hold=", "at.once=")
                .withPropertyValues(properties)
                .run(context -> call.accept(context.getBean(Settings.class)));
        return executor.requests().get(executor.requests().size() - 1);
    }

    @Test
    void timesAreMillisecondsTextsOrPlaceholders() {
        LockRequest request = requestOf(Settings::written, "hold=1m");
        assertThat(request.kind()).isEqualTo(LockKind.FAIR);
        assertThat(request.tryLockTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(request.leaseTime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(request.renewed()).isFalse();
        assertThat(request.minHoldTime()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void theTextWinsUnlessItIsEmpty() {
        assertThat(requestOf(Settings::twice).leaseTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(requestOf(Settings::emptyText).leaseTime()).isEqualTo(Duration.ofMillis(100));
        assertThat(requestOf(Settings::unsetByText).renewed()).isTrue();
        assertThat(requestOf(Settings::permitsTwice).permits()).isEqualTo(4);
        assertThat(requestOf(Settings::permitsOfEmptyText).permits()).isEqualTo(3);
    }

    @Test
    void permitsAreANumberOrAPlaceholder() {
        assertThat(requestOf(Settings::permits).permits()).isEqualTo(3);
        LockRequest request = requestOf(Settings::permitsOfEmptyText, "at.once=7");
        assertThat(request.kind()).isEqualTo(LockKind.PERMIT);
        assertThat(request.permits()).isEqualTo(7);
    }

    @Test
    void aWaitLongerThanForeverIsForever() {
        assertThat(requestOf(Settings::waitingLongest).tryLockTime()).isEqualTo(LockRequest.FOREVER);
    }

    @Test
    void whatIsImpossibleStopsTheStart() {
        Map<String, String> problems = problems();
        assertThat(problems)
                .hasSize(Impossible.class.getDeclaredMethods().length)
                .hasEntrySatisfying("noPermits", startsWith("permits is -1: there is at least one."))
                .hasEntrySatisfying("permitsOfReaders", startsWith("permits is 3, but kind is READ: a name is a lock"))
                .hasEntrySatisfying("withoutNumber", startsWith("permits is 0: there is at least one."))
                .hasEntrySatisfying(
                        "configured", startsWith("permitsString = \"${at.once}\": For input string: \"0.5\""))
                .hasEntrySatisfying("manyPermits", startsWith("permitsString = \"many\": For input string: \"many\"."))
                .hasEntrySatisfying("tooManyPermits", startsWith("permitsString = \"99999999999\": For input string"))
                .hasEntrySatisfying("permitsAndRepeats", startsWith("it refuses repeats (refuseRepeats), but its kind"))
                .hasEntrySatisfying(
                        "repeatsBefore", startsWith("within is -5000 ms: repeats are refused for more than 0"))
                .hasEntrySatisfying("repeatsBeforeByPlaceholder", startsWith("within is -5000 ms: "))
                .hasEntrySatisfying("repeatsForNothing", startsWith("within is 0 ms: "))
                .hasEntrySatisfying("repeatsForLong", startsWith("within is PT9600H: "))
                .hasEntrySatisfying("repeatsWithoutTime", startsWith("minHoldTime is 0 ms: "))
                .hasEntrySatisfying("negative", startsWith("tryLockTime is -5 ms: a waiting time is zero"))
                .hasEntrySatisfying("negativeText", startsWith("tryLockTime is -5000 ms: a waiting time is zero"))
                .hasEntrySatisfying("noLease", startsWith("holdLockTime is 0 ms: a lock is held for at least 1 ms."))
                .hasEntrySatisfying(
                        "withoutUnit", startsWith("holdLockTime is 15 ms: the lock of a method is held for"))
                .hasEntrySatisfying("longText", startsWith("holdLockTime is PT9600H: a lock is held for at most 365"))
                .hasEntrySatisfying(
                        "noTime", startsWith("holdLockTimeString = \"soon\": 'soon' is not a valid duration"))
                .hasEntrySatisfying("unknownTime", startsWith("holdLockTimeString = \"${no.such.time}\""))
                .hasEntrySatisfying(
                        "longerThanTheLease", startsWith("minHoldTime (200 ms) is longer than holdLockTime"))
                .hasEntrySatisfying("longJob", startsWith("lockAtLeastFor (120000 ms) is longer than lockAtMostFor"))
                .hasEntrySatisfying(
                        "jobWithoutUnit", startsWith("lockAtMostFor is 15 ms: the lock of a method is held"))
                .hasEntrySatisfying(
                        "unknownJob", startsWith("lockAtMostFor = \"soon\": 'soon' is not a valid duration"));
        assertThat(problems.get("manyPermits")).contains("Write a whole number of at least 1, or a placeholder");
        assertThat(problems.get("withoutUnit"))
                .contains("Set holdLockTimeString to a time with its unit, such as 15s,");
        assertThat(problems.get("noTime")).contains("Write milliseconds, a duration such as 5s, or a placeholder");
        assertThat(problems.get("longJob")).endsWith("Shorten lockAtLeastFor or lengthen lockAtMostFor.");
        assertThat(problems.get("jobWithoutUnit")).contains("Set lockAtMostFor to a time with its unit, such as 15s,");
    }

    private static Consumer<String> startsWith(String description) {
        return problem -> assertThat(problem).startsWith(description);
    }

    /** The problems and their cures, by the methods that have them. */
    private Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>();
        LockContextRunner.with(executor, Impossible.class)
                .withPropertyValues("at.once=0.5", "within=-5s")
                .run(context -> ((InvalidLockDefinitionException) context.getStartupFailure())
                        .problems()
                        .forEach(problem -> {
                            String[] words = problem.description()
                                    .replaceFirst(".*Impossible\\.", "")
                                    .split("\\(\\):? ", 2);
                            assertThat(problems.put(words[0], words[1] + " " + problem.cure()))
                                    .as(words[0])
                                    .isNull();
                        }));
        return problems;
    }

    static class Settings {

        @DistributionLock(
                key = "order",
                kind = LockKind.FAIR,
                tryLockTimeString = "5s",
                holdLockTimeString = "${hold}",
                minHoldTime = 200)
        public void written() {}

        @DistributionLock(key = "order", tryLockTime = Long.MAX_VALUE)
        public void waitingLongest() {}

        @DistributionLock(key = "order", holdLockTime = 5, holdLockTimeString = "5s")
        public void twice() {}

        @DistributionLock(key = "order", holdLockTime = 100, holdLockTimeString = "${hold}")
        public void emptyText() {}

        @DistributionLock(key = "order", holdLockTimeString = "-1")
        public void unsetByText() {}

        @DistributionLock(key = "report", permits = 3, delimiter = ".")
        public void permits() {}

        @DistributionLock(key = "visit", permits = 3, permitsString = "4")
        public void permitsTwice() {}

        @DistributionLock(key = "upload", permits = 3, permitsString = "${at.once}")
        public void permitsOfEmptyText() {}
    }

    static class Impossible {

        @DistributionLock(key = "order", tryLockTime = -5)
        public void negative() {}

        @DistributionLock(key = "order", tryLockTimeString = "-5s")
        public void negativeText() {}

        @DistributionLock(key = "order", holdLockTime = 0)
        public void noLease() {}

        @DistributionLock(key = "order", holdLockTime = 15)
        public void withoutUnit() {}

        @DistributionLock(key = "order", holdLockTimeString = "400d")
        public void longText() {}

        @DistributionLock(key = "order", holdLockTimeString = "soon")
        public void noTime() {}

        @DistributionLock(key = "order", holdLockTimeString = "${no.such.time}")
        public void unknownTime() {}

        @DistributionLock(key = "order", holdLockTime = 100, minHoldTime = 200)
        public void longerThanTheLease() {}

        @DistributionLock(key = "report", permitsString = "${at.once}")
        public void configured() {}

        @DistributionLock(key = "report", permits = -1)
        public void noPermits() {}

        @DistributionLock(key = "report", permitsString = "many")
        public void manyPermits() {}

        @DistributionLock(key = "report", permits = 3, kind = LockKind.READ)
        public void permitsOfReaders() {}

        @DistributionLock(key = "report", kind = LockKind.PERMIT)
        public void withoutNumber() {}

        @DistributionLock(key = "report", permitsString = "99999999999")
        public void tooManyPermits() {}

        @DistributionLock(key = "report", permits = 3, refuseRepeats = true, minHoldTime = 5)
        public void permitsAndRepeats() {}

        @RefuseRepeats(key = "form", within = "-5s")
        public void repeatsBefore() {}

        @RefuseRepeats(key = "form", within = "${within}")
        public void repeatsBeforeByPlaceholder() {}

        @RefuseRepeats(key = "form", within = "")
        public void repeatsForNothing() {}

        @RefuseRepeats(key = "form", within = "400d")
        public void repeatsForLong() {}

        @DistributionLock(key = "form", refuseRepeats = true)
        public void repeatsWithoutTime() {}

        @ScheduledLock(name = "job", lockAtLeastFor = "2m", lockAtMostFor = "1m")
        public void longJob() {}

        @ScheduledLock(name = "job", lockAtMostFor = "15")
        public void jobWithoutUnit() {}

        @ScheduledLock(name = "job", lockAtMostFor = "soon")
        public void unknownJob() {}
    }
}
