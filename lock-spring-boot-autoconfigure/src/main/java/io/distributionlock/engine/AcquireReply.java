package io.distributionlock.engine;

/** What the backend answers to an acquire. */
public sealed interface AcquireReply {

    /**
     * The claim owns the lock.
     *
     * @param fence the fencing number of this tenure
     * @param waiting how many claims stand in the queue
     */
    record Ok(long fence, long waiting) implements AcquireReply {}

    /**
     * Another claim owns the lock, or is ahead in the queue.
     *
     * @param leaseLeftMillis how long the present owner's lease lasts
     * @param fence the fencing number of the latest tenure, 0 if there was none
     */
    record Busy(long leaseLeftMillis, long fence) implements AcquireReply {}

    /** This claim was given up before. */
    record Gone() implements AcquireReply {}
}
