package io.distributionlock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the contract of all executors does not say. */
class LocalLockExecutorTest {

    private static final LockRequest REQUEST = LockRequest.named("order")
            .tryLockTime(Duration.ofMinutes(1))
            .holdLockTime(Duration.ofHours(1))
            .build();

    private final LocalBackend backend = new LocalBackend();

    @Test
    void twoExecutorsOfOneBackendCannotShareAName() {
        EngineSettings settings = EngineSettings.standard("a");
        try (LocalLockExecutor first = new LocalLockExecutor(settings, backend)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> new LocalLockExecutor(settings, backend))
                    .withMessageContaining("'a'")
                    .withMessageContaining("its own instance name");
            assertThat(first.isLocked("order").join()).isFalse();
        }
    }

    @Test
    void theNameOfOneThatIsClosedIsFree() {
        EngineSettings settings = EngineSettings.standard("a");
        new LocalLockExecutor(settings, backend).close();
        try (LocalLockExecutor next = new LocalLockExecutor(settings, backend)) {
            assertThat(next.isLocked("order").join()).isFalse();
        }
    }

    @Test
    void oneThatIsClosedGivesUpItsLocksAndItsPlaces() {
        try (LocalLockExecutor stays = new LocalLockExecutor(backend)) {
            LocalLockExecutor holds = new LocalLockExecutor(backend);
            LocalLockExecutor waits = new LocalLockExecutor(backend);
            Lease lost = ((LockOutcome.Acquired) acquire(holds).join()).lease();
            CompletableFuture<LockOutcome> refused = acquire(waits);
            CompletableFuture<LockOutcome> next = acquire(stays);
            waits.close();
            holds.close();
            assertThat(lost.isValid()).isFalse();
            assertThat(refused).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(LockOutcome.BackendFailed.class);
            assertThat(next).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(LockOutcome.Acquired.class);
            ((LockOutcome.Acquired) next.join()).lease().close();
            assertThat(backend.namesInUse()).isEmpty();
        }
    }

    /** The engine may send a release before the acquire that it was decided after. */
    @Test
    void anAcquireThatComesAfterItsReleaseDoesNothing() {
        CommandPort process = backend.connect("a");
        process.release("order", "a:1", true, 0);
        assertThat(process.acquire("order", "a:1", 60_000, true)).isCompletedWithValue(new AcquireReply.Gone());
        assertThat(backend.namesInUse()).isEmpty();
    }

    @Test
    void aLeaseIsNotLongerThanItWasAskedFor() {
        CommandPort process = backend.connect("a");
        process.acquire("order", "a:1", 100, true).join();
        AcquireReply busy = process.acquire("order", "a:2", 60_000, false).join();
        assertThat(busy)
                .isInstanceOfSatisfying(
                        AcquireReply.Busy.class,
                        reply -> assertThat(reply.leaseLeftMillis()).isLessThanOrEqualTo(100));
    }

    private static CompletableFuture<LockOutcome> acquire(LocalLockExecutor process) {
        return process.acquire(REQUEST, LockOwner.unique());
    }
}
