package io.distributionlock.monitor;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.LockExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Passes every call to another executor, and shows what its locks are doing. The base class of the executors of this library, and for
 * decorators of them that are monitored as they are.
 */
public abstract class MonitoredLockExecutor extends DelegatingLockExecutor implements LockMonitor, AutoCloseable {

    private final LockMonitor monitor;

    /** Passes every call to this executor. */
    protected <E extends LockExecutor & LockMonitor> MonitoredLockExecutor(E delegate) {
        super(delegate);
        this.monitor = delegate;
    }

    @Override
    public String instance() {
        return monitor.instance();
    }

    @Override
    public LockSnapshot snapshot() {
        return monitor.snapshot();
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return monitor.inspect(name);
    }

    /** Stops without waiting for holders: locks that are still held are released and reported as lost. */
    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
