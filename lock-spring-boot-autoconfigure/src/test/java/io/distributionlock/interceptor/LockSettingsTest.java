package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.reflect.Placeholders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

@Tag("boot4")
class LockSettingsTest {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final List<LockProblem> problems = new ArrayList<>();

    private LockSettings settings(String method) throws NoSuchMethodException {
        MergedAnnotation<DistributionLock> merged =
                MergedAnnotations.from(Locks.class.getDeclaredMethod(method)).get(DistributionLock.class);
        return LockSettings.of(
                merged.synthesize(), new Placeholders(beans), "The lock", AttributeNames.of(merged), problems);
    }

    @Test
    void whatIsNotSaidIsLeftToTheDefaults() throws Exception {
        assertThat(settings("byDefault"))
                .isEqualTo(new LockSettings(
                        "order",
                        LockKind.REENTRANT,
                        0,
                        null,
                        null,
                        Duration.ZERO,
                        false,
                        false,
                        OnLost.REPORT,
                        CommitGuard.LOCAL));
        assertThat(problems).isEmpty();
    }

    @Test
    void timesAreMillisecondsTextsOrPlaceholders() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${hold}", "1m"));
        LockSettings settings = settings("written");
        LockRequest request = settings.applyTo(LockRequest.named("order")).build();
        assertThat(problems).isEmpty();
        assertThat(request.kind()).isEqualTo(LockKind.FAIR);
        assertThat(request.tryLockTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(request.leaseTime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(request.minHoldTime()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void theTextWinsUnlessItIsEmpty() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${hold}", "").replace("${at.once}", ""));
        assertThat(settings("twice").holdLockTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings("emptyText").holdLockTime()).isEqualTo(Duration.ofMillis(100));
        assertThat(settings("unsetByText").holdLockTime()).isNull();
        assertThat(settings("permitsTwice").permits()).isEqualTo(4);
        assertThat(settings("permitsOfEmptyText").permits()).isEqualTo(3);
        assertThat(problems).isEmpty();
    }

    @Test
    void permitsAreANumberOrAPlaceholder() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${at.once}", "7"));
        assertThat(settings("permits").permits()).isEqualTo(3);
        assertThat(settings("permitsOfKind").permits()).isEqualTo(3);
        LockRequest request =
                settings("configured").applyTo(LockRequest.named("order")).build();
        assertThat(problems).isEmpty();
        assertThat(request.kind()).isEqualTo(LockKind.PERMIT);
        assertThat(request.permits()).isEqualTo(7);
    }

    @Test
    void impossiblePermitsAreProblems() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${at.once}", "0.5"));
        assertProblem("noPermits", "The lock: permits is -1: there is at least one.");
        assertProblem("permitsOfReaders", "The lock: permits is 3, but kind is READ: a name is a lock or has permits");
        assertProblem("withoutNumber", "The lock: permits is 0: there is at least one.");
        assertProblem("configured", "The lock: permitsString = \"${at.once}\": For input string: \"0.5\".");
        assertProblem("manyPermits", "The lock: permitsString = \"many\": For input string: \"many\".");
        assertThat(problems.get(0).cure()).contains("Write a whole number of at least 1, or a placeholder");
        assertProblem("tooManyPermits", "The lock: permitsString = \"99999999999\": For input string: \"99999999999\"");
        assertProblem("permitsAndRepeats", "The lock: it refuses repeats (refuseRepeats), but its kind is PERMIT");
    }

