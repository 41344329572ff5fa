package io.distributionlock.autoconfigure;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockDefaults;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.interceptor.LockOverrides.LockOverride;
import io.distributionlock.internal.Internal;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the distributed lock. Conditions read some of them by name.
 *
 * @param enabled Whether to lock at all. If false, every attempt succeeds at once and nothing is guarded.
 * @param executor Where locks are kept: in Redis, in several independent Redis servers, or in this process only (for tests and
 *     development).
 * @param defaults Defaults for what an annotation or a request does not set.
 * @param locks Times for the locks of one key, by the key as in the annotation. They override the annotation.
 * @param redis How Redis is used.
 * @param quorum How locks are kept in several independent Redis servers.
 * @param leader The elections of this application.
 * @param localHandover Limits for passing a lock between threads of this process while other processes wait for it.
 * @param shutdown What happens when the application stops.
 * @param validation Whether annotations that cannot work fail the startup or are only logged.
 * @param transactions How locks and transactions work together.
 * @param advice Where the advice of locked methods stands.
 * @param jdbc How commit-guard database keeps fencing tokens in a database.
 * @param events Which events are published.
 * @param endpoint What the endpoint distributionlocks can do.
 * @hidden
 */
@Internal
@ConfigurationProperties(prefix = LockProperties.PREFIX, ignoreUnknownFields = false)
public record LockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("redis") Executor executor,
        @DefaultValue Defaults defaults,
        @DefaultValue Map<String, KeyedLock> locks,
        @DefaultValue Redis redis,
        @DefaultValue Quorum quorum,
        @DefaultValue Leader leader,
        @DefaultValue LocalHandover localHandover,
        @DefaultValue Shutdown shutdown,
        @DefaultValue("fail") Validation validation,
        @DefaultValue Transactions transactions,
        @Nullable Advice advice,
        @DefaultValue Jdbc jdbc,
        @Nullable Events events,
        @Nullable Endpoint endpoint) {

    public static final String PREFIX = "distribution-lock";

    public LockProperties {
        locks = Map.copyOf(locks);
        locks.forEach((key, lock) -> lock.check(PREFIX + ".locks" + element(key)));
    }

    public LockOverrides toLockOverrides() {
        Map<String, LockOverride> byKey = new LinkedHashMap<>();
        locks.forEach((key, lock) -> byKey.put(key, lock.toOverride()));
        return new LockOverrides(byKey);
    }

    /** The times and bounds of this process, under a new instance name. */
    public EngineSettings toEngineSettings() {
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
        /** In this process only; other processes are not excluded. */
        LOCAL
    }

    /** What happens when annotations cannot work. */
    public enum Validation {
        /** The application does not start. */
        FAIL,
        /** Each problem is logged as a warning. */
        WARN
    }

    /**
     * Defaults for what an annotation or a request does not set.
     *
     * @param tryLockTime How long an attempt waits for the lock; 0 means a single attempt.
     * @param leaseTime Length of the lease, which is renewed until the work ends. After a crash, the lock is free when the lease
     *     expires.
     * @param maxHoldTime How long a lease is renewed before the lock is released and reported as lost; no limit if unset.
     * @param confirmRelease Whether a locked method returns only when the backend has answered its release. If false, it returns when
     *     the release is sent, and other processes may find the lock busy for a moment longer.
     * @param commitGuard How the lease of an exclusive lock is checked before a transaction inside it commits.
     */
    public record Defaults(
            @DefaultValue("5s") Duration tryLockTime,
            @DefaultValue("60s") Duration leaseTime,
            @Nullable Duration maxHoldTime,
            @DefaultValue("true") boolean confirmRelease,
            @DefaultValue("local") CommitGuard commitGuard) {

        public Defaults {
            PropertyChecks.zeroOrMore(PREFIX + ".defaults.try-lock-time", tryLockTime);
            PropertyChecks.longEnoughToHold(PREFIX + ".defaults.lease-time", leaseTime);
            if (maxHoldTime != null) {
                PropertyChecks.longEnoughToHold(PREFIX + ".defaults.max-hold-time", maxHoldTime);
            }
        }

        public LockDefaults toLockDefaults() {
            return new LockDefaults(tryLockTime, leaseTime, maxHoldTime, confirmRelease, commitGuard);
        }
    }

    /**
     * Times for the locks of one key. They override the annotation; what is not set leaves the annotation as it is.
     *
     * @param tryLockTime How long an attempt waits for the lock; 0 means a single attempt.
     * @param leaseTime Length of the lease, fixed or renewed as in the annotation.
     * @param renewed Whether the lease is renewed until the method returns.
     * @param maxHoldTime How long a lease is renewed before the lock is released and reported as lost.
     * @param minHoldTime How long the lock stays taken at least, even if it is released sooner.
     * @param confirmRelease Whether the method returns only when the backend has answered its release.
     */
    public record KeyedLock(
            @Nullable Duration tryLockTime,
            @Nullable Duration leaseTime,
            @Nullable Boolean renewed,
            @Nullable Duration maxHoldTime,
            @Nullable Duration minHoldTime,
            @Nullable Boolean confirmRelease) {

        /** The properties do not know their own key. */
        void check(String place) {
            if (tryLockTime != null) {
                PropertyChecks.zeroOrMore(place + ".try-lock-time", tryLockTime);
            }
            if (leaseTime != null) {
                PropertyChecks.longEnoughToHold(place + ".lease-time", leaseTime);
            }
            if (maxHoldTime != null) {
                PropertyChecks.longEnoughToHold(place + ".max-hold-time", maxHoldTime);
            }
            if (minHoldTime != null) {
                PropertyChecks.zeroOrMore(place + ".min-hold-time", minHoldTime);
            }
        }

        LockOverride toOverride() {
            return new LockOverride(tryLockTime, leaseTime, renewed, maxHoldTime, minHoldTime, confirmRelease);
        }
    }

    /**
     * How Redis is used.
     *
     * @param keyPrefix Prefix of every key and channel in Redis. Applications that share locks must use the same.
     * @param commandTimeout How long one command may take, including connecting, before Redis counts as failed.
     * @param minReplicasToAck How many replicas must acknowledge a lock before it counts as held or renewed; 0 asks none.
     * @param replicaAckTimeout How long to wait for these replicas each time; at most a third of the command timeout.
     * @param messages How processes that wait are notified of a release: auto finds out what Redis and its user can do.
     * @param pollInterval How long a process that waits pauses before it asks again, if Redis cannot notify it.
     * @param template Name of the StringRedisTemplate bean for the locks. By default that of the connection factory for the locks.
     * @param connectionFactory Name of the RedisConnectionFactory bean for the locks, instead of a template. By default the only one or
     *     the primary one, which is that of spring.data.redis unless the application declares its own.
     * @param checkOnStart Whether startup fails, with an explanation, if no lock can be acquired.
     */
    public record Redis(
            @DefaultValue("distribution-lock") String keyPrefix,
            @DefaultValue("2s") Duration commandTimeout,
            @DefaultValue("0") int minReplicasToAck,
            @DefaultValue("500ms") Duration replicaAckTimeout,
            @DefaultValue("auto") MessageMode messages,
            @DefaultValue("100ms") Duration pollInterval,
            @Nullable String template,
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
            PropertyChecks.between(
                    PREFIX + ".redis.poll-interval",
                    pollInterval,
                    MessageSettings.MIN_INTERVAL,
                    MessageSettings.MAX_INTERVAL);
        }

        public MessageSettings toMessageSettings() {
            return new MessageSettings(messages, pollInterval);
        }

        public ReplicaAcks toReplicaAcks() {
            return new ReplicaAcks(minReplicasToAck, replicaAckTimeout);
        }
    }

    /**
     * How locks are kept in several independent Redis servers.
     *
     * @param nodes URIs of the servers, such as redis://user:password@host:6379/0, or rediss:// for TLS. The same for all processes.
     * @param sslBundle Name of the SSL bundle for connections to the servers, all of them by rediss://. By default the JVM decides whom
     *     to trust.
     * @param mode How many of the servers must agree.
     * @param nodeTimeout How long one command to one server may take before the others decide without it.
     * @param driftFactor How far the clocks of two servers may drift apart during a lease, as a fraction of the lease.
     * @param retryDelay Average pause before a busy lock is tried again.
     * @param restartDelay How long a restarted server does not count; set it to the longest lease. With 0 it counts at once.
     */
    public record Quorum(
            @DefaultValue List<String> nodes,
            @Nullable String sslBundle,
            @DefaultValue("majority") QuorumMode mode,
            @DefaultValue("200ms") Duration nodeTimeout,
            @DefaultValue("0.01") double driftFactor,
            @DefaultValue("50ms") Duration retryDelay,
            @DefaultValue("0s") Duration restartDelay) {

        /** What the names of these properties begin with. */
        static final String PREFIX = LockProperties.PREFIX + ".quorum";

        public Quorum {
            nodes = List.copyOf(nodes);
            PropertyChecks.atLeastOneMillisecond(PREFIX + ".node-timeout", nodeTimeout);
            PropertyChecks.fraction(PREFIX + ".drift-factor", driftFactor);
            PropertyChecks.atLeastOneMillisecond(PREFIX + ".retry-delay", retryDelay);
            PropertyChecks.zeroOrMore(PREFIX + ".restart-delay", restartDelay);
        }

        public QuorumSettings toSettings() {
            return new QuorumSettings(mode, nodeTimeout, driftFactor, retryDelay, restartDelay);
        }

        /** Without the addresses, which may contain passwords. */
        @Override
        public String toString() {
            return "Quorum[" + nodes.size() + " nodes, " + toSettings() + "]";
        }
    }

    /** The key of a map as it stands in the name of a property. */
    static String element(String key) {
        return key.matches("[A-Za-z0-9-]+|<key>") ? "." + key : "[" + key + "]";
    }

    /**
     * The elections of this application.
     *
     * @param elections Names of the elections in which this application stands; each becomes a LeaderElection bean.
     * @param leaseTime Length of a leader's lease: how long the others wait after a crash of the leader; at least 1s.
     */
    public record Leader(
            @DefaultValue List<String> elections,
            @DefaultValue("15s") Duration leaseTime) {

        /** What the names of these properties begin with. */
        public static final String PREFIX = LockProperties.PREFIX + ".leader";

        public Leader {
            elections = List.copyOf(elections);
            PropertyChecks.names(PREFIX + ".elections", elections);
            PropertyChecks.between(PREFIX + ".lease-time", leaseTime, Duration.ofSeconds(1), Duration.ofDays(1));
        }
    }

    /**
     * Limits for passing a lock between threads of this process while other processes wait for it.
     *
     * @param maxCount How many times in a row threads of this process may pass a lock on while other processes wait for it; 0
     *     never.
     * @param maxTime How long threads of this process may pass a lock on while other processes wait for it; 0 never.
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
     * @param timeout How long running methods may keep their locks before these are released.
     */
    public record Shutdown(@DefaultValue("30s") Duration timeout) {

        public Shutdown {
            PropertyChecks.zeroOrMore(PREFIX + ".shutdown.timeout", timeout);
        }
    }

    /** What happens to locked work that is called inside a transaction. */
    public enum OuterTransaction {
        /** The lock is held until the transaction ends, so that the next holder sees what was committed. */
        HOLD,
        /** The call fails with an exception. */
        REFUSE
    }

    /**
     * How locks and transactions work together.
     *
     * @param outer What happens to locked work that is called inside a transaction.
     */
    public record Transactions(@DefaultValue("hold") OuterTransaction outer) {}

    /**
     * Where the advice of locked methods stands.
     *
     * @param order Order of the lock among other advice of a method, as in @Order: advice with a greater number runs inside of the
     *     lock. The default is the highest precedence, outside of all other.
     */
    public record Advice(@DefaultValue("-2147483648") int order) {}

    /** When the table of fencing tokens is created. */
    public enum SchemaInitialization {
        /** In each database. */
        ALWAYS,
        /** In an embedded database. */
        EMBEDDED,
        /** Never: the application creates it. */
        NEVER
    }

    /**
     * How commit-guard database keeps fencing tokens in a database.
     *
     * @param initializeSchema When to create the table, in each database that a lock first needs it in.
     * @param table Name of the table, with its schema if that is not the default one. One of another name than the default is never
     *     created.
     * @param lockTimeout How long a statement waits for another holder that is committing; at least 1s.
     * @param retention How long after its announcement a token is deleted: longer than any lock is held.
     */
    public record Jdbc(
            @DefaultValue("embedded") SchemaInitialization initializeSchema,
            @DefaultValue(Jdbc.TABLE) String table,
            @DefaultValue("10s") Duration lockTimeout,
            @DefaultValue("7d") Duration retention) {

        /** The name of the table that the scripts create. */
        public static final String TABLE = "distribution_lock_fence";

        public Jdbc {
            PropertyChecks.tableName(PREFIX + ".jdbc.table", table);
            PropertyChecks.between(
                    PREFIX + ".jdbc.lock-timeout", lockTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
            PropertyChecks.between(PREFIX + ".jdbc.retention", retention, Duration.ofDays(1), Duration.ofDays(365));
        }
    }

    /**
     * Which events are published.
     *
     * @param enabled Whether to publish events when locks are acquired, released, busy, or released by force.
     */
    public record Events(@DefaultValue("false") boolean enabled) {}

    /**
     * What the endpoint distributionlocks can do.
     *
     * @param forceRelease Release of a lock by force.
     */
    public record Endpoint(@Nullable ForceRelease forceRelease) {}

    /**
     * Release of a lock by force.
     *
     * @param enabled Whether the endpoint can release any lock by force.
     */
    public record ForceRelease(@DefaultValue("false") boolean enabled) {}
}
