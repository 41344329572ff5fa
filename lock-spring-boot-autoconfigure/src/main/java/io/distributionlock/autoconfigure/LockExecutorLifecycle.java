package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops an executor with the application. It stops after the web server has finished its requests, which keep their locks
 * until then, and before the connections to Redis are closed, so that the remaining locks can be released.
 */
class LockExecutorLifecycle implements SmartLifecycle {

    /** Above the connection factory (0), below the web server's graceful stop (close to the maximum). */
    static final int PHASE = Integer.MAX_VALUE / 2;

    private static final Log log = LogFactory.getLog(LockExecutorLifecycle.class);

    /** Queried once at the start, so that the first caller does not wait for the connection; never locked. */
    private static final String WARM_UP_NAME = "distribution-lock-warm-up";

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
        executor.isLocked(WARM_UP_NAME).whenComplete((locked, failure) -> {
            if (failure != null && running) {
                log.warn("Locks cannot be acquired yet, and methods that need one fail until they can: "
                        + MessageText.sentence(failure.getCause() == null ? failure : failure.getCause()));
            }
        });
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