    @Test
    void timesForRepeatsHaveBounds() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${within}", "-5s"));
        assertProblem("repeatsBefore", "The lock: within is -5000 ms: repeats are refused for more than 0 ms and at");
        assertProblem("repeatsBeforeByPlaceholder", "The lock: within is -5000 ms: ");
        assertProblem("repeatsForNothing", "The lock: within is 0 ms: ");
        assertProblem("repeatsForLong", "The lock: within is PT9600H: ");
        assertProblem("repeatsWithoutTime", "The lock: minHoldTime is 0 ms: ");
    }

    @Test
    void aWaitLongerThanForeverIsForever() throws Exception {
        assertThat(settings("waitingLongest").tryLockTime()).isEqualTo(LockRequest.FOREVER);
    }

    @Test
    void impossibleTimesAreProblems() throws Exception {
        assertProblem("negative", "The lock: tryLockTime is -5 ms: a waiting time is zero");
        assertProblem("negativeText", "The lock: tryLockTime is -5000 ms: a waiting time is zero");
        assertProblem("noLease", "The lock: holdLockTime is 0 ms: a lock is held for at least 1 ms.");
        assertProblem(
                "withoutUnit", "The lock: holdLockTime is 15 ms: the lock of a method is held for at least 100 ms.");
        assertThat(problems.get(0).cure()).startsWith("Set holdLockTimeString to a time with its unit, such as 15s,");
        assertProblem("longText", "The lock: holdLockTime is PT9600H: a lock is held for at most 365 days.");
        assertProblem("noTime", "The lock: holdLockTimeString = \"soon\": 'soon' is not a valid duration");
        assertThat(problems.get(0).cure()).contains("Write milliseconds, a duration such as 5s, or a placeholder");
        assertProblem("longerThanTheLease", "The lock: minHoldTime (20 ms) is longer than holdLockTime (10 ms): ");
    }

    @Test
    void theTimesOfAJobHaveItsNames() throws Exception {
        assertProblem("longJob", "The lock: lockAtLeastFor (120000 ms) is longer than lockAtMostFor (60000 ms): ");
        assertThat(problems.get(0).cure()).isEqualTo("Shorten lockAtLeastFor or lengthen lockAtMostFor.");
        assertProblem("jobWithoutUnit", "The lock: lockAtMostFor is 15 ms: the lock of a method is held for at least");
        assertThat(problems.get(0).cure()).startsWith("Set lockAtMostFor to a time with its unit, such as 15s,");
        assertProblem("unknownJob", "The lock: lockAtMostFor = \"soon\": 'soon' is not a valid duration");
    }

    private void assertProblem(String method, String description) throws NoSuchMethodException {
        problems.clear();
        settings(method);
        assertThat(problems)
                .as(method)
                .singleElement()
                .extracting(LockProblem::description)
                .asString()
                .startsWith(description);
    }

    interface Locks {

        @DistributionLock(key = "order")
        void byDefault();

        @DistributionLock(
                key = "order",
                kind = LockKind.FAIR,
                tryLockTimeString = "5s",
                holdLockTimeString = "${hold}",
                minHoldTime = 200)
        void written();

        @DistributionLock(key = "order", tryLockTime = Long.MAX_VALUE)
        void waitingLongest();

        @DistributionLock(key = "order", holdLockTime = 5, holdLockTimeString = "5s")
        void twice();

        @DistributionLock(key = "order", holdLockTime = 100, holdLockTimeString = "${hold}")
        void emptyText();

        @DistributionLock(key = "order", holdLockTimeString = "-1")
        void unsetByText();

        @DistributionLock(key = "order", tryLockTime = -5)
        void negative();

        @DistributionLock(key = "order", holdLockTime = 0)
        void noLease();

        @DistributionLock(key = "order", holdLockTime = 15)
        void withoutUnit();

        @DistributionLock(key = "order", holdLockTimeString = "soon")
        void noTime();

        @DistributionLock(key = "order", holdLockTime = 10, minHoldTime = 20)
        void longerThanTheLease();

        @DistributionLock(key = "order", permits = 3)
        void permits();

        @DistributionLock(key = "order", permits = 3, kind = LockKind.PERMIT)
        void permitsOfKind();

        @DistributionLock(key = "order", permitsString = "${at.once}")
        void configured();

        @DistributionLock(key = "order", permits = 3, permitsString = "4")
        void permitsTwice();

        @DistributionLock(key = "order", permits = 3, permitsString = "${at.once}")
        void permitsOfEmptyText();

        @DistributionLock(key = "order", permits = -1)
        void noPermits();

        @DistributionLock(key = "order", permitsString = "many")
        void manyPermits();

        @DistributionLock(key = "order", permits = 3, kind = LockKind.READ)
        void permitsOfReaders();

        @DistributionLock(key = "order", kind = LockKind.PERMIT)
        void withoutNumber();

        @DistributionLock(key = "order", permitsString = "99999999999")
        void tooManyPermits();

        @DistributionLock(key = "order", permits = 3, refuseRepeats = true, minHoldTime = 5)
        void permitsAndRepeats();

        @RefuseRepeats(key = "order", within = "-5s")
        void repeatsBefore();

        @RefuseRepeats(key = "order", within = "${within}")
        void repeatsBeforeByPlaceholder();

        @RefuseRepeats(key = "order", within = "")
        void repeatsForNothing();

        @RefuseRepeats(key = "order", within = "400d")
        void repeatsForLong();

        @DistributionLock(key = "order", refuseRepeats = true)
        void repeatsWithoutTime();

        @DistributionLock(key = "order", tryLockTimeString = "-5s")
        void negativeText();

        @DistributionLock(key = "order", holdLockTimeString = "400d")
        void longText();

        @ScheduledLock(name = "order", lockAtLeastFor = "2m", lockAtMostFor = "1m")
        void longJob();

        @ScheduledLock(name = "job", lockAtMostFor = "15")
        void jobWithoutUnit();

        @ScheduledLock(name = "order", lockAtMostFor = "soon")
        void unknownJob();
    }
}
