package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.LibraryContestant;
import io.distributionlock.benchmarks.contestants.LibraryContestant.Mode;
import io.distributionlock.benchmarks.contestants.Lock4jContestant;
import io.distributionlock.benchmarks.contestants.RedissonContestant;
import io.distributionlock.benchmarks.contestants.RedissonQuorumContestant;
import io.distributionlock.benchmarks.contestants.SpringContestant;
import io.distributionlock.benchmarks.contestants.Terms;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** All contestants. Each is used as its own documentation says; see docs/fault-table.md. */
enum Library {
    DISTRIBUTION_LOCK("distribution-lock", "distribution-lock:{%s}", true, Mode.PLAIN),
    DISTRIBUTION_LOCK_FAIR("distribution-lock fair", "distribution-lock:{%s}", true, Mode.FAIR),
    DISTRIBUTION_LOCK_TOKEN("distribution-lock token", "distribution-lock:{%s}", true, Mode.FENCED),
    /** The first again, for faults of replicas: each lock is on one of them before it counts. */
    REPLICA_ACKS("replica-acks", "distribution-lock:{%s}", true, Mode.PLAIN),
    REDISSON("redisson", "%s", false, RedissonContestant.Mode.PLAIN),
    REDISSON_WATCHDOG("redisson watchdog", "%s", true, RedissonContestant.Mode.WATCHDOG),
    REDISSON_FAIR("redisson fair", "%s", true, RedissonContestant.Mode.FAIR),
    REDISSON_FENCED("redisson fenced", "%s", true, RedissonContestant.Mode.FENCED),
    LOCK4J("lock4j", "%s", true, terms -> new Lock4jContestant(terms, true)),
    SPRING_INTEGRATION("spring-integration", RedisLockType.SPIN_LOCK, false),
    SPRING_INTEGRATION_PUBSUB("spring-integration pub-sub", RedisLockType.PUB_SUB_LOCK, true),
    /** Waits for nothing: a caller that finds the lock taken comes again with the scheduler. */
    SHEDLOCK("shedlock", ShedLockContestant.KEY, false, terms -> new ShedLockContestant(terms, false)),
    SHEDLOCK_SAFE("shedlock safe", ShedLockContestant.KEY, false, terms -> new ShedLockContestant(terms, true)),
    /** To be found, or the rack is not fit. */
    BROKEN("broken", UnownedContestant.KEY, false, UnownedContestant::new),
    QUORUM(World.QUORUM, "quorum", "distribution-lock:{%s}", terms -> new LibraryContestant(terms, Mode.PLAIN)),
    REDISSON_REDLOCK("redisson redlock", RedissonQuorumContestant.Mode.MAJORITY),
    REDISSON_MULTILOCK("redisson multi-lock", RedissonQuorumContestant.Mode.ALL),
    CURATOR(World.CONSENSUS, "curator zookeeper", "/locks/%s", CuratorContestant::new);

    /** How long a lock outlives its holder, renewed or not: short, so that an episode is. */
    static final Duration LEASE = Duration.ofSeconds(3);

    /** How long a restarted node of a quorum does not count. */
    static final Duration RESTART_DELAY = LEASE;

    /** How long an attempt waits for its turn. */
    static final Duration WAIT = Duration.ofSeconds(5);

    /** How long the clients of Spring wait for an answer of Redis, as is usual; its default of a minute would only harm the peers. */
    static final Duration ANSWER = Duration.ofSeconds(2);

    final World world;
    private final String title;
    private final String key;
    /** Whether a section may take longer than a lease. */
    final boolean renewed;

    private final Function<Terms, Contestant> contestant;

    Library(String title, String key, boolean renewed, Function<Terms, Contestant> contestant) {
        this(World.REDIS, title, key, renewed, contestant);
    }

    /** Of another world, where all are renewed. */
    Library(World world, String title, String key, Function<Terms, Contestant> contestant) {
        this(world, title, key, true, contestant);
    }

    Library(World world, String title, String key, boolean renewed, Function<Terms, Contestant> contestant) {
        this.world = world;
        this.title = title;
        this.key = key;
        this.renewed = renewed;
        this.contestant = contestant;
    }

    Library(String title, String key, boolean renewed, Mode mode) {
        this(title, key, renewed, terms -> new LibraryContestant(terms, mode));
    }

    Library(String title, String key, boolean renewed, RedissonContestant.Mode mode) {
        this(title, key, renewed, terms -> new RedissonContestant(terms, mode));
    }

    Library(String title, RedissonQuorumContestant.Mode mode) {
        this(World.QUORUM, title, "%s", terms -> new AskedContestant(new RedissonQuorumContestant(terms, mode, true)));
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
        // Longer than a lease, as its page asks for.
        System.setProperty("distribution-lock.quorum.restart-delay", RESTART_DELAY.toMillis() + "ms");
        System.setProperty("distribution-lock.redis.min-replicas-to-ack", this == REPLICA_ACKS ? "1" : "0");
        return contestant.apply(new Terms(redis, LEASE, WAIT, ANSWER));
    }

    /** Comes again after a while instead of waiting. */
    boolean waitsForNothing() {
        return this == SHEDLOCK || this == SHEDLOCK_SAFE;
    }

    /** The key that says who holds a lock. */
    String key(String name) {
        return String.format(key, name);
    }
}
