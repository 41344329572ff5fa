package io.distributionlock.quorum;

/** What a {@link Round} wants to be done, in this order, once its event is over. */
sealed interface Step {

    /** Asks a node to lift its fencing number, and with that whether the claim still owns the lock there. */
    record Raise(int node, long fence) implements Step {}

    /** Gives back what a node may have given. */
    record GiveBack(int node, boolean bury) implements Step {}

    /** A quorum holds: the lock is got, under this fencing number. */
    record Won(long fence) implements Step {}

    /** Too many nodes have given the lock to somebody else. */
    record Busy(long fence) implements Step {}

    /** Too many nodes failed. */
    record Failed(Throwable cause) implements Step {}

    /** The lock was got, and was taken away by force on so many nodes that the rest is no quorum. */
    record Deprived() implements Step {}
}
