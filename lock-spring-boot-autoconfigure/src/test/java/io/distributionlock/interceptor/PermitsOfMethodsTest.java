package io.distributionlock.interceptor;

import static io.distributionlock.testing.StartupFailures.analyze;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** {@code permits} of the annotation. */
@Tag("boot4")
class PermitsOfMethodsTest {

    @Test
    void asManyCallsAsThereArePermitsRunAtOnce() {
        LockContextRunner.local(Reports.class)
                .withPropertyValues("reports.at-once=2")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Reports reports = context.getBean(Reports.class);
                    assertThat(reports.create(() -> elsewhere(() -> reports.create(() -> "two"))))
                            .isEqualTo("two");
                    assertThat(reports.create(() -> elsewhere(() -> reports.create(() -> elsewhere(() -> {
                                try {
                                    return reports.create(() -> "three");
                                } catch (LockNotAcquiredException e) {
                                    return "busy";
                                }
                            })))))
                            .isEqualTo("busy");
                    assertThat(reports.create(() -> reports.create(() -> reports.create(() -> "by one"))))
                            .isEqualTo("by one");
                });
    }

    private static String elsewhere(Supplier<String> work) {
        // A thread of a pool could run the work of its own future while it waits, and enter its lock again.
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start())
                .join();
    }

    @Test
    void aNameThatIsALockAndHasPermitsStopsTheStartAndBothMethodsAreNamed() {
        LockContextRunner.local(Mixed.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("Mixed.create(String)", "Mixed.remove(String)", "'report'");
            assertThat(analysis.getAction()).contains("another key");
        });
    }

    @Test
    void differentNumbersForOneNameStopTheStartAndBothMethodsAreNamed() {
        LockContextRunner.local(Differing.class)
                .withPropertyValues("reports.at-once=2")
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .contains("Differing.create() has permits = 3 for 'report'")
                            .contains("Differing.print() has permits = 2 for it");
                    assertThat(analysis.getAction()).contains("the same number");
                });
        LockContextRunner.local(Differing.class)
                .withPropertyValues("reports.at-once=3")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void differentNumbersForOneNameOnOneMethodStopTheStart() {
        LockContextRunner.local(Twice.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(analyze(context.getStartupFailure()).getDescription())
                    .contains("Twice.create() has permits = 3 for 'report'")
                    .contains("Twice.create() has permits = 1 for it");
        });
    }

    @Test
    void namesOfOtherPartsOrExecutorsAreOtherNames() {
        LockContextRunner.local(Apart.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Reports {

        @DistributionLock(key = "report", permitsString = "${reports.at-once}", tryLockTime = 0)
        public String create(Supplier<String> work) {
            return work.get();
        }
    }

    static class Mixed {

        @DistributionLock(key = "report", permits = 3)
        public void create(@DistributionLockParam String tenant) {}

        @DistributionLock(key = "report")
        public void remove(@DistributionLockParam String tenant) {}
    }

    static class Differing {

        @DistributionLock(key = "report", permits = 3)
        public void create() {}

        @DistributionLock(key = "report", permitsString = "${reports.at-once}")
        public void print() {}
    }

    static class Twice {

        @DistributionLock(key = "report", permits = 3)
        @DistributionLock(key = "report", permits = 1)
        public void create() {}
    }

    static class Apart {

        @DistributionLock(key = "report", permits = 3)
        public void createAny() {}

        @DistributionLock(key = "report")
        public void create(@DistributionLockParam String tenant) {}

        @DistributionLock(key = "report", delimiter = "/", permits = 3)
        public void print(@DistributionLockParam String tenant) {}
    }
}
