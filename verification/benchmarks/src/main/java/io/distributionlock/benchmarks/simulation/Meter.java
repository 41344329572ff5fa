package io.distributionlock.benchmarks.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts sections and waits, and checks that no two threads are in sections of one name. */
final class Meter {

    private static final long MAX = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    private final Map<String, Object> inside = new HashMap<>();
    private final Histogram waits = new Histogram(MAX, DIGITS);
    private boolean measuring;
    private long sections;

    /** Starts counting; earlier sections do not count. */
    void begin() {
        measuring = true;
    }

    void entered(String name, Object thread, long waitedNanos) {
        Object other = inside.putIfAbsent(name, thread);
        if (other != null) {
            throw new IllegalStateException(thread + " is in '" + name + "' while " + other + " is");
        }
        if (measuring) {
            sections++;
            waits.recordValue(Math.min(waitedNanos, MAX));
        }
    }

    void left(String name, Object thread) {
        if (!inside.remove(name, thread)) {
            throw new IllegalStateException(thread + " leaves '" + name + "', where it is not");
        }
    }

    /** Threads still waiting at the end count too; otherwise a design would look the better the more it starves. */
    void stillWaits(long waitedNanos) {
        waits.recordValue(Math.min(waitedNanos, MAX));
    }

    long sections() {
        return sections;
    }

    Histogram waits() {
        return waits;
    }
}
