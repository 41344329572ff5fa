package io.distributionlock.monitor;

/** Counts what has happened in this process since it started. Thread-safe. */
public interface LockCounters {

    /** Releases that were not answered in time, and were repeated in the background. */
    long unconfirmedReleases();

    /** Releases that were never answered, and are no longer repeated. */
    long droppedReleases();

    /** Leases that ended before they were released. */
    long lostLeases();

    /** Attempts that ended because others held the lock throughout. */
    long busyAttempts();

    /** Attempts that ended because the backend failed, or because this process stops. */
    long backendFailures();

    /** Leases that were renewed. */
    long renewals();

    /** Locks that passed from one holder to the next inside this process, without the backend. */
    long localHandovers();

    /** Locks that another process, or the backend, handed over to a waiter of this process. */
    long remoteHandovers();
}
