package io.distributionlock.quorum;

/** How many of the nodes have to agree that a lock is held. */
public enum QuorumMode {

    /** More than half of them. The others may be away. */
    MAJORITY {
        @Override
        int needed(int nodes) {
            return nodes / 2 + 1;
        }
    },

    /** Every one. Nothing goes while one is away, and one that keeps its data is enough for exclusion. */
    ALL {
        @Override
        int needed(int nodes) {
            return nodes;
        }
    };

    /** How many of so many nodes have to agree. */
    abstract int needed(int nodes);
}
