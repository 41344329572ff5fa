package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.LibraryContestant;
import io.distributionlock.benchmarks.contestants.Lock4jContestant;
import io.distributionlock.benchmarks.contestants.RedissonContestant;
import io.distributionlock.benchmarks.contestants.SpringContestant;
import io.distributionlock.benchmarks.contestants.Terms;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** All contestants. Each is used as its own documentation says; see docs/fault-table.md. */
enum Library {
    DISTRIBUTION_LOCK("distribution-lock", "distribution-lock:{%s}", true, LibraryContestant.Mode.PLAIN),
    DISTRIBUTION_LOCK_FAIR("distribution-lock fair", "distribution-lock:{%s}", true, LibraryContestant.Mode.FAIR),
    DISTRIBUTION_LOCK_TOKEN("distribution-lock token", "distribution-lock:{%s}", true, LibraryContestant.Mode.FENCED),
    REDISSON("redisson", "%s", false, RedissonContestant.Mode.PLAIN),
    REDISSON_WATCHDOG("redisson watchdog", "%s", true, RedissonContestant.Mode.WATCHDOG),
    REDISSON_FAIR("redisson fair", "%s", true, RedissonContestant.Mode.FAIR),
    REDISSON_FENCED("redisson fenced", "%s", true, RedissonContestant.Mode.FENCED),
    LOCK4J("lock4j", "%s", true, terms -> new Lock4jContestant(terms, true)),
    SPRING_INTEGRATION("spring-integration", RedisLockType.SPIN_LOCK, false),
    SPRING_INTEGRATION_PUBSUB("spring-integration pub-sub", RedisLockType.PUB_SUB_LOCK, true),
    /** Waits for nothing: whoever finds the lock taken comes again with the scheduler. */
    SHEDLOCK("shedlock", "job-lock:default:%s", false, ShedLockContestant::new),
    /** To be found, or the rack is not fit. */
    BROKEN("broken", UnownedContestant.KEY, false, UnownedContestant::new);

    /** How long a lock outlives its holder, renewed or not: short, so that an episode is. */
    static final Duration LEASE = Duration.ofSeconds(3);

    /** How long an attempt waits for its turn. */
    static final Duration WAIT = Duration.ofSeconds(5);

    /** How long the clients of Spring wait for an answer of Redis, as is usual; its default of a minute would only harm the peers. */
    static final Duration ANSWER = Duration.ofSeconds(2);

    private final String title;
    private final String key;
    /** Whether a section may take longer than a lease. */
    final boolean renewed;

    private final Function<Terms, Contestant> contestant;

    Library(String title, String key, boolean renewed, Function<Terms, Contestant> contestant) {
        this.title = title;
        this.key = key;
        this.renewed = renewed;
        this.contestant = contestant;
    }

    Library(String title, String key, boolean renewed, LibraryContestant.Mode mode) {
        this(title, key, renewed, terms -> new LibraryContestant(terms, mode));
    }

    Library(String title, String key, boolean renewed, RedissonContestant.Mode mode) {
        this(title, key, renewed, terms -> new RedissonContestant(terms, mode));
    }

    Library(String title, RedisLockType type, boolean renewed) {
        this(
                title,
                SpringContestant.REGISTRY_KEY + ":%s",
                renewed,
                terms -> new SpringContestant(terms, type, renewed));
    }

    @Override
    public String toString() {
        return title;
    }

    Contestant connect(Address redis) {
        return contestant.apply(new Terms(redis, LEASE, WAIT, ANSWER));
    }

    /** The key that says who holds a lock. */
    String key(String name) {
        return String.format(key, name);
    }
}
