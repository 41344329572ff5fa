package io.distributionlock.benchmarks.workers;

/** What a worker does in one round, step by step as the coordinator asks. All steps are taken by one thread. */
public interface Job {

    Fields step(String step, Fields fields) throws Exception;

    /** Makes a job of a kind. */
    @FunctionalInterface
    interface Source {

        Job open(String kind, Fields fields) throws Exception;
    }
}
