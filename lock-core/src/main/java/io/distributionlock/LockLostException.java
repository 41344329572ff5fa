package io.distributionlock;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.internal.MessageText;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The lease was lost before the guarded work ended: another holder may have acquired the lock in the meantime. */
public class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final LossReason reason;
    private final @Nullable Long overtakenBy;

    /** The lease of this lock was lost for this reason. */
    public LockLostException(String lockName, LossReason reason) {
        super(
                "The lease of lock '" + MessageText.of(lockName) + "' was lost before the guarded work ended"
                        + reason.explanation(),
                null);
        this.lockName = lockName;
        this.reason = reason;
        this.overtakenBy = null;
    }

    /**
     * Another holder has announced itself in the database, so this one commits nothing there any more ({@link CommitGuard#DATABASE}).
     *
     * @param token the fencing token of the lease
     * @param overtakenBy that of the other holder, if it is known
     */
    public LockLostException(String lockName, long token, OptionalLong overtakenBy) {
        super(
                "Lock '" + MessageText.of(lockName) + "' was overtaken: the database has "
                        + (overtakenBy.isPresent()
                                ? "fencing token " + overtakenBy.getAsLong() + " of another holder, not "
                                : "no longer fencing token ")
                        + token
                        + ". Nothing of this transaction is committed: repeat the call, unless an earlier one of it is.",
                null);
        this.lockName = lockName;
        this.reason = LossReason.OVERTAKEN;
        this.overtakenBy = overtakenBy.isPresent() ? overtakenBy.getAsLong() : null;
    }

    /** The name of the lock. */
    public String lockName() {
        return lockName;
    }

    /** Why the lease was lost. */
    public LossReason reason() {
        return reason;
    }

    /** The fencing token of the holder that came after, if {@link CommitGuard#DATABASE} found one. */
    public OptionalLong overtakenBy() {
        return overtakenBy == null ? OptionalLong.empty() : OptionalLong.of(overtakenBy);
    }
}
