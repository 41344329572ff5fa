package io.distributionlock;

import io.distributionlock.monitor.LockObserver;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the releases that it observes. */
final class CountingObserver implements LockObserver {

    final AtomicInteger released = new AtomicInteger();

    @Override
    public Attempt attempt(LockRequest request) {
        return new Attempt() {
            @Override
            public Hold acquired(Lease lease) {
                return new Hold() {
                    @Override
                    public void released() {
                        released.incrementAndGet();
                    }

                    @Override
                    public void lost() {}
                };
            }

            @Override
            public void notAcquired(LockOutcome.NotAcquired outcome) {}

            @Override
            public void failed(Throwable mistake) {}
        };
    }
}
