package io.distributionlock.leader;

/**
 * Is told when this instance begins to lead and before it must stop. Called on a thread of its own, one call at a time for each
 * election, in order; an exception is logged.
 *
 * <p>Start long work on a thread of your own: while {@link #onGranted} runs, the end of the term cannot be announced. The lock is
 * released one lease time after that end even if a listener has not returned.
 */
public interface LeaderListener {

    /** This instance leads. The term may be over already, if this comes late: {@link LeaderTerm#isValid()}. */
    default void onGranted(LeaderTerm term) {}

    /**
     * This instance must stop leading; {@link LeaderElection#isLeader()} is {@code false} by now. At a shutdown, and if the lease
     * could not be renewed in time, no other instance leads before this method has returned or {@link LeaderTerm#remaining()} is over.
     * If the lease is lost, {@link LeaderTerm#isValid()} is {@code false}, and another instance may lead already.
     *
     * <p>This instance stands for election again only after this method has returned.
     */
    default void onRevoked(LeaderTerm term) {}
}
