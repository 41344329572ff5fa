package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stop waits for holders on other threads. */
class EngineStopTest {

    private final LockEngine engine =
            LockEngine.start(ModelPort.connect(new ModelBackend(), "me"), EngineSettings.standard("me"));

    @AfterEach
    void end() {
        engine.stop(Duration.ZERO);
    }

    @Test
    void whileHoldersFinishNobodyElseAcquires() {
        EngineLease lease = VirtualEngine.lease(acquire("name"));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> engine.stop(Duration.ofMinutes(1)));
        await().until(engine::isStopped);
        assertThat(acquire("other")).isCompletedWithValueMatching(LockOutcome.BackendFailed.class::isInstance);
        assertThat(stop).isNotDone();
        lease.release();
        await().until(stop::isDone);
    }

    @Test
    void whileHoldersFinishTheyReEnter() {
        LockOwner holder = LockOwner.unique();
        EngineLease outer = VirtualEngine.lease(acquire("name", holder));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> engine.stop(Duration.ofMinutes(1)));
        await().until(engine::isStopped);
        EngineLease inner = VirtualEngine.lease(acquire("name", holder));
        assertThat(inner.isValid()).isTrue();
        inner.release();
        outer.release();
        await().until(stop::isDone);
    }

    private CompletableFuture<LockOutcome> acquire(String name) {
        return acquire(name, LockOwner.unique());
    }

    private CompletableFuture<LockOutcome> acquire(String name, LockOwner owner) {
        return engine.acquire(
                LockRequest.named(name).tryLockTime(Duration.ofMinutes(1)).build(), owner);
    }
}
