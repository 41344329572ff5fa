package io.distributionlock.engine;

import java.util.concurrent.atomic.LongAdder;

/** What has happened in this process since it started; only grows. */
public final class EngineCounters {

    final LongAdder unconfirmedReleases = new LongAdder();
    final LongAdder droppedReleases = new LongAdder();
    final LongAdder lostLeases = new LongAdder();

    EngineCounters() {}

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
}
