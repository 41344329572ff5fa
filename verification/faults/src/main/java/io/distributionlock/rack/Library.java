package io.distributionlock.rack;

import io.distributionlock.LockKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;

/** All contestants. Each is used as its own documentation says; see docs/fault-table.md. */
enum Library {
    DISTRIBUTION_LOCK(
            "distribution-lock",
            "distribution-lock:{%s}",
            true,
            (redis, library) -> new DistributionLocks(redis, request -> request, false)),
    DISTRIBUTION_LOCK_FAIR(
            "distribution-lock fair",
            "distribution-lock:{%s}",
            true,
            (redis, library) -> new DistributionLocks(redis, request -> request.kind(LockKind.FAIR), false)),
    DISTRIBUTION_LOCK_TOKEN(
            "distribution-lock token",
            "distribution-lock:{%s}",
            true,
            (redis, library) -> new DistributionLocks(redis, request -> request.fenced(), true)),
    REDISSON("redisson", "%s", false, (redis, library) -> new RedissonLocks(redis, RedissonLocks.Mode.LEASE)),
    REDISSON_WATCHDOG(
            "redisson watchdog", "%s", true, (redis, library) -> new RedissonLocks(redis, RedissonLocks.Mode.WATCHDOG)),
    REDISSON_FAIR("redisson fair", "%s", true, (redis, library) -> new RedissonLocks(redis, RedissonLocks.Mode.FAIR)),
    REDISSON_FENCED(
            "redisson fenced", "%s", true, (redis, library) -> new RedissonLocks(redis, RedissonLocks.Mode.FENCED)),
    LOCK4J("lock4j", "%s", true, SpringLocks::new),
    SPRING_INTEGRATION("spring-integration", Library.REGISTRY + ":%s", false, SpringLocks::new),
    SPRING_INTEGRATION_PUBSUB("spring-integration pub-sub", Library.REGISTRY + ":%s", true, SpringLocks::new),
    /** Waits for nothing: whoever finds the lock taken comes again with the scheduler. */
    SHEDLOCK("shedlock", "job-lock:default:%s", false, SpringLocks::new),
    /** To be found, or the rack is not fit. */
    BROKEN("broken", "broken:%s", false, SpringLocks::new);

    /** With a hash tag, which its documentation asks for in a Cluster. */
    static final String REGISTRY = "{locks}";

    final String title;
    private final String key;
    /** Whether a section may take longer than a lease. */
    final boolean renewed;

    private final BiFunction<Address, Library, Contestant> contestant;

    Library(String title, String key, boolean renewed, BiFunction<Address, Library, Contestant> contestant) {
        this.title = title;
        this.key = key;
        this.renewed = renewed;
        this.contestant = contestant;
    }

    static Library named(String title) {
        return Arrays.stream(values())
                .filter(library -> library.title.equals(title.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No library '" + title + "': one of "
                        + Arrays.stream(values()).map(library -> library.title).toList()));
    }

    /** The key that says who holds a lock. */
    String key(String name) {
        return String.format(key, name);
    }

    Contestant connect(Address redis) {
        return contestant.apply(redis, this);
    }
}
