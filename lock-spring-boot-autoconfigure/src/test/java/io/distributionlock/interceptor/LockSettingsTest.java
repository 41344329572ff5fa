package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
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
        assertThat(settings("byDefault")).isEqualTo(new LockSettings(LockKind.REENTRANT, 0, null, null, null, false));
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
        assertThat(request.holdLockTime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(request.minHoldTime()).isEqualTo(Duration.ofMillis(200));
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
        assertProblem("permitsTwice", "The lock has both permits = 3 and permitsString = \"3\".");
        assertProblem("noPermits", "The lock has permits = -1.");
        assertProblem("manyPermits", "The lock has permitsString = \"many\": ");
        assertProblem("permitsOfReaders", "The lock has both permits = 3 and kind = READ.");
        assertProblem("withoutNumber", "The lock has kind = PERMIT without a number of permits.");
    }

    @Test
    void permitsAsTextAreShownAsTheyWereWrittenAndWithTheirValue() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${at.once}", "0"));
        assertProblem("configured", "The lock has permitsString = \"${at.once}\" (= 0).");
        assertProblem("manyPermits", "The lock has permitsString = \"many\": 'many' is not a whole number.");
        assertProblem("halfAPermit", "The lock has permitsString = \"3.5\": '3.5' is not a whole number.");
        assertProblem("permitsByExpression", "The lock has permitsString = \"#{3}\": '#{3}' is not a whole number.");
        assertThat(problems.get(0).cure()).contains("whole number of at least 1", "${…}");
        assertProblem(
                "tooManyPermits",
                "The lock has permitsString = \"99999999999\": '99999999999' is not between 1 and 2147483647.");
    }

    @Test
    void permitsAndRefusedRepeatsExcludeEachOtherAndNothingElseIsSaid() throws Exception {
        assertProblem("permitsAndRepeats", "The lock has refuseRepeats = true and permits, but");
        assertThat(problems.get(0).cure()).contains("exclude each other");
    }

    @Test
    void timesForRepeatsAreShownAsTheyWereWrittenAndWithTheirBounds() throws Exception {
        beans.addEmbeddedValueResolver(text -> text.replace("${within}", "-5s"));
        assertProblem("repeatsBefore", "The lock has within = \"-5s\".");
        assertProblem("repeatsBeforeByPlaceholder", "The lock has within = \"${within}\" (= -5s).");
        assertProblem("repeatsForNothing", "The lock has within = \"\".");
        assertProblem("repeatsForLong", "The lock has within = \"400d\".");
        assertThat(problems.get(0).cure()).startsWith("Set 'within'").contains("more than 0 and at most 365 days");
        assertProblem("repeatsWithoutTime", "The lock has minHoldTime = 0.");
    }

    @Test
    void timesAsTextAreShownAsTheyWereWritten() throws Exception {
        assertProblem("negativeText", "The lock has tryLockTimeString = \"-5s\".");
        assertThat(problems.get(0).cure()).startsWith("Set 'tryLockTimeString' to");
        assertProblem("longText", "The lock: holdLockTimeString = \"400d\": a lock is held for at most 365 days.");
        assertProblem(
                "longJob", "The lock: minHold = \"2m\" is longer than maxHold = \"1m\": a lock cannot stay longer");
        assertThat(problems.get(0).description()).endsWith("Shorten minHold or lengthen maxHold.");
    }

    @Test
    void aWaitLongerThanForeverIsForever() throws Exception {
        assertThat(settings("waitingLongest").tryLockTime()).isEqualTo(LockRequest.FOREVER);
    }

    @Test
    void impossibleTimesAreProblems() throws Exception {
        assertProblem("twice", "The lock has both holdLockTime = 5 and holdLockTimeString = \"5s\".");
        assertProblem("negative", "The lock has tryLockTime = -5.");
        assertProblem("noLease", "The lock has holdLockTime = 0.");
        assertProblem("noTime", "The lock has holdLockTimeString = \"soon\": 'soon' is not a duration: ");
        assertProblem("longerThanTheLease", "The lock: minHoldTime");
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

        @DistributionLock(key = "order", tryLockTime = -5)
        void negative();

        @DistributionLock(key = "order", holdLockTime = 0)
        void noLease();

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

        @DistributionLock(key = "order", permits = 3, permitsString = "3")
        void permitsTwice();

        @DistributionLock(key = "order", permits = -1)
        void noPermits();

        @DistributionLock(key = "order", permitsString = "many")
        void manyPermits();

        @DistributionLock(key = "order", permits = 3, kind = LockKind.READ)
        void permitsOfReaders();

        @DistributionLock(key = "order", kind = LockKind.PERMIT)
        void withoutNumber();

        @DistributionLock(key = "order", permitsString = "3.5")
        void halfAPermit();

        @DistributionLock(key = "order", permitsString = "#{3}")
        void permitsByExpression();

        @DistributionLock(key = "order", permitsString = "99999999999")
        void tooManyPermits();

        @DistributionLock(key = "order", permits = 3, refuseRepeats = true)
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

        @ScheduledLock(name = "order", minHold = "2m", maxHold = "1m")
        void longJob();
    }
}
