package io.distributionlock;

import java.time.Duration;
import java.util.List;

/**
 * The locks of the method that the calling thread is running, or of its work in a {@code LockTemplate}. Bound to that thread: it
 * is empty on other threads, in the operators of a {@code Mono} or {@code Flux}, and after the method or the work has ended, even if a
 * transaction around it still keeps its locks. A locked suspending function or {@code Flow}
 * of Kotlin has it on every thread that it runs on.
 */
public final class LockContext {

    private LockContext() {}

    /** The leases of the innermost locked method, in the order of their names; none outside of one. */
    public static List<Lease> leases() {
        return LockTemplate.PROVIDER.leasesOfThread();
    }

    /** Whether the calling thread is in a locked method whose locks are all still held. Sends no command. */
    public static boolean isHeld() {
        List<Lease> leases = leases();
        return !leases.isEmpty() && leases.stream().allMatch(Lease::isValid);
    }

    /**
     * The fencing token of the method's lock; with several locks, of the first by name.
     *
     * @throws IllegalStateException outside of a locked method
     */
    public static long fencingToken() {
        return requireLeases().get(0).fencingToken();
    }

    /**
     * Extends every lease of the method to at least this long from now; see {@link Lease#extend}.
     *
     * @return whether all of them were extended
     * @throws IllegalStateException outside of a locked method
     */
    public static boolean extend(Duration holdLockTime) {
        boolean all = true;
        for (Lease lease : requireLeases()) {
            all &= lease.extend(holdLockTime);
        }
        return all;
    }

    private static List<Lease> requireLeases() {
        List<Lease> leases = leases();
        if (leases.isEmpty()) {
            throw new IllegalStateException("Thread '" + Thread.currentThread().getName()
                    + "' is not in a locked method. Ask LockContext in a method with @DistributionLock, called through its"
                    + " bean and on the thread that runs it.");
        }
        return leases;
    }
}
