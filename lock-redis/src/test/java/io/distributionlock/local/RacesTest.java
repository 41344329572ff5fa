package io.distributionlock.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads acquire, cancel and release one lock as fast as they can, so that they meet in the few steps between which another thread
 * must not come. In memory nothing else takes long enough to keep them apart.
 */
class RacesTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 15_000;
    private static final long LONG_SECONDS = 60;
    private static final LockRequest REQUEST = LockRequest.named("contended")
            .tryLockTime(Duration.ofSeconds(LONG_SECONDS))
            .renewedLease(Duration.ofSeconds(LONG_SECONDS))
            .build();

    private final List<LocalLockExecutor> processes = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicReference<LockOwner> inside = new AtomicReference<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
        processes.forEach(process -> process.stop(Duration.ZERO));
    }

    @ParameterizedTest(name = "{0} processes")
    @ValueSource(ints = {1, 2})
    void threadsThatMeetLeaveNobodyOutAndNothingBehind(int count) throws Exception {
        LocalBackend backend = new LocalBackend();
        for (int i = 0; i < count; i++) {
            processes.add(new LocalLockExecutor(backend));
        }
        long seed = Long.getLong("races.seed", System.nanoTime());
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed + i);
            LockExecutor process = processes.get(i % count);
            running.add(threads.submit(() -> {
                for (int round = 0; round < ROUNDS / count; round++) {
                    acquireOrCancel(process, random);
                }
                return null;
            }));
        }
        for (Future<?> thread : running) {
            assertThat(thread).as("-Draces.seed=%d", seed).succeedsWithin(LONG_SECONDS, TimeUnit.SECONDS);
        }
        Awaitility.await()
                .atMost(LONG_SECONDS, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(processes).allSatisfy(process -> {
                    assertThat(process.snapshot().held()).isEmpty();
                    assertThat(process.snapshot().waiting()).isEmpty();
                    assertThat(process.isLocked(REQUEST.name()).join()).isFalse();
                }));
    }

    private void acquireOrCancel(LockExecutor process, Random random) throws Exception {
        LockOwner owner = LockOwner.unique();
        CompletableFuture<LockOutcome> attempt = process.acquire(REQUEST, owner);
        int spins = random.nextInt(300);
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
        if (random.nextBoolean() && attempt.cancel(true)) {
            return;
        }
        Lease lease = ((LockOutcome.Acquired) attempt.get(LONG_SECONDS, TimeUnit.SECONDS)).lease();
        assertThat(inside.getAndSet(owner)).isNull();
        assertThat(lease.isValid()).isTrue();
        inside.set(null);
        assertThat(lease.releaseAsync())
                .succeedsWithin(LONG_SECONDS, TimeUnit.SECONDS)
                .isEqualTo(ReleaseResult.RELEASED);
    }
}
