package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What numbers, texts and placeholders in annotations make of a request. */
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
        assertThat(requestOf(Settings::permitsOfEmptyText, "at.once=0").kind()).isEqualTo(LockKind.REENTRANT);
    }

    @Test
    void aWaitLongerThanForeverIsForever() {
        assertThat(requestOf(Settings::waitingLongest).tryLockTime()).isEqualTo(LockRequest.FOREVER);
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
}
