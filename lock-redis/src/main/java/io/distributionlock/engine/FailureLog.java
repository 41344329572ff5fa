package io.distributionlock.engine;

import java.util.concurrent.locks.LockSupport;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Keeps the failure of one lock away from all others: logs whatever is thrown, {@link Error}s too, so that the next step can run.
 * Never throws, not even when logging fails.
 */
final class FailureLog {

    private static final Log log = LogFactory.getLog(LockEngine.class);

    private FailureLog() {}

    /** Runs a step that may throw. */
    static void guard(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    static void report(Throwable failure) {
        try {
            log.error("A step of the lock engine failed; the engine continues", failure);
        } catch (Throwable ignored) {
            // Not even enough memory or stack is left to log it.
            LockSupport.parkNanos(1);
        }
    }
}
