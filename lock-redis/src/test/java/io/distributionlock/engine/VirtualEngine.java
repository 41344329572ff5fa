package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import io.distributionlock.state.Times;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** An engine over a backend in memory, on a clock that a test moves on, millisecond by millisecond. */
final class VirtualEngine {

    private static final long START_MICROS = 1_800_000_000_000_000L;

    private long now = Times.nanos(77_000);
    final ModelBackend backend = new ModelBackend(() -> now, START_MICROS, Runnable::run);
    final FaultyPort port;
    final LockEngine engine;
    private final long origin;
    int failedTicks;

    VirtualEngine() {
        this("me", Runnable::run);
    }

    VirtualEngine(String instance, Executor callbacks) {
        this(EngineSettings.standard(instance), callbacks);
    }

    VirtualEngine(EngineSettings settings, Executor callbacks) {
        port = new FaultyPort(ModelPort.connect(backend, settings.instance()), () -> now);
        origin = now;
        engine = new LockEngine(port, settings, () -> now, callbacks);
    }

    /** Another process, whose commands need no time. */
    LockEngine otherProcess(String instance) {
        return new LockEngine(
                ModelPort.connect(backend, instance), EngineSettings.standard(instance), () -> now, Runnable::run);
    }

    long now() {
        return now;
    }

    /** Lets time pass, and what is due in it happen as the engine's thread would let it. */
    void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            now += Times.nanos(1);
            port.deliver();
            if (isDue()) {
                tick();
            }
        }
    }

    /** As the engine's thread, which looks again if this fails. */
    private boolean isDue() {
        try {
            return engine.due() <= now - origin;
        } catch (Throwable e) {
            return true;
        }
    }

    private void tick() {
        try {
            engine.tick();
        } catch (Throwable e) {
            failedTicks++;
        }
    }

    CompletableFuture<LockOutcome> ask(LockRequest.Builder request) {
        return engine.acquire(request.build(), LockOwner.unique());
    }

    CompletableFuture<LockOutcome> askRenewed(String name, long waitMillis, long leaseMillis) {
        return ask(LockRequest.named(name)
                .tryLockTime(Duration.ofMillis(waitMillis))
                .renewedLease(Duration.ofMillis(leaseMillis)));
    }

    /** Acquires a free lock. */
    EngineLease take(String name, long leaseMillis) {
        CompletableFuture<LockOutcome> attempt = askRenewed(name, 5_000, leaseMillis);
        for (int i = 0; i < 5_000 && !attempt.isDone(); i++) {
            pass(1);
        }
        return lease(attempt);
    }

    static EngineLease lease(CompletableFuture<LockOutcome> attempt) {
        return (EngineLease) ((LockOutcome.Acquired) attempt.getNow(null)).lease();
    }
}
