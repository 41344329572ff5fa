package io.distributionlock.engine;

import java.util.concurrent.atomic.LongAdder;

/** Counts what has happened in this process since it started. */
public final class EngineCounters {

    final LongAdder unconfirmedReleases = new LongAdder();
    final LongAdder droppedReleases = new LongAdder();
    final LongAdder lostLeases = new LongAdder();
    final LongAdder busyAttempts = new LongAdder();
    final LongAdder backendFailures = new LongAdder();
    final LongAdder renewals = new LongAdder();
    final LongAdder localHandovers = new LongAdder();
    final LongAdder remoteHandovers = new LongAdder();

    EngineCounters() {}

    /** Continues the counts of a previous engine. */
    void continueFrom(EngineCounters earlier) {
        unconfirmedReleases.add(earlier.unconfirmedReleases());
        droppedReleases.add(earlier.droppedReleases());
        lostLeases.add(earlier.lostLeases());
        busyAttempts.add(earlier.busyAttempts());
        backendFailures.add(earlier.backendFailures());
        renewals.add(earlier.renewals());
        localHandovers.add(earlier.localHandovers());
        remoteHandovers.add(earlier.remoteHandovers());
    }

    /** Releases that were not answered in time, and were repeated in the background. */
    public long unconfirmedReleases() {
        return unconfirmedReleases.sum();
    }

    /** Releases that were never answered, and are no longer repeated. */
    public long droppedReleases() {
        return droppedReleases.sum();
    }

    /** Leases that ended before they were released. */
    public long lostLeases() {
        return lostLeases.sum();
    }

    /** Attempts that ended because others held the lock throughout. */
    public long busyAttempts() {
        return busyAttempts.sum();
    }

    /** Attempts that ended because the backend failed, or because this process stops. */
    public long backendFailures() {
        return backendFailures.sum();
    }

    /** Leases that were renewed. */
    public long renewals() {
        return renewals.sum();
    }

    /** Locks that passed from one holder to the next inside this process, without the backend. */
    public long localHandovers() {
        return localHandovers.sum();
    }

    /** Locks that another process, or the backend, handed over to a waiter of this process. */
    public long remoteHandovers() {
        return remoteHandovers.sum();
    }
}
