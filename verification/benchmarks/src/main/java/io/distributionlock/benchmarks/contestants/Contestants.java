package io.distributionlock.benchmarks.contestants;

import io.distributionlock.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** All contestants by their names, and what is the same for all. */
public final class Contestants {

    public static final String LIBRARY = "distribution-lock";
    public static final String LIBRARY_FAIR = "distribution-lock fair";
    public static final String FLOOR = "lettuce";
    public static final String REDISSON = "redisson";
    public static final String REDISSON_WATCHDOG = "redisson watchdog";
    public static final String REDISSON_FAIR = "redisson fair";
    public static final String LOCK4J = "lock4j";
    public static final String SPRING_SPIN = "spring-integration spin";
    public static final String SPRING_PUBSUB = "spring-integration pub-sub";

    /** Locks nothing; only a test of the benchmarks names it. */
    public static final String BROKEN = "broken";

    /** How long each waits for a lock before it counts as timed out. */
    public static final Duration WAIT = Duration.ofSeconds(30);

    /** How long a lock outlives its holder, renewed or not. Short, so that renewals are seen in a short round. */
    public static final Duration LEASE = Duration.ofSeconds(15);

    /** A starved machine is slow, which is measured; it is no failure. */
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);

    private static final Map<String, IntFunction<Contestant>> BY_NAME = new TreeMap<>(Map.of(
            LIBRARY, port -> new LibraryContestant(port, LockKind.REENTRANT),
            LIBRARY_FAIR, port -> new LibraryContestant(port, LockKind.FAIR),
            FLOOR, FloorContestant::new,
            REDISSON, port -> new RedissonContestant(port, RedissonContestant.Mode.PLAIN),
            REDISSON_WATCHDOG, port -> new RedissonContestant(port, RedissonContestant.Mode.WATCHDOG),
            REDISSON_FAIR, port -> new RedissonContestant(port, RedissonContestant.Mode.FAIR),
            LOCK4J, Lock4jContestant::new,
            SPRING_SPIN, port -> new SpringContestant(port, RedisLockType.SPIN_LOCK),
            SPRING_PUBSUB, port -> new SpringContestant(port, RedisLockType.PUB_SUB_LOCK),
            BROKEN, port -> new BrokenContestant()));

    private Contestants() {}

    /** Those that lock. */
    public static List<String> names() {
        return BY_NAME.keySet().stream().filter(name -> !name.equals(BROKEN)).toList();
    }

    /** Connects a contestant to the Redis at this port of the machine. */
    public static Contestant connect(String name, int port) {
        IntFunction<Contestant> contestant = BY_NAME.get(name);
        if (contestant == null) {
            throw new IllegalArgumentException("No contestant '" + name + "': it is one of " + BY_NAME.keySet());
        }
        return contestant.apply(port);
    }
}
