package io.distributionlock.engine;

/** What the backend answers to an acquire. */
public sealed interface AcquireReply {

    /**
     * The claim owns the lock.
     *
     * @param fence the fencing number of this tenure
     * @param waiting how many claims stand in the queue
     * @param still whether the claim is known to have owned it without a break since it was first told so; a reader's number is
     *     then a new one
     */
    record Ok(long fence, long waiting, boolean still) implements AcquireReply {

        /** The claim owns the lock; if it did before, the number says so. */
        public Ok(long fence, long waiting) {
            this(fence, waiting, false);
        }
    }

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
