package io.distributionlock.quorum;

/** How many of the nodes must grant a lock. */
public enum QuorumMode {

    /** More than half of the nodes. The others may be down. */
    MAJORITY {
        @Override
        int needed(int nodes) {
            return nodes / 2 + 1;
        }
    },

    /** Every node. No lock is acquired while one is down, and a single node that keeps its data preserves exclusion. */
    ALL {
        @Override
        int needed(int nodes) {
            return nodes;
        }
    };

    /** The size of a quorum of so many nodes. */
    abstract int needed(int nodes);
}
