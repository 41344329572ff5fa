package io.distributionlock.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** For the backend in memory, a process that waits and is silent for too long counts as dead, as in Redis. */
class SilentProcessTest {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration SILENT_FOR_TOO_LONG =
            HEARTBEAT.multipliedBy(2).plusSeconds(1);

    private final AtomicLong ahead = new AtomicLong();
    private final LocalBackend backend = new LocalBackend(() -> System.nanoTime() + ahead.get(), 1, Runnable::run);

    private LocalLockExecutor process(String instance) {
        return new LocalLockExecutor(
                new EngineSettings(
                        instance, Duration.ofSeconds(2), HEARTBEAT.multipliedBy(2), HEARTBEAT, 0, Duration.ZERO),
                backend);
    }

    @Test
    void itsWaiterIsDroppedAndTheNextOneGetsTheLock() {
        try (LocalLockExecutor holding = process("holding");
                LocalLockExecutor silent = process("silent");
                LocalLockExecutor live = process("live")) {
            LockRequest request = LockRequest.named("stock")
                    .tryLockTime(Duration.ofMinutes(1))
                    .holdLockTime(Duration.ofHours(1))
                    .build();
            Lease lease = leaseOf(attempt(holding, request));
            CompletableFuture<LockOutcome> dropped = attempt(silent, request);
            assertThat(backend.waiters("stock")).hasSize(1);
            ahead.addAndGet(SILENT_FOR_TOO_LONG.toNanos());
            CompletableFuture<LockOutcome> next = attempt(live, request);

            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(leaseOf(next).release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(dropped).isNotDone();
            assertThat(backend.namesInUse()).isEmpty();
            assertThat(dropped.cancel(true)).isTrue();
        }
    }

    private static CompletableFuture<LockOutcome> attempt(LocalLockExecutor process, LockRequest request) {
        return process.acquire(request, LockOwner.unique());
    }

    private static Lease leaseOf(CompletableFuture<LockOutcome> attempt) {
        assertThat(attempt).succeedsWithin(Duration.ofSeconds(15)).isInstanceOf(LockOutcome.Acquired.class);
        return ((LockOutcome.Acquired) attempt.join()).lease();
    }
}
