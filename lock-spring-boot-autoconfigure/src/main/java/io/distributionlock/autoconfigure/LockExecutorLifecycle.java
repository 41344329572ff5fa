package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops an executor with the application. It stops after the web server has finished its requests, which keep their locks
 * until then, and before the connections to Redis are closed, so that the remaining locks can be released.
 */
class LockExecutorLifecycle implements SmartLifecycle {

    /** Above the connection factory (0), below the web server's graceful stop (close to the maximum). */
    static final int PHASE = Integer.MAX_VALUE / 2;

    private final LockExecutor executor;
    private final Duration stopTimeout;
    private volatile boolean running;

    LockExecutorLifecycle(LockExecutor executor, Duration stopTimeout) {
        this.executor = executor;
        this.stopTimeout = stopTimeout;
    }

    @Override
    public void start() {
        running = true;
        // Needed after a stop, and after a restore from a checkpoint.
        executor.start();
    }

    @Override
    public void stop() {
        running = false;
        executor.stop(stopTimeout);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /**
     * Since 7.0, Spring pauses cached test contexts that are not in use. An idle executor does no harm, and stopping it would wait for
     * locks that a test has left held. (Overrides nothing on Spring 6.)
     */
    @SuppressWarnings("MissingOverride")
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
