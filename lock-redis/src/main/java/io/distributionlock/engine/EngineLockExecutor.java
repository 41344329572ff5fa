package io.distributionlock.engine;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.monitor.LockSnapshot;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the executors of this library delegate to: locks of a {@link LockEngine}, which starts and stops with the application. Executors
 * differ in the {@link CommandPort} of their engine. It is created when it is first needed, because much of the library is loaded with it.
 *
 * <p>Thread-safe.
 *
 * @hidden
 */
@Internal
public final class EngineLockExecutor implements LockExecutor, LockMonitor, AutoCloseable {

    private final EngineSettings settings;
    private final Function<EngineSettings, LockEngine> starter;

    /** Held while an engine starts or stops, so that the last call takes effect. */
    private final ReentrantLock lifecycleLock = new ReentrantLock();

    private volatile @Nullable LockEngine engine;

    /** Guarded by {@link #lifecycleLock}. An engine that is first needed after a stop refuses as one that was stopped. */
    private boolean stopped;

    /**
     * Starts no engine yet.
     *
     * @param starter starts an engine with these settings on a new {@link CommandPort}; called again, with another instance name,
     *     by each {@link #start()} that follows a {@link #stop}
     */
    public EngineLockExecutor(EngineSettings settings, Function<EngineSettings, LockEngine> starter) {
        this.settings = settings;
        this.starter = starter;
    }

    /** The present engine; starts the first one. */
    public LockEngine engine() {
        LockEngine present = engine;
        if (present != null) {
            return present;
        }
        lifecycleLock.lock();
        try {
            present = engine;
            if (present == null) {
                present = starter.apply(settings);
                if (stopped) {
                    present.stop(Duration.ZERO);
                }
                engine = present;
            }
            return present;
        } finally {
            lifecycleLock.unlock();
        }
    }

    /** Starts a new engine, after waiting for a stop that is under way. Leases from before the stop stay lost. */
    @Override
    public void start() {
        lifecycleLock.lock();
        try {
            stopped = false;
            LockEngine previous = engine;
            if (previous != null && previous.isStopped()) {
                // Under another name: late commands of the previous engine must not meet claims of this one.
                engine = starter.apply(settings.withInstance(InstanceName.create()));
            }
        } finally {
            lifecycleLock.unlock();
        }
    }

    @Override
    public Set<LockKind> kinds() {
        return engine().kinds();
    }

    /** The same before and after a stop: a view from before is of the same lock, and what it holds stays lost until it is unlocked. */
    @Override
    public Object backend() {
        return this;
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return engine().acquire(request, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return engine().holdCount(name, owner);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return engine().isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return engine().forceRelease(name);
    }

    @Override
    public void stop(Duration timeout) {
        Arguments.require("the timeout of LockExecutor.stop", timeout);
        lifecycleLock.lock();
        try {
            stopped = true;
            LockEngine present = engine;
            if (present != null) {
                present.stop(timeout);
            }
        } finally {
            lifecycleLock.unlock();
        }
    }

    /** Stops without waiting for holders: locks that are still held are released and reported as lost. */
    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    @Override
    public String instance() {
        return engine().instance();
    }

    @Override
    public LockSnapshot snapshot() {
        return engine().snapshot();
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return engine().inspect(name);
    }

    /** How many names this process holds or waits for at present. */
    public int activeNames() {
        return engine().activeNames();
    }
}
