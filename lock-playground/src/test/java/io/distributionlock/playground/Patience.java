package io.distributionlock.playground;

/**
 * Longer times, for tests that do not test timing: on a busy machine, Redis or an instance may pause for longer than
 * the playground would wait.
 */
public final class Patience {

    /** No request fails because Redis has not answered yet. */
    public static final String WITH_REDIS = "distribution-lock.redis.command-timeout=20s";

    /** The same for the client of Redis. */
    public static final String WITH_CLIENT = "spring.data.redis.timeout=20s";

    /** A change without contention always acquires its lock. */
    public static final String WITH_ORDERS = "distribution-lock.locks.updateOrderStatus.try-lock-time=20s";

    /** Long enough to learn of the holder before the wait ends, and short enough for a test. */
    public static final String WITH_BUSY_ORDERS = "distribution-lock.locks.updateOrderStatus.try-lock-time=4s";

    private Patience() {}
}
