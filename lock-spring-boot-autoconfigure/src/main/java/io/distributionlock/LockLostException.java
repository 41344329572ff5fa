package io.distributionlock;

import io.distributionlock.internal.MessageText;

/** The lease was lost before the guarded work ended: another holder may have acquired the lock in the meantime. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /** The lease of this lock was lost. */
    public LockLostException(String lockName) {
        super(
                lockName,
                "The lease of lock '" + MessageText.of(lockName)
                        + "' was lost before the guarded work ended. Another holder may have acquired the lock in the"
                        + " meantime: check or undo the work. Use a longer hold time or a renewed lease.",
                null);
    }
}
