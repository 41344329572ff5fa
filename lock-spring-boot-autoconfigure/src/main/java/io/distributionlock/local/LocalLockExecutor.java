package io.distributionlock.local;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.engine.EngineCounters;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.EngineSnapshot;
import io.distributionlock.engine.EngineView;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.engine.LockInspection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Locks inside one process, without a Redis: for unit tests and for development on a single machine. The engine and its
 * contracts are those of the distributed executors; only the place where the locks are kept is this process's memory, so
 * they guard nothing against another process. A log line says so at every start.
 *
 * <p>Executors that share a {@link LocalBackend} exclude each other as processes do.
 */
public final class LocalLockExecutor implements LockExecutor, EngineView, AutoCloseable {

    private static final Log log = LogFactory.getLog(LocalLockExecutor.class);

    private static final AtomicLong instances = new AtomicLong();

    private final LockEngine engine;

    /** An executor with a backend of its own and the standard times. */
    public LocalLockExecutor() {
        this(new LocalBackend());
    }

    /** An executor that shares its backend with others, with the standard times and an instance name of its own. */
    public LocalLockExecutor(LocalBackend backend) {
        this(
                EngineSettings.standard("local-" + ProcessHandle.current().pid() + "-" + instances.incrementAndGet()),
                backend);
    }

    /**
     * An executor with times of its own.
     *
     * @throws IllegalStateException if another executor of the backend has the same instance name
     */
    public LocalLockExecutor(EngineSettings settings, LocalBackend backend) {
        log.warn("Locks are LOCAL: they guard only this process (instance '" + settings.instance()
                + "'), and another process can be inside at the same time. Set distribution-lock.executor=redis where"
                + " more than one process runs.");
        this.engine = LockEngine.start(backend.connect(settings.instance()), settings);
    }

    @Override
    public Set<LockKind> kinds() {
        return engine.kinds();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return engine.acquire(request, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return engine.holdCount(name, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner, LockKind kind) {
        return engine.holdCount(name, owner, kind);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return engine.isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return engine.forceRelease(name);
    }

    @Override
    public void stop(Duration timeout) {
        engine.stop(timeout);
    }

    @Override
    public EngineCounters counters() {
        return engine.counters();
    }

    @Override
    public EngineSnapshot snapshot() {
        return engine.snapshot();
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return engine.inspect(name);
    }

    /** Ends the executor and takes its locks away at once. */
    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
