package io.distributionlock.quorum;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The first answer of each node. Until a quorum has answered or refused a command, a command to one of the others may take longer, because
 * a cold process loads classes and connects. From then on the nodes that were heard of decide, and nobody waits that long for the others.
 */
final class FirstAnswers {

    private final long timeoutNanos;
    private final AtomicInteger missing;

    /**
     * @param needed how many nodes make a quorum
     * @param timeout how long a first answer may take
     */
    FirstAnswers(int needed, Duration timeout) {
        this.missing = new AtomicInteger(needed);
        this.timeoutNanos = timeout.toNanos();
    }

    /** A node was heard of for the first time. */
    void count() {
        missing.decrementAndGet();
    }

    /** For how much longer a node that was never heard of may leave a command unanswered. */
    long nanosLeft(long elapsedNanos) {
        return missing.get() > 0 ? timeoutNanos - elapsedNanos : 0;
    }
}
