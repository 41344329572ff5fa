package io.distributionlock.engine;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.state.Times;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Releases what late copies of plain acquires may still take. Such a copy ignores the tombstone of its claim, so the release is
 * repeated for as long as a tombstone lives, whatever was answered before.
 *
 * <p>Ticks must not overlap; everything else is thread-safe.
 */
final class LateCopies {

    private static final long EXPECTED_FOR_NANOS = Times.nanos(300_000);

    /** Most copies are late by moments. */
    private static final long FIRST_PAUSE_NANOS = Times.nanos(1_000);

    /** The pause doubles up to this, which bounds how long a copy holds the lock. */
    private static final long LONGEST_PAUSE_NANOS = Times.nanos(30_000);

    /** Bounds the memory during a long outage; a lock that a copy has taken expires anyway. */
    private static final int MOST_EXPECTED = 10_000;

    /** As many cost about fifty commands a second. */
    private static final int MANY = 1_000;

    /** A connection that has just failed may fail again, and each time leave copies of commands behind. */
    private static final long DISTRUST_NANOS = Times.nanos(10_000);

    private final CommandPort port;
    private final LongSupplier clock;
    private final LongConsumer wakeBy;
    private final Map<String, Expected> expected = new ConcurrentHashMap<>();
    private final EarliestDue due = new EarliestDue();
    private volatile long likelyUntil;

    /** @param wakeBy makes sure that there is a tick at the given time */
    LateCopies(CommandPort port, LongSupplier clock, LongConsumer wakeBy) {
        this.port = port;
        this.clock = clock;
        this.wakeBy = wakeBy;
    }

    /** A copy of an acquire of this claim, which is being released, may still run. */
    void expect(String name, String claim) {
        if (expected.size() < MOST_EXPECTED) {
            Expected copy = new Expected(name, claim, clock.getAsLong());
            expected.put(claim, copy);
            due.notLaterThan(copy.dueAt);
            wakeBy.accept(copy.dueAt);
        }
    }

    /** For a while, more of them are likely. */
    void distrustConnection() {
        likelyUntil = Times.after(clock.getAsLong(), DISTRUST_NANOS);
    }

    /** Whether the process may risk one more. */
    boolean areUnlikely() {
        return clock.getAsLong() >= likelyUntil && expected.size() < MANY;
    }

    void tick(long now) {
        if (now < due.get()) {
            return;
        }
        due.forget();
        for (Expected copy : expected.values()) {
            if (now >= copy.dueAt) {
                FailureLog.guard(() -> release(copy, now));
            }
            if (expected.get(copy.claim) == copy) {
                due.notLaterThan(copy.dueAt);
            }
        }
    }

    private void release(Expected copy, long now) {
        if (now >= copy.until) {
            expected.remove(copy.claim);
        } else {
            copy.pause(now);
        }
        // During an outage, releases that are not sent yet must not pile up.
        copy.released.cancel(false);
        copy.released = port.release(copy.name, copy.claim, false, 0);
    }

    /** Copies that the former connection carried arrive by now, if at all. */
    void reconnected() {
        distrustConnection();
        long soon = Times.after(clock.getAsLong(), FIRST_PAUSE_NANOS);
        for (Expected copy : expected.values()) {
            copy.dueAt = Math.min(copy.dueAt, soon);
            due.notLaterThan(copy.dueAt);
        }
        wakeBy.accept(due());
    }

    /** When the next tick is due; {@link Times#NEVER} if no copy is expected. */
    long due() {
        return due.get();
    }

    private static final class Expected {

        private final String name;
        private final String claim;
        private final long until;
        private volatile long dueAt;
        private long pauseNanos = FIRST_PAUSE_NANOS;
        private CompletableFuture<?> released = CompletableFuture.completedFuture(null);

        Expected(String name, String claim, long now) {
            this.name = name;
            this.claim = claim;
            this.until = Times.after(now, EXPECTED_FOR_NANOS);
            this.dueAt = Times.after(now, pauseNanos);
        }

        void pause(long now) {
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
            dueAt = Times.after(now, pauseNanos);
        }
    }
}
