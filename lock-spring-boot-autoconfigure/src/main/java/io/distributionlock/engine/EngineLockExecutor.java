package io.distributionlock.engine;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * An executor whose locks are those of a {@link LockEngine}. What differs between such executors is the {@link CommandPort} that
 * the engine was started with; a subclass makes it.
 *
 * <p>Thread-safe.
 */
public abstract class EngineLockExecutor implements LockExecutor, EngineView, AutoCloseable {

    private final LockEngine engine;

    /** @param engine started for this executor alone */
    protected EngineLockExecutor(LockEngine engine) {
        this.engine = engine;
    }

    @Override
    public final Set<LockKind> kinds() {
        return engine.kinds();
    }

    @Override
    public final Object backend() {
        return engine;
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return engine.acquire(request, owner);
    }

    @Override
    public final int holdCount(String name, LockOwner owner) {
        return engine.holdCount(name, owner);
    }

    @Override
    public final int holdCount(String name, LockOwner owner, LockKind kind) {
        return engine.holdCount(name, owner, kind);
    }

    @Override
    public final CompletableFuture<Boolean> isLocked(String name) {
        return engine.isLocked(name);
    }

    @Override
    public final CompletableFuture<Boolean> forceRelease(String name) {
        return engine.forceRelease(name);
    }

    @Override
    public final void stop(Duration timeout) {
        engine.stop(timeout);
    }

    /** Stops without waiting for holders: what is still held is released and reported as lost. */
    @Override
    public final void close() {
        stop(Duration.ZERO);
    }

    @Override
    public final EngineCounters counters() {
        return engine.counters();
    }

    @Override
    public final EngineSnapshot snapshot() {
        return engine.snapshot();
    }

    @Override
    public final CompletableFuture<LockInspection> inspect(String name) {
        return engine.inspect(name);
    }

    /** How many names this process holds or waits for at present. */
    public final int activeNames() {
        return engine.activeNames();
    }
}
