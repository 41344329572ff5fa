package io.distributionlock.engine;

import java.util.concurrent.locks.LockSupport;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Keeps what goes wrong with one lock away from all others: whatever is thrown, {@link Error}s too, is logged, and the next step
 * goes on. Neither this nor its logging ever throws.
 */
final class Failures {

    private static final Log log = LogFactory.getLog(LockEngine.class);

    /** Runs a step that may throw. */
    void guard(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            tell(e);
        }
    }

    void tell(Throwable failure) {
        try {
            log.error("A step of the lock engine failed; it goes on", failure);
        } catch (Throwable ignored) {
            // No memory or stack is left even to say so.
            LockSupport.parkNanos(1);
        }
    }
}
