package io.distributionlock.local;

import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.LockEngine;
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
public final class LocalLockExecutor extends EngineLockExecutor {

    private static final Log log = LogFactory.getLog(LocalLockExecutor.class);

    private static final AtomicLong instances = new AtomicLong();

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
        super(settings, present -> start(present, backend));
    }

    private static LockEngine start(EngineSettings settings, LocalBackend backend) {
        LockEngine engine = LockEngine.start(backend.connect(settings.instance()), settings);
        log.warn("Locks are LOCAL: they guard only this process (instance '" + settings.instance()
                + "'), and another process can be inside at the same time. Set distribution-lock.executor=redis where"
                + " more than one process runs.");
        return engine;
    }
}
