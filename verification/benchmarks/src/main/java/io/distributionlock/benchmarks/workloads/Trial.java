package io.distributionlock.benchmarks.workloads;

/** How a round is led. */
@FunctionalInterface
interface Trial {

    void run(Round round) throws Exception;
}
