package io.distributionlock.sample;

/**
 * Properties for tests that are not about being late: on a busy machine, Redis or an instance may stand still for longer than the
 * sample would wait.
 */
final class Patience {

    /** Nobody who has not heard of Redis yet is told that it cannot be reached. */
    static final String WITH_REDIS = "distribution-lock.redis.command-timeout=20s";

    /** The same of the client below. */
    static final String WITH_CLIENT = "spring.data.redis.timeout=20s";

    /** Whoever changes an order that nobody else changes gets its lock. */
    static final String WITH_ORDERS = "distribution-lock.locks.updateOrderStatus.try-lock-time=20s";

    /** Long enough to hear of the holder before the wait ends, and not too long to be waited for. */
    static final String WITH_BUSY_ORDERS = "distribution-lock.locks.updateOrderStatus.try-lock-time=4s";

    private Patience() {}
}
