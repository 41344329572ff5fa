package io.distributionlock.local;

/**
 * Counts out the fencing numbers of all names: the present time in microseconds, or one more than the last number if the clock
 * has not gone on since.
 *
 * <p>One counter serves every name, so a name can be forgotten as soon as it is free, and its next number is greater all the
 * same. Starting from the wall clock makes the numbers of a restarted process greater than those of its former life.
 */
final class FenceClock {

    private final long startNanos;
    private final long startMicros;
    private long last;

    FenceClock(long startNanos, long startMicros) {
        this.startNanos = startNanos;
        this.startMicros = startMicros;
    }

    long next(long nowNanos) {
        long micros = startMicros + (nowNanos - startNanos) / 1_000;
        last = Math.max(last + 1, micros);
        return last;
    }
}
