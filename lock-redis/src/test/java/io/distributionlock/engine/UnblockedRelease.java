package io.distributionlock.engine;

import io.distributionlock.Lease;

/** For simulations, in which no time passes while a thread waits. */
public final class UnblockedRelease {

    private UnblockedRelease() {}

    /** Releases, and does not wait for how that ends. */
    public static void of(Lease lease) {
        ((EngineLease) lease).releaseWithoutWaiting();
    }
}
