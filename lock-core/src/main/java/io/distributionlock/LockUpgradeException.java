package io.distributionlock;

import io.distributionlock.internal.MessageText;
import java.time.Duration;

/**
 * An owner that holds a lock for reading requested it exclusively. This is a programming error: two readers that upgrade would wait
 * for each other forever.
 */
public class LockUpgradeException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1L;

    LockUpgradeException(String lockName, Duration waited, LockKind requested) {
        this(
                lockName,
                waited,
                "Lock '" + MessageText.of(lockName)
                        + "' is held for reading by the owner that now requests it as "
                        + requested
                        + ". Release the read lock first, or acquire the lock as " + LockKind.WRITE
                        + " from the start and then read.");
    }

    LockUpgradeException(String lockName, Duration waited, String message) {
        super(lockName, LockFailureReason.INCOMPATIBLE, waited, message, null);
    }
}
