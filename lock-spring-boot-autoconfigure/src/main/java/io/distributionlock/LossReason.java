package io.distributionlock;

/** Why a lease was lost, as far as this process knows. */
public enum LossReason {

    /** Its fixed hold time, or the maximum of a renewed lease, was over before its release. */
    EXPIRED("its hold time was over", "Use a longer hold time or a renewed lease."),

    /**
     * It was released by force ({@link LockTemplate#forceRelease}). A process that no message told of it finds the lock
     * {@link #GONE}.
     */
    FORCED("it was released by force", "Find out who released it."),

    /** The backend no longer has it: it was deleted or not replicated, or this machine and its clock stood still. */
    GONE(
            "it is gone from the backend",
            "See whether the backend has lost data or deleted keys, or whether this machine was suspended."),

    /** The backend confirmed no renewal before the lease ended. */
    NO_ANSWER("the backend did not renew it in time", "See whether the backend and the network to it work."),

    /** This process was paused until the lease had ended, for example by its garbage collector. */
    PAUSED(
            "this process was paused until it had ended",
            "See how long the garbage collector, the machine or a lack of processors stops the process."),

    /** The executor was stopped before the release, for example because the application ended. */
    STOPPED("its executor was stopped", "End the work before the application stops."),

    /** The executor does not tell the reason. */
    UNKNOWN("its executor does not say why", "See whether the lease was long enough and its backend worked.");

    private final String cause;
    private final String advice;

    LossReason(String cause, String advice) {
        this.cause = cause;
        this.advice = advice;
    }

    /** What happened, as a clause for a message. */
    public String cause() {
        return cause;
    }

    /** What can be done against it, as a sentence. */
    public String advice() {
        return advice;
    }

    /** What follows "was lost before …" in a message. */
    String explanation() {
        return ": " + cause + ". Another holder may have acquired the lock in the meantime: check or undo the work. "
                + advice;
    }
}
