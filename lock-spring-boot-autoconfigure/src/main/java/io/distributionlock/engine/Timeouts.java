package io.distributionlock.engine;

import io.distributionlock.state.Times;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Completes futures that have no answer by a certain time. It uses the engine's ticks: the timer of {@link CompletableFuture} has a
 * thread in the JDK that never ends, and keeps the first class loader that used it.
 */
final class Timeouts {

    /** How to complete each future, the earliest first: a tick looks only at those that are due. */
    private final ConcurrentSkipListMap<Deadline, Runnable> pending = new ConcurrentSkipListMap<>(
            Comparator.comparingLong(Deadline::moment).thenComparingLong(Deadline::number));

    private final AtomicLong numbers = new AtomicLong();

    private record Deadline(long moment, long number) {}

    /** @param onTimeout completes the future; called at most once, and perhaps although the future is complete */
    void add(CompletableFuture<?> future, long moment, Runnable onTimeout) {
        Deadline deadline = new Deadline(moment, numbers.getAndIncrement());
        pending.put(deadline, onTimeout);
        future.whenComplete((result, failure) -> pending.remove(deadline));
    }

    void tick(long now) {
        for (Map.Entry<Deadline, Runnable> first = pending.firstEntry();
                first != null && first.getKey().moment() <= now;
                first = pending.firstEntry()) {
            Runnable onTimeout = pending.remove(first.getKey());
            if (onTimeout != null) {
                FailureLog.guard(onTimeout);
            }
        }
    }

    long due() {
        Map.Entry<Deadline, Runnable> first = pending.firstEntry();
        return first == null ? Times.NEVER : first.getKey().moment();
    }
}
