package io.distributionlock.engine;

import java.util.concurrent.atomic.LongAdder;

/** What has happened in this process since it started; only grows. */
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

    /** Goes on counting where another one has stopped. */
    void goOnFrom(EngineCounters earlier) {
        unconfirmedReleases.add(earlier.unconfirmedReleases());
        droppedReleases.add(earlier.droppedReleases());
        lostLeases.add(earlier.lostLeases());
        busyAttempts.add(earlier.busyAttempts());
        backendFailures.add(earlier.backendFailures());
        renewals.add(earlier.renewals());
        localHandovers.add(earlier.localHandovers());
        remoteHandovers.add(earlier.remoteHandovers());
    }

    /** Releases that were not answered in time, and went on in the background. */
    public long unconfirmedReleases() {
        return unconfirmedReleases.sum();
    }

    /** Releases that were never answered, and are repeated no longer. */
    public long droppedReleases() {
        return droppedReleases.sum();
    }

    /** Leases that ended before they were released. */
    public long lostLeases() {
        return lostLeases.sum();
    }

    /** Attempts that ended because others held the lock all the time. */
    public long busyAttempts() {
        return busyAttempts.sum();
    }

    /** Attempts that ended because the backend failed, or because this process stops. */
    public long backendFailures() {
        return backendFailures.sum();
    }

    /** Leases that were prolonged. */
    public long renewals() {
        return renewals.sum();
    }

    /** Locks that passed from one holder to the next inside this process, without the backend. */
    public long localHandovers() {
        return localHandovers.sum();
    }

    /** Locks that another process, or the backend, handed to a waiter of this one. */
    public long remoteHandovers() {
        return remoteHandovers.sum();
    }
}
