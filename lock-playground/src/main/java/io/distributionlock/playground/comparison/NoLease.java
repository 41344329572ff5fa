package io.distributionlock.playground.comparison;

import io.distributionlock.Lease;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.function.Consumer;

/** Stands for a lock and guards nothing. */
record NoLease(String name) implements Lease {

    @Override
    public long fencingToken() {
        return 0;
    }

    @Override
    public boolean isValid() {
        return true;
    }

    @Override
    public Duration remaining() {
        return Duration.ofDays(1);
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        return true;
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        // There is nothing to lose.
    }

    @Override
    public ReleaseResult release() {
        return ReleaseResult.RELEASED;
    }
}
