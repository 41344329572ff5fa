package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * What the backend answers to an acquire.
 *
 * @hidden
 */
@Internal
public sealed interface AcquireReply {

    /**
     * The claim owns the lock.
     *
     * @param fence the fencing number of this ownership; 0 if none was drawn yet
     * @param waiting 0 if no claim waits in the queue
     * @param still whether the claim has owned the lock without a break since its first answer; a reader then gets a new number
     */
    record Ok(long fence, long waiting, boolean still) implements AcquireReply {

        /** The claim owns the lock; the number shows whether it did before. */
        public Ok(long fence, long waiting) {
            this(fence, waiting, false);
        }
    }

    /**
     * Another claim owns the lock, or is ahead in the queue.
     *
     * @param leaseLeftMillis how long the present owner's lease lasts; negative if there is none
     * @param fence the fencing number of the latest ownership, 0 if there was none
     */
    record Busy(long leaseLeftMillis, long fence) implements AcquireReply {}

    /**
     * The claim asks for a lock while another one has a permit of this name, or the other way round.
     *
     * @param holder the other claim
     */
    record Mixed(String holder) implements AcquireReply {}

    /** This claim was given up before. */
    record Gone() implements AcquireReply {}
}
