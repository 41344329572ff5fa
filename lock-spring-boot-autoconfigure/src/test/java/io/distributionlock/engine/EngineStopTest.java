package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalCommandPort;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of holders, attempts and questions when an engine stops, and of a lock that nobody takes. */
class EngineStopTest {

    private final LocalBackend backend = new LocalBackend();
    private final FaultyPort port = new FaultyPort(LocalCommandPort.connect(backend, "me"), System::nanoTime);
    private final LockEngine engine = LockEngine.start(port, patient("me"));

    @AfterEach
    void end() {
        engine.stop(Duration.ZERO);
    }

    @Test
    void aHolderThatDoesNotFinishLosesItsLockAndIsTold() {
        EngineLease lease = VirtualEngine.lease(acquire(engine, "name"));
        AtomicBoolean told = new AtomicBoolean();
        lease.onLost(lost -> told.set(true));
        engine.stop(Duration.ZERO);
        assertThat(lease.isValid()).isFalse();
        assertThat(backend.holders("name")).isEmpty();
        await().untilTrue(told);
    }

    @Test
    void whileHoldersFinishNobodyElseAcquires() {
        EngineLease lease = VirtualEngine.lease(acquire(engine, "name"));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> engine.stop(Duration.ofMinutes(1)));
        await().until(engine::isStopped);
        assertThat(acquire(engine, "other")).isCompletedWithValueMatching(LockOutcome.BackendFailed.class::isInstance);
        assertThat(stop).isNotDone();
        lease.release();
        await().until(stop::isDone);
    }

    @Test
    void aReleaseThatIsNotAnsweredIsAwaitedForACommandTimeoutOnly() {
        EngineSettings settings = EngineSettings.standard("hasty").withCommandTimeout(Duration.ofMillis(200));
        FaultyPort silent = new FaultyPort(LocalCommandPort.connect(backend, "hasty"), System::nanoTime);
        LockEngine hasty = LockEngine.start(silent, settings);
        EngineLease lease = VirtualEngine.lease(acquire(hasty, "name"));
        silent.answerAfter(60_000_000);
        CompletableFuture<?> release = lease.releaseAsync();
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> hasty.stop(Duration.ofHours(1)));
        await().atMost(Duration.ofSeconds(60)).until(stop::isDone);
        // Completed by then, and handed to a callback thread.
        await().atMost(Duration.ofSeconds(60)).until(release::isDone);
    }

    @Test
    void questionsEndWithTheEngine() {
        port.answerAfter(60_000);
        CompletableFuture<Boolean> before = engine.isLocked("name");
        assertThat(before).isNotDone();
        engine.stop(Duration.ZERO);
        assertThat(before).isCompletedExceptionally();
        assertThat(engine.isLocked("name")).isCompletedExceptionally();
    }

    @Test
    void whatIsGrantedToAnAttemptThatOthersHaveCompletedIsGivenBack() {
        LockEngine other = LockEngine.start(LocalCommandPort.connect(backend, "other"), patient("other"));
        try {
            EngineLease lease = VirtualEngine.lease(acquire(other, "name"));
            CompletableFuture<LockOutcome> attempt = acquire(engine, "name");
            await().until(() -> !backend.waiters("name").isEmpty());
            attempt.complete(new LockOutcome.Busy(Duration.ZERO));
            lease.release();
            await().until(() -> backend.holders("name").isEmpty());
        } finally {
            other.stop(Duration.ZERO);
        }
    }

    /** No command times out, however slow the machine is. */
    private static EngineSettings patient(String instance) {
        EngineSettings standard = EngineSettings.standard(instance);
        return new EngineSettings(
                instance,
                Duration.ofSeconds(20),
                standard.grantLease(),
                standard.heartbeat(),
                standard.handoverMaxCount(),
                standard.handoverMaxTime());
    }

    private static CompletableFuture<LockOutcome> acquire(LockEngine engine, String name) {
        return engine.acquire(
                LockRequest.named(name).tryLockTime(Duration.ofMinutes(1)).build(), LockOwner.unique());
    }
}
