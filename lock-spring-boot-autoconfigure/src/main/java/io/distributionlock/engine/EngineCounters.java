package io.distributionlock.engine;

import io.distributionlock.monitor.LockCounters;
import java.util.concurrent.atomic.LongAdder;

/** Counts for one engine; it goes on where a previous one stopped. */
final class EngineCounters implements LockCounters {

    final LongAdder unconfirmedReleases = new LongAdder();
    final LongAdder droppedReleases = new LongAdder();
    final LongAdder lostLeases = new LongAdder();
    final LongAdder busyAttempts = new LongAdder();
    final LongAdder backendFailures = new LongAdder();
    final LongAdder renewals = new LongAdder();
    final LongAdder localHandovers = new LongAdder();
    final LongAdder remoteHandovers = new LongAdder();

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

    @Override
    public long unconfirmedReleases() {
        return unconfirmedReleases.sum();
    }

    @Override
    public long droppedReleases() {
        return droppedReleases.sum();
    }

    @Override
    public long lostLeases() {
        return lostLeases.sum();
    }

    @Override
    public long busyAttempts() {
        return busyAttempts.sum();
    }

    @Override
    public long backendFailures() {
        return backendFailures.sum();
    }

    @Override
    public long renewals() {
        return renewals.sum();
    }

    @Override
    public long localHandovers() {
        return localHandovers.sum();
    }

    @Override
    public long remoteHandovers() {
        return remoteHandovers.sum();
    }
}
