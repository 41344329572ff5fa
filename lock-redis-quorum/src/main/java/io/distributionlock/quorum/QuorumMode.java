package io.distributionlock.quorum;

/** How many of the nodes must grant a lock. */
public enum QuorumMode {

    /** More than half of the nodes. The others may be down. */
    MAJORITY,

    /** Every node. No lock is acquired while one is down, and a single node that keeps its data preserves exclusion. */
    ALL;

    /** The size of a quorum of so many nodes. */
    int needed(int nodes) {
        return this == ALL ? nodes : nodes / 2 + 1;
    }
}
