package io.distributionlock.model;

/**
 * Issues the fencing numbers of all names: the present time in microseconds, or the last number plus one if the clock has not
 * advanced.
 *
 * <p>Because all names share one counter, a name can be forgotten as soon as it is free: its next number is greater anyway.
 * Starting from the wall clock makes the numbers of a restarted process greater than its earlier ones.
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
