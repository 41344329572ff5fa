package io.distributionlock.autoconfigure;

import io.distributionlock.LockDefaults;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.InstanceName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the distributed lock.
 *
 * @param executor Where locks are kept: in Redis, or in this process only (for tests and single-node development).
 * @param defaults What applies where an annotation or a request says nothing.
 * @param redis How Redis is used.
 * @param localHandover How often a lock may pass between threads of this process while other processes wait for it.
 * @param shutdown What happens when the application stops.
 * @param validation Whether a wrong use of the annotations stops the start or is only logged.
 * @param findSelfInvocations Whether the bytecode of locked beans is searched at start-up for calls that an object makes to a
 *     locked method of itself, which bypass the proxy.
 * @param transactions How locks and transactions go together.
 * @param web How web applications answer when a lock was not got.
 */
@ConfigurationProperties(LockProperties.PREFIX)
public record LockProperties(
        @DefaultValue("redis") Executor executor,
        @DefaultValue Defaults defaults,
        @DefaultValue Redis redis,
        @DefaultValue LocalHandover localHandover,
        @DefaultValue Shutdown shutdown,
        @DefaultValue("fail") Validation validation,
        @DefaultValue("false") boolean findSelfInvocations,
        @DefaultValue Transactions transactions,
        @DefaultValue Web web) {

    static final String PREFIX = "distribution-lock";

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
     * How Redis is used.
     *
     * @param keyPrefix What every key and channel in Redis begins with. Applications that share locks must share it.
     * @param commandTimeout How long one command may take, connecting included, before the backend counts as failed.
     * @param checkOnStart Whether the start waits for Redis and fails, with an explanation, if no lock can be had from it.
     */
    public record Redis(
            @DefaultValue("distribution-lock") String keyPrefix,
            @DefaultValue("2s") Duration commandTimeout,
            @DefaultValue("false") boolean checkOnStart) {

        public Redis {
            PropertyChecks.keyPrefix(PREFIX + ".redis.key-prefix", keyPrefix);
            PropertyChecks.atLeastOneMillisecond(PREFIX + ".redis.command-timeout", commandTimeout);
        }
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

    /** What a locked method does that is called inside a transaction. */
    public enum OuterTransaction {
        /** Holds its lock until the transaction has ended, so that the next holder sees what was written. */
        HOLD,
        /** Refuses with an exception. */
        REFUSE
    }

    /**
     * How locks and transactions go together.
     *
     * @param outer What a locked method does that is called inside a transaction.
     */
    public record Transactions(@DefaultValue("hold") OuterTransaction outer) {}

    /**
     * How web applications answer when a lock was not got.
     *
     * @param problemDetails Whether a lock that was not got, and that nothing else answers for, becomes a problem detail (RFC
     *     9457): 409 with Retry-After when it is busy, 503 when the backend failed.
     */
    public record Web(@DefaultValue("true") boolean problemDetails) {}
}
