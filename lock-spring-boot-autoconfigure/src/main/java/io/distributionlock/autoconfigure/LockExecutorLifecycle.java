package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.MessageText;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops an executor together with the application: after the web server has let its running requests end, so that
 * they keep their locks, and before the connections to Redis are closed, so that what is left can still be released.
 */
class LockExecutorLifecycle implements SmartLifecycle {

    /** Above the connection factory (0), below the web server's graceful stop (close to the maximum). */
    static final int PHASE = Integer.MAX_VALUE / 2;

    private static final Log log = LogFactory.getLog(LockExecutorLifecycle.class);

    /** Asked for once at the start, so that the first caller does not wait for the connection. Never taken. */
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
        // Again, if the application was stopped, or restored from a checkpoint.
        executor.start();
        executor.isLocked(WARM_UP_NAME).whenComplete((locked, failure) -> {
            if (failure != null && running) {
                log.warn("Locks cannot be had yet, and methods that need one will fail until they can: "
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
     * Spring pauses contexts of tests that are not in use, since 7.0, and starts them again later. An executor that nobody uses
     * does no harm, and to stop it would wait for what a test has left locked. (No override on Spring 6.)
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
