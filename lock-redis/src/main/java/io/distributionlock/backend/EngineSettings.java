package io.distributionlock.backend;

import io.distributionlock.internal.LockTimes;
import java.time.Duration;

/**
 * The timeouts and limits of one process's engine.
 *
 * @param instance the unique name of this process; its claims and its wake channel carry it
 * @param commandTimeout how long a command may stay unanswered before it counts as failed
 * @param grantLease the lease of a lock that was handed over and is not confirmed yet; the same in all processes
 * @param heartbeat how often a waiting process asks again
 * @param handoverMaxCount how often the lock may pass on inside this process while others wait; 0 turns local hand-over off
 * @param handoverMaxTime how long the lock may stay inside this process while others wait; zero turns local hand-over off
 */
public record EngineSettings(
        String instance,
        Duration commandTimeout,
        Duration grantLease,
        Duration heartbeat,
        int handoverMaxCount,
        Duration handoverMaxTime) {

    /** Command timeout 2 s, grant lease 3 s, heartbeat 1 s, at most 128 local hand-overs or 10 ms. */
    public static EngineSettings standard(String instance) {
        return new EngineSettings(
                instance,
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                128,
                Duration.ofMillis(10));
    }

    /**
     * @throws IllegalArgumentException if the values contradict each other; the message names the one to change
     */
    public EngineSettings {
        if (instance.isBlank()) {
            throw new IllegalArgumentException("instance is blank. Give this process a unique name.");
        }
        requirePositive("commandTimeout", commandTimeout);
        requirePositive("heartbeat", heartbeat);
        LockTimes.requireAtMost(LockTimes.MAX_WAIT, "commandTimeout", commandTimeout);
        LockTimes.requireAtMost(LockTimes.MAX_WAIT, "heartbeat", heartbeat);
        LockTimes.requireAtMost(LockTimes.MAX_WAIT, "grantLease", grantLease);
        LockTimes.requireAtMost(LockTimes.MAX_WAIT, "handoverMaxTime", handoverMaxTime);
        if (grantLease.compareTo(heartbeat.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("grantLease (" + grantLease + ") is shorter than two heartbeats ("
                    + heartbeat + " each), so that punctual waiters would lose their place. Make it longer.");
        }
        if (handoverMaxCount < 0) {
            throw new IllegalArgumentException(
                    "handoverMaxCount is " + handoverMaxCount + ". It must be 0 (off) or more.");
        }
        if (handoverMaxTime.isNegative()) {
            throw new IllegalArgumentException(
                    "handoverMaxTime is " + handoverMaxTime + ". It must be zero (off) or more.");
        }
    }

    /** Returns the same settings for another process. */
    public EngineSettings withInstance(String name) {
        return with(name, commandTimeout);
    }

    /** Returns the same settings with another command timeout. */
    public EngineSettings withCommandTimeout(Duration timeout) {
        return with(instance, timeout);
    }

    private EngineSettings with(String name, Duration timeout) {
        return new EngineSettings(name, timeout, grantLease, heartbeat, handoverMaxCount, handoverMaxTime);
    }

    private static void requirePositive(String label, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(label + " is " + value + ". It must be longer than zero.");
        }
    }

    public boolean handsOverLocally() {
        return handoverMaxCount > 0 && !handoverMaxTime.isZero();
    }

    /** A few milliseconds that keep processes that wait for the same moment from asking all at once. */
    public int jitterMillis() {
        return Math.floorMod(instance.hashCode(), 5);
    }

    public long commandTimeoutNanos() {
        return commandTimeout.toNanos();
    }

    public long grantLeaseNanos() {
        return grantLease.toNanos();
    }

    public long heartbeatNanos() {
        return heartbeat.toNanos();
    }

    /** How long a command has to be unanswered for its backend to count as silent. */
    public long silenceNanos() {
        return Math.min(commandTimeoutNanos(), heartbeatNanos()) / 2;
    }
}
