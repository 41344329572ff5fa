package io.distributionlock.autoconfigure;

import io.distributionlock.LockDefaults;
import io.distributionlock.aop.LockOverride;
import io.distributionlock.aop.LockOverrides;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.InstanceName;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.ReplicaAcks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the distributed lock.
 *
 * @param enabled Whether anything is locked. If not, every lock is given to everybody at once, and methods run unguarded.
 * @param executor Where locks are kept: in Redis, in several independent Redis servers, or in this process only (for tests and
 *     single-node development).
 * @param defaults What applies where an annotation or a request says nothing.
 * @param locks What applies to the locks of one key, by the key as it stands in the annotation, whatever the annotation says.
 * @param redis How Redis is used.
 * @param quorum How locks are kept in several independent Redis servers.
 * @param executors Further places where locks are kept, by the name that annotations give as their executor.
 * @param localHandover How often a lock may pass between threads of this process while other processes wait for it.
 * @param shutdown What happens when the application stops.
 * @param validation Whether a wrong use of the annotations, or a property that does not exist, stops the start or is only logged.
 * @param findSelfInvocations Whether the bytecode of locked beans is searched at start-up for calls that an object makes to a
 *     locked method of itself, which bypass the proxy.
 * @param transactions How locks and transactions go together.
 * @param web How web applications answer when a lock was not got.
 * @param events What the application is told about locks.
 * @param endpoint What can be done to locks through the endpoint distributionlocks.
 */
