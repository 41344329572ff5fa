package io.distributionlock.local;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.monitor.MonitoredLockExecutor;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Locks inside one process, without Redis: for tests, and for development on a single machine. They keep the contract of all
 * executors, but live in this process's memory, so they do not exclude other processes. Each start logs a warning.
 *
 * <p>Executors that share a {@link LocalBackend} exclude each other as processes do.
 */
public final class LocalLockExecutor extends MonitoredLockExecutor {

    private static final Log log = LogFactory.getLog(LocalLockExecutor.class);

    private static final AtomicLong instances = new AtomicLong();

    /** Creates an executor with its own backend and the standard settings. */
    public LocalLockExecutor() {
        this(new LocalBackend());
    }

    /** Creates an executor that shares its backend, with the standard settings and a new instance name. */
    public LocalLockExecutor(LocalBackend backend) {
        this(
                EngineSettings.standard("local-" + ProcessHandle.current().pid() + "-" + instances.incrementAndGet()),
                backend);
    }

    /**
     * Creates an executor with the given settings.
     *
     * @throws IllegalStateException if another executor of the backend has the same instance name
     */
    public LocalLockExecutor(EngineSettings settings, LocalBackend backend) {
        this(new EngineLockExecutor(settings, present -> start(present, backend)));
    }

    private LocalLockExecutor(EngineLockExecutor locks) {
        super(locks);
        locks.engine();
    }

    private static LockEngine start(EngineSettings settings, LocalBackend backend) {
        LockEngine engine = LockEngine.start(backend.connect(settings.instance()), settings);
        log.warn("Locks are LOCAL: they guard only this process (instance '" + settings.instance()
                + "'), and another process can hold them at the same time. Set distribution-lock.executor=redis where"
                + " more than one process runs.");
        return engine;
    }
}
