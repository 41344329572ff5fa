package io.distributionlock.engine;

import io.distributionlock.BackendProblemException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * The times and bounds by which one process takes part in locking.
 *
 * @param instance names this process among all; claims and the wake channel carry it
 * @param commandTimeout how long a command may stay unanswered before it counts as failed
 * @param grantLease the lease of a claim that was handed the lock and has not confirmed yet; the same in all processes
 * @param heartbeat how often a waiting process asks again
 * @param handoverMaxCount how many sections may follow one another inside this process while others wait; 0 turns local
 *     hand-over off
 * @param handoverMaxTime for how long the lock may stay inside this process while others wait; zero turns it off as well
 * @param grantsNeedConfirmation whether a lock that was handed over by message is used only after an acquire of this process
 *     was answered
 */
public record EngineSettings(
        String instance,
        Duration commandTimeout,
        Duration grantLease,
        Duration heartbeat,
        int handoverMaxCount,
        Duration handoverMaxTime,
        boolean grantsNeedConfirmation) {

    /** With grants that are used at once. */
    public EngineSettings(
            String instance,
            Duration commandTimeout,
            Duration grantLease,
            Duration heartbeat,
            int handoverMaxCount,
            Duration handoverMaxTime) {
        this(instance, commandTimeout, grantLease, heartbeat, handoverMaxCount, handoverMaxTime, false);
    }

    /** Command timeout 2 s, grant lease 3 s, heartbeat 1 s, at most 128 sections or 10 ms of local hand-over. */
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
     * @throws IllegalArgumentException if the values do not go together, naming the one to change
     */
    public EngineSettings {
        if (instance.isBlank()) {
            throw new IllegalArgumentException("instance is blank: name this process among all.");
        }
        requirePositive("commandTimeout", commandTimeout);
        requirePositive("heartbeat", heartbeat);
        if (grantLease.compareTo(heartbeat.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("grantLease (" + grantLease + ") is shorter than two heartbeats ("
                    + heartbeat + " each): punctual waiters would lose their place. Make it longer.");
        }
        if (handoverMaxCount < 0) {
            throw new IllegalArgumentException("handoverMaxCount is " + handoverMaxCount + ": it is 0 (off) or more.");
        }
        if (handoverMaxTime.isNegative()) {
            throw new IllegalArgumentException("handoverMaxTime is " + handoverMaxTime + ": it is zero or more.");
        }
    }

    /** The same, but a lock that was handed over by message is used only after an acquire of this process was answered. */
    public EngineSettings withConfirmedGrants() {
        return new EngineSettings(
                instance, commandTimeout, grantLease, heartbeat, handoverMaxCount, handoverMaxTime, true);
    }

    /** The same for a process of another name. */
    public EngineSettings withInstance(String name) {
        return new EngineSettings(
                name, commandTimeout, grantLease, heartbeat, handoverMaxCount, handoverMaxTime, grantsNeedConfirmation);
    }

    /** The same, but a command may stay unanswered for this long. */
    public EngineSettings withCommandTimeout(Duration timeout) {
        return new EngineSettings(
                instance, timeout, grantLease, heartbeat, handoverMaxCount, handoverMaxTime, grantsNeedConfirmation);
    }

    private static void requirePositive(String label, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(label + " is " + value + ": it must be longer than zero.");
        }
    }

    boolean handsOverLocally() {
        return handoverMaxCount > 0 && !handoverMaxTime.isZero();
    }

    /** A few milliseconds by which this process asks later than others when all of them wait for the same moment. */
    int jitterMillis() {
        return Math.floorMod(instance.hashCode(), 5);
    }

    long commandTimeoutNanos() {
        return commandTimeout.toNanos();
    }

    /** What is said of a command that stays unanswered for longer than {@link #commandTimeout()}. */
    TimeoutException noAnswer() {
        return new TimeoutException("No answer came within " + commandTimeout.toMillis()
                + " ms (distribution-lock.redis.command-timeout).");
    }

    /** What is said of an attempt whose time ended while an answer was missing, which need not be that of the command. */
    Exception noAnswerWithin(Duration waited) {
        return waited.compareTo(commandTimeout) >= 0
                ? noAnswer()
                : new BackendProblemException(
                        "The time to wait was over while an answer of the backend was missing.",
                        "Wait longer (tryLockTime); if that does not help, check that Redis is up and can be reached"
                                + " from here, and that this process is not short of CPU.",
                        new TimeoutException("No answer came within " + waited.toMillis() + " ms."));
    }

    long grantLeaseNanos() {
        return grantLease.toNanos();
    }

    long heartbeatNanos() {
        return heartbeat.toNanos();
    }
}