@ConfigurationProperties(LockProperties.PREFIX)
public record LockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("redis") Executor executor,
        @DefaultValue Defaults defaults,
        @DefaultValue Map<String, KeyedLock> locks,
        @DefaultValue Redis redis,
        @DefaultValue Quorum quorum,
        @DefaultValue Map<String, NamedExecutor> executors,
        @DefaultValue LocalHandover localHandover,
        @DefaultValue Shutdown shutdown,
        @DefaultValue("fail") Validation validation,
        @DefaultValue("false") boolean findSelfInvocations,
        @DefaultValue Transactions transactions,
        @DefaultValue Web web,
        @DefaultValue Events events,
        @DefaultValue Endpoint endpoint) {

    static final String PREFIX = "distribution-lock";

    public LockProperties {
        locks = Map.copyOf(locks);
        locks.forEach((key, lock) -> lock.check(PREFIX + ".locks" + element(key)));
        quorum.check(PREFIX + ".quorum");
        executors.forEach((name, named) -> named.check(executorPrefix(name)));
    }

    LockOverrides toLockOverrides() {
        Map<String, LockOverride> byKey = new LinkedHashMap<>();
        locks.forEach((key, lock) -> byKey.put(key, lock.toOverride()));
        return new LockOverrides(byKey);
    }

    /** The times and bounds of this process, under a new instance name. */
    EngineSettings toEngineSettings() {
        EngineSettings standard = EngineSettings.standard(InstanceName.create());
        return new EngineSettings(
                standard.instance(),
                redis.commandTimeout(),
                standard.grantLease(),
                standard.heartbeat(),
                localHandover.maxCount(),
                localHandover.maxTime());
    }

    /** Where locks are kept. */
    public enum Executor {
        /** In Redis, for all processes that share it. */
        REDIS,
        /** In several independent Redis servers, for all processes that share them. */
        QUORUM,
        /** In this process; guards nothing against other processes. */
        LOCAL
    }

    /** What a wrong use of the annotations leads to. */
    public enum Validation {
        /** The application does not start. */
        FAIL,
        /** A warning is logged for each. */
        WARN
    }

    /**
     * What applies where an annotation or a request says nothing.
     *
     * @param tryLockTime How long an attempt waits for the lock; 0 makes a single attempt.
     * @param holdLockTime The length of the lease, which is renewed until the work ends; a crashed holder frees the lock after
     *     this time at the latest.
     * @param maxHoldTime How long a renewed lock may be held before it is given up and reported as lost; no limit if unset.
     */
    public record Defaults(
            @DefaultValue("5s") Duration tryLockTime,
            @DefaultValue("60s") Duration holdLockTime,
            @Nullable Duration maxHoldTime) {

        public Defaults {
            PropertyChecks.zeroOrMore(PREFIX + ".defaults.try-lock-time", tryLockTime);
            PropertyChecks.atLeastOneMillisecond(PREFIX + ".defaults.hold-lock-time", holdLockTime);
            if (maxHoldTime != null) {
                PropertyChecks.atLeastOneMillisecond(PREFIX + ".defaults.max-hold-time", maxHoldTime);
            }
        }

        LockDefaults toLockDefaults() {
            return new LockDefaults(tryLockTime, holdLockTime, maxHoldTime);
        }
    }

    /**
     * What applies to the locks of one key, whatever the annotation says. What is not set leaves the annotation as it is.
     *
     * @param tryLockTime How long an attempt waits for the lock; 0 makes a single attempt.
     * @param holdLockTime The length of the lease, which stays fixed or renewed as the annotation has it.
     * @param renewed Whether the lease is renewed until the method returns.
     * @param maxHoldTime How long a renewed lock may be held before it is given up and reported as lost.
     * @param minHoldTime How long the lock stays taken at least, even if it is released sooner.
     */
    public record KeyedLock(
            @Nullable Duration tryLockTime,
            @Nullable Duration holdLockTime,
            @Nullable Boolean renewed,
            @Nullable Duration maxHoldTime,
            @Nullable Duration minHoldTime) {

        /** The properties do not know their own key. */
        void check(String place) {
            if (tryLockTime != null) {
                PropertyChecks.zeroOrMore(place + ".try-lock-time", tryLockTime);
            }
            if (holdLockTime != null) {
                PropertyChecks.atLeastOneMillisecond(place + ".hold-lock-time", holdLockTime);
            }
            if (maxHoldTime != null) {
                PropertyChecks.atLeastOneMillisecond(place + ".max-hold-time", maxHoldTime);
            }
            if (minHoldTime != null) {
                PropertyChecks.zeroOrMore(place + ".min-hold-time", minHoldTime);
            }
        }

        LockOverride toOverride() {
            return new LockOverride(tryLockTime, holdLockTime, renewed, maxHoldTime, minHoldTime);
        }
    }

    /**
     * How Redis is used.
     *
     * @param keyPrefix What every key and channel in Redis begins with. Applications that share locks must share it.
     * @param commandTimeout How long one command may take, connecting included, before the backend counts as failed.
     * @param minReplicasToAck How many replicas of the Redis must have acknowledged a lock before it counts as held or renewed; 0
     *     asks none.
     * @param replicaAckTimeout How long Redis waits for these replicas each time. Three times this must fit into the command
     *     timeout.
     * @param connectionFactory The name of the RedisConnectionFactory bean that leads to the Redis of the locks. Without it, the only
     *     one or the primary one, which is that of spring.data.redis unless the application declares its own.
     * @param checkOnStart Whether the start waits for Redis and fails, with an explanation, if no lock can be had from it.
     */
    public record Redis(
            @DefaultValue("distribution-lock") String keyPrefix,
            @DefaultValue("2s") Duration commandTimeout,
            @DefaultValue("0") int minReplicasToAck,
            @DefaultValue("500ms") Duration replicaAckTimeout,
            @Nullable String connectionFactory,
            @DefaultValue("false") boolean checkOnStart) {

        public Redis {
            PropertyChecks.keyPrefix(PREFIX + ".redis.key-prefix", keyPrefix);
            PropertyChecks.atLeastOneMillisecond(PREFIX + ".redis.command-timeout", commandTimeout);
            PropertyChecks.replicaAcks(
                    PREFIX + ".redis.min-replicas-to-ack",
                    minReplicasToAck,
                    PREFIX + ".redis.replica-ack-timeout",
                    replicaAckTimeout,
                    PREFIX + ".redis.command-timeout",
                    commandTimeout);
        }

        ReplicaAcks toReplicaAcks() {
            return new ReplicaAcks(minReplicasToAck, replicaAckTimeout);
        }
    }

    /**
     * How locks are kept in several independent Redis servers.
     *
     * @param nodes The URIs of the servers, such as redis://user:password@host:6379/0, or rediss:// for TLS. All processes name the
     *     same ones.
     * @param mode How many of the servers have to agree.
     * @param nodeTimeout How long one command to one server may take before that server is done without.
     * @param driftFactor By which part of a lease the clocks of two machines may run apart while it lasts.
     * @param retryDelay How long on average a process waits before it asks for a busy lock again.
     * @param restartDelay For how long a server that was started does not count; at least the longest lease. 0 counts it at once.
     */
    public record Quorum(
            @DefaultValue List<String> nodes,
            @DefaultValue("majority") QuorumMode mode,
            @DefaultValue("200ms") Duration nodeTimeout,
            @DefaultValue("0.01") double driftFactor,
            @DefaultValue("50ms") Duration retryDelay,
            @DefaultValue("0s") Duration restartDelay) {

        public Quorum {
            nodes = List.copyOf(nodes);
        }

        /** The properties do not know whose quorum it is. */
        void check(String place) {
            PropertyChecks.atLeastOneMillisecond(place + ".node-timeout", nodeTimeout);
            PropertyChecks.fraction(place + ".drift-factor", driftFactor);
            PropertyChecks.atLeastOneMillisecond(place + ".retry-delay", retryDelay);
            PropertyChecks.zeroOrMore(place + ".restart-delay", restartDelay);
        }

        QuorumSettings toSettings() {
            return new QuorumSettings(mode, nodeTimeout, driftFactor, retryDelay, restartDelay);
        }
    }

    /**
     * A further place where locks are kept.
     *
     * @param type What it is.
     * @param url The URI of the Redis of type redis; without it and a connectionFactory, that of the application is used.
     * @param connectionFactory The name of the RedisConnectionFactory bean of type redis, in place of a url.
     * @param keyPrefix What its keys and channels begin with; that of distribution-lock.redis.key-prefix if unset.
     * @param quorum The servers of type quorum; as distribution-lock.quorum.
     */
    public record NamedExecutor(
            @Nullable Executor type,
            @Nullable String url,
            @Nullable String connectionFactory,
            @Nullable String keyPrefix,
            @DefaultValue Quorum quorum) {

        /** The properties do not know the name of their executor. */
        void check(String place) {
            if (type == null) {
                throw new IllegalArgumentException(place + ".type is not set: set it to 'redis', 'quorum' or 'local'.");
            }
            if (url != null && connectionFactory != null) {
                throw new IllegalArgumentException(
                        place + ".url and " + place + ".connection-factory are both set: keep one of them.");
            }
            if (type != Executor.REDIS && (url != null || connectionFactory != null)) {
                throw new IllegalArgumentException(place + (url != null ? ".url" : ".connection-factory")
                        + " is set, which is for type 'redis': a quorum names its servers in "
                        + place + ".quorum.nodes, and a local executor has none.");
            }
            if (keyPrefix != null) {
                PropertyChecks.keyPrefix(place + ".key-prefix", keyPrefix);
            }
            quorum.check(place + ".quorum");
        }

        /** Never {@code null} after {@link #check}. */
        @Override
        public Executor type() {
            return Objects.requireNonNull(type);
        }

        boolean hasType() {
            return type != null;
        }

        boolean needsOwnConnections() {
            return type == Executor.QUORUM || url != null;
        }
    }

    /** What the names of the properties of one executor begin with. */
    static String executorPrefix(String name) {
        return PREFIX + ".executors" + element(name);
    }

    /** The key of a map as it stands in the name of a property. */
    static String element(String key) {
        return key.matches("[A-Za-z0-9-]+|<key>") ? "." + key : "[" + key + "]";
    }

    /**
     * How often a lock may pass between threads of this process while other processes wait for it.
     *
     * @param maxCount How many times in a row a lock may pass between threads of this process while other processes wait for it; 0
     *     passes every lock on through the backend.
     * @param maxTime For how long in a row a lock may pass between threads of this process while other processes wait for it; 0
     *     passes every lock on through the backend.
     */
    public record LocalHandover(
            @DefaultValue("128") int maxCount,
            @DefaultValue("10ms") Duration maxTime) {

        public LocalHandover {
            if (maxCount < 0) {
                throw new IllegalArgumentException(PREFIX + ".local-handover.max-count is " + maxCount
                        + ": set it to 1 or more, or to 0 to pass every lock on through the backend.");
            }
            PropertyChecks.zeroOrMore(PREFIX + ".local-handover.max-time", maxTime);
        }
    }

    /**
     * What happens when the application stops.
     *
     * @param timeout How long running methods may go on before their locks are released.
     */
    public record Shutdown(@DefaultValue("30s") Duration timeout) {

        public Shutdown {
            PropertyChecks.zeroOrMore(PREFIX + ".shutdown.timeout", timeout);
        }
    }

    /** What locked work does that is called inside a transaction. */
    public enum OuterTransaction {
        /** Holds its lock until the transaction has ended, so that the next holder sees what was written. */
        HOLD,
        /** Refuses with an exception. */
        REFUSE
    }

    /**
     * How locks and transactions go together.
     *
     * @param outer What locked work does that is called inside a transaction.
     */
    public record Transactions(@DefaultValue("hold") OuterTransaction outer) {}

    /**
     * How web applications answer when a lock was not got.
     *
     * @param problemDetails Whether a lock that was not got, and that nothing else answers for, becomes a problem detail (RFC
     *     9457): 409 with Retry-After when it is busy, 503 when the backend failed.
     */
    public record Web(@DefaultValue("true") boolean problemDetails) {}

    /**
     * What the application is told about locks.
     *
     * @param enabled Whether events are published when locks are acquired, released, busy, or released by force.
     */
    public record Events(@DefaultValue("true") boolean enabled) {}

    /**
     * What can be done to locks through the endpoint distributionlocks.
     *
     * @param forceRelease Releasing a lock by force.
     */
    public record Endpoint(@DefaultValue ForceRelease forceRelease) {}

    /**
     * Releasing a lock by force.
     *
     * @param enabled Whether a lock can be freed through the endpoint, whoever holds it.
     */
    public record ForceRelease(@DefaultValue("false") boolean enabled) {}
}
