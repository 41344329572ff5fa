package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When an executor starts and stops its engine. */
class EngineLockExecutorTest {

    private final ModelBackend backend = new ModelBackend();
    private final AtomicInteger engines = new AtomicInteger();
    private final EngineLockExecutor executor = new EngineLockExecutor(EngineSettings.standard("me"), settings -> {
        engines.incrementAndGet();
        return LockEngine.start(ModelPort.connect(backend, settings.instance()), settings);
    });

    @AfterEach
    void end() {
        executor.close();
    }

    @Test
    void noEngineStartsWithoutALock() {
        executor.start();
        executor.stop(Duration.ofSeconds(1));
        executor.start();
        executor.close();
        assertThat(engines).hasValue(0);
    }

    @Test
    void theFirstLockAfterAStopIsRefused() {
        executor.stop(Duration.ZERO);
        assertThat(acquire())
                .isCompletedWithValueMatching(outcome -> outcome instanceof LockOutcome.BackendFailed failed
                        && failed.cause().getMessage().contains("shutting down"));
    }

    @Test
    void aStartAfterAStopLocksAgain() {
        executor.stop(Duration.ZERO);
        executor.start();
        assertThat(acquire()).succeedsWithin(Duration.ofMinutes(1)).isInstanceOf(LockOutcome.Acquired.class);
        executor.stop(Duration.ZERO);
        assertThat(acquire()).isCompletedWithValueMatching(LockOutcome.BackendFailed.class::isInstance);
    }

    @Test
    void aStartMakesARefusingExecutorLockAgain() {
        executor.stop(Duration.ZERO);
        assertThat(acquire()).isCompletedWithValueMatching(LockOutcome.BackendFailed.class::isInstance);
        executor.start();
        assertThat(acquire()).succeedsWithin(Duration.ofMinutes(1)).isInstanceOf(LockOutcome.Acquired.class);
    }

    private CompletableFuture<LockOutcome> acquire() {
        return executor.acquire(LockRequest.named("name").build(), LockOwner.unique());
    }
}
