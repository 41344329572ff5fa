package io.distributionlock.benchmarks.workloads;

/** Where the Redis is that a variant needs. */
public enum Place {
    /** On this machine, without a network between. */
    HERE,
    /** Behind a network that delays whatever passes. */
    BEHIND_A_NETWORK,
    /** Three independent ones, on this machine. */
    THREE_MASTERS
}
