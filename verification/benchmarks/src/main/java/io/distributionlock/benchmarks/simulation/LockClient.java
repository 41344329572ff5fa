package io.distributionlock.benchmarks.simulation;

/** How the threads of one process get locks. A thread asks for one lock at a time. */
interface LockClient {

    /** @param entered happens when the thread has the lock and runs */
    void lock(String name, int thread, Runnable entered);

    /** @param left happens when the thread runs on */
    void unlock(String name, int thread, Runnable left);
}
