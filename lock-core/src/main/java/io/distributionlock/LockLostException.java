package io.distributionlock;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.internal.MessageText;

/** The lease was lost before the guarded work ended: another holder may have acquired the lock in the meantime. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final LossReason reason;

    /** The lease of this lock was lost for this reason. */
    public LockLostException(String lockName, LossReason reason) {
        super(
                "The lease of lock '" + MessageText.of(lockName) + "' was lost before the guarded work ended"
                        + reason.explanation(),
                null);
        this.lockName = lockName;
        this.reason = reason;
    }

    /** The name of the lock. */
    public String lockName() {
        return lockName;
    }

    /** Why the lease was lost. */
    public LossReason reason() {
        return reason;
    }
}
