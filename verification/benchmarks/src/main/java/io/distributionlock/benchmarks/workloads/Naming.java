package io.distributionlock.benchmarks.workloads;

/** Which names the threads of a job lock. */
enum Naming {
    /** Each thread one name of its own. */
    OWN,
    /** All threads of all processes the same. */
    ONE,
    /** Each section one of a few, at random. */
    FEW,
    /** Each section another one, never used before. */
    MANY
}
