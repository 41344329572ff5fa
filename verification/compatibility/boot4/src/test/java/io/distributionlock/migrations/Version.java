package io.distributionlock.migrations;

/** What one version of an application does under its locks. */
interface Version {

    /** Runs the work, or fails or returns without running it if a lock is busy. */
    void run(Runnable work);
}
