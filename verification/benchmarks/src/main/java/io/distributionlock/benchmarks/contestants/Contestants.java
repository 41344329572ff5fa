package io.distributionlock.benchmarks.contestants;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** All contestants by their names, and what is the same for all. */
public final class Contestants {

    public static final String LIBRARY = "distribution-lock";
    public static final String LIBRARY_FAIR = "distribution-lock fair";
    public static final String LIBRARY_TOKEN = "distribution-lock token";
    public static final String LIBRARY_UNAWAITED = "distribution-lock unawaited";
    public static final String LIBRARY_PERMITS = "distribution-lock permits";
    public static final String LIBRARY_QUORUM = "distribution-lock quorum";
    public static final String BARE = "bare SET NX";
    public static final String REDISSON = "redisson";
    public static final String REDISSON_WATCHDOG = "redisson watchdog";
    public static final String REDISSON_FAIR = "redisson fair";
    public static final String REDISSON_PERMITS = "redisson permits";
    public static final String REDISSON_REDLOCK = "redisson redlock";
    public static final String REDISSON_MULTILOCK = "redisson multilock";
    public static final String LOCK4J = "lock4j";
    public static final String SPRING_SPIN = "spring-integration spin";
    public static final String SPRING_PUBSUB = "spring-integration pub-sub";

    /** The locks of other libraries. */
    public static final List<String> PEERS = List.of(
            REDISSON,
            REDISSON_WATCHDOG,
            REDISSON_FAIR,
            REDISSON_PERMITS,
            REDISSON_REDLOCK,
            REDISSON_MULTILOCK,
            LOCK4J,
            SPRING_SPIN,
            SPRING_PUBSUB);

    /** Locks nothing; only a test of the benchmarks names it. */
    public static final String BROKEN = "broken";

    /** How many sections of a name may run at once, where permits are measured. */
    public static final int PERMITS = 4;

    /** How long each waits for a lock before it counts as timed out. */
    public static final Duration WAIT = Duration.ofSeconds(30);

    /** How long a lock outlives its holder, renewed or not. Short, so that renewals are seen in a short round. */
    public static final Duration LEASE = Duration.ofSeconds(9);

    /** A starved machine is slow, which is measured; it is no failure. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final Map<String, Function<Terms, Contestant>> BY_NAME = new TreeMap<>(Map.ofEntries(
            Map.entry(LIBRARY, terms -> new LibraryContestant(terms, LibraryContestant.Mode.PLAIN)),
            Map.entry(LIBRARY_FAIR, terms -> new LibraryContestant(terms, LibraryContestant.Mode.FAIR)),
            Map.entry(LIBRARY_TOKEN, terms -> new LibraryContestant(terms, LibraryContestant.Mode.TOKEN)),
            Map.entry(LIBRARY_UNAWAITED, terms -> new LibraryContestant(terms, LibraryContestant.Mode.UNAWAITED)),
            Map.entry(LIBRARY_PERMITS, terms -> new LibraryContestant(terms, LibraryContestant.Mode.PERMITS)),
            Map.entry(LIBRARY_QUORUM, terms -> new LibraryContestant(terms, LibraryContestant.Mode.PLAIN)),
            Map.entry(BARE, BareContestant::new),
            Map.entry(REDISSON, terms -> new RedissonContestant(terms, RedissonContestant.Mode.PLAIN)),
            Map.entry(REDISSON_WATCHDOG, terms -> new RedissonContestant(terms, RedissonContestant.Mode.WATCHDOG)),
            Map.entry(REDISSON_FAIR, terms -> new RedissonContestant(terms, RedissonContestant.Mode.FAIR)),
            Map.entry(REDISSON_PERMITS, terms -> new RedissonContestant(terms, RedissonContestant.Mode.PERMITS)),
            Map.entry(
                    REDISSON_REDLOCK,
                    terms -> new RedissonQuorumContestant(terms, RedissonQuorumContestant.Mode.MAJORITY, false)),
            Map.entry(
                    REDISSON_MULTILOCK,
                    terms -> new RedissonQuorumContestant(terms, RedissonQuorumContestant.Mode.ALL, false)),
            Map.entry(LOCK4J, terms -> new Lock4jContestant(terms, false)),
            Map.entry(SPRING_SPIN, terms -> new SpringContestant(terms, RedisLockType.SPIN_LOCK, false)),
            Map.entry(SPRING_PUBSUB, terms -> new SpringContestant(terms, RedisLockType.PUB_SUB_LOCK, false)),
            Map.entry(BROKEN, terms -> new BrokenContestant())));

    private Contestants() {}

    /** Those that lock. */
    public static List<String> names() {
        return BY_NAME.keySet().stream().filter(name -> !name.equals(BROKEN)).toList();
    }

    /** Connects a contestant to Redis. */
    public static Contestant connect(String name, Address redis) {
        Function<Terms, Contestant> contestant = BY_NAME.get(name);
        if (contestant == null) {
            throw new IllegalArgumentException("No contestant '" + name + "': it is one of " + BY_NAME.keySet());
        }
        return contestant.apply(new Terms(redis, LEASE, WAIT, ANSWER));
    }
}
