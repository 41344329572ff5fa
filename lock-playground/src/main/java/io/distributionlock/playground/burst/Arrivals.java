package io.distributionlock.playground.burst;

import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockMonitor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Lets requests reach a lock one by one. Only so is it known who came first: on a busy machine, a request that was sent
 * later may overtake another one on its way to the lock.
 */
@Component
class Arrivals {

    private static final long LOOK_AGAIN_MILLIS = 2;

    private final ObjectProvider<LockMonitor> monitor;

    Arrivals(ObjectProvider<LockMonitor> monitor) {
        this.monitor = monitor;
    }

    /** Waits until so many requests of the burst have been answered, hold the lock or wait for it. */
    void await(int sent, Burst burst, String lock) throws InterruptedException {
        LockMonitor locks = monitor.getIfAvailable();
        // The answers first: so a request that leaves the lock meanwhile is missed, not counted twice.
        while (locks != null && burst.ended() + at(lock, locks) < sent) {
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    private static long at(String lock, LockMonitor locks) {
        return locks.inspect(lock).handle(Arrivals::count).join();
    }

    /** If Redis fails, none is known to be there; the requests are answered nevertheless. */
    private static long count(@Nullable LockInspection seen, @Nullable Throwable failure) {
        return seen == null ? 0 : seen.waiting() + seen.inside().size();
    }
}
