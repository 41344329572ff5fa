package io.distributionlock;

import io.distributionlock.monitor.LockObserver;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the releases that it observes. */
final class CountingObserver implements LockObserver {

    final AtomicInteger released = new AtomicInteger();

    @Override
    public Attempt attempt(LockRequest request) {
        return lease -> released::incrementAndGet;
    }
}
