package io.distributionlock;

/** The lease ended before the work that it guarded: another may have held the lock meanwhile. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /** The lease of this lock was lost. */
    public LockLostException(String lockName) {
        super(
                lockName,
                "The lease of lock '" + MessageText.of(lockName)
                        + "' ended before the work that it guarded. Another may have held the lock"
                        + " meanwhile: check or undo what was done, and hold the lock longer or let it be renewed.",
                null);
    }
}
