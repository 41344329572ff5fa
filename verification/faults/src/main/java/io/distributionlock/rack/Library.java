package io.distributionlock.rack;

import java.util.function.BiFunction;

/** All contestants. Each is used as its own documentation says; see docs/fault-table.md. */
enum Library {
    DISTRIBUTION_LOCK("distribution-lock", "distribution-lock:{%s}", true, DistributionLocks::new),
    DISTRIBUTION_LOCK_FAIR("distribution-lock fair", "distribution-lock:{%s}", true, DistributionLocks::new),
    DISTRIBUTION_LOCK_TOKEN("distribution-lock token", "distribution-lock:{%s}", true, DistributionLocks::new),
    REDISSON("redisson", "%s", false, RedissonLocks::new),
    REDISSON_WATCHDOG("redisson watchdog", "%s", true, RedissonLocks::new),
    REDISSON_FAIR("redisson fair", "%s", true, RedissonLocks::new),
    REDISSON_FENCED("redisson fenced", "%s", true, RedissonLocks::new),
    LOCK4J("lock4j", "%s", true, SpringLocks::new),
    SPRING_INTEGRATION("spring-integration", Library.REGISTRY + ":%s", false, SpringLocks::new),
    SPRING_INTEGRATION_PUBSUB("spring-integration pub-sub", Library.REGISTRY + ":%s", true, SpringLocks::new),
    /** Waits for nothing: whoever finds the lock taken comes again with the scheduler. */
    SHEDLOCK("shedlock", "job-lock:default:%s", false, SpringLocks::new),
    /** To be found, or the rack is not fit. */
    BROKEN("broken", "broken:%s", false, SpringLocks::new);

    /** With a hash tag, which its documentation asks for in a Cluster. */
    static final String REGISTRY = "{locks}";

    private final String title;
    private final String key;
    /** Whether a section may take longer than a lease. */
    final boolean renewed;

    final BiFunction<Address, Library, Contestant> contestant;

    Library(String title, String key, boolean renewed, BiFunction<Address, Library, Contestant> contestant) {
        this.title = title;
        this.key = key;
        this.renewed = renewed;
        this.contestant = contestant;
    }

    @Override
    public String toString() {
        return title;
    }

    /** The key that says who holds a lock. */
    String key(String name) {
        return String.format(key, name);
    }
}
