package io.distributionlock.rack;

import org.jspecify.annotations.Nullable;

/**
 * One attempt and the section that followed it, as the witness has seen them. All times are nanoseconds of the machine's monotonic clock,
 * which is the same in all its processes; 0 stands for never.
 */
final class Attempt {

    /** How a section's release was answered. */
    enum Release {
        OK,
        LOST,
        FAILED
    }

    final int process;
    final String thread;
    final long called;

    /** When the caller had an answer: it was busy, failed, or went in. */
    long answered;

    boolean failed;

    /** Since when, and until when, it was told that it holds the lock. */
    long entered;

    long lastTold;

    /** Until when its lease lasts at least. */
    long leaseUntil;

    /** When it was told in its section that the lock is lost. */
    long toldLost;

    long left;

    /** Its process died when it waited or was in its section. */
    boolean isDead;

    long releaseAnswered;
    long token;

    @Nullable
    Release release;

    Attempt(int process, String thread, long called) {
        this.process = process;
        this.thread = thread;
        this.called = called;
    }

    boolean wasGranted() {
        return entered != 0;
    }

    /** When it stopped to use what the lock protects; not yet: {@link Long#MAX_VALUE}. */
    long endOfUse() {
        long end = toldLost != 0 ? toldLost : left;
        return end != 0 ? end : Long.MAX_VALUE;
    }
}
