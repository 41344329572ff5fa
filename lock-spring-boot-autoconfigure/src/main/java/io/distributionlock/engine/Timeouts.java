package io.distributionlock.engine;

import io.distributionlock.state.Times;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Completes futures that have no answer by a certain time. It uses the engine's ticks: the timer of {@link CompletableFuture} has a
 * thread in the JDK that never ends, and keeps the first class loader that used it.
 */
final class Timeouts {

    private final Set<Deadline> pending = ConcurrentHashMap.newKeySet();

    private record Deadline(long moment, CompletableFuture<?> future, Runnable onTimeout) {}

    /** @param onTimeout completes the future; called at most once, and perhaps although the future is complete */
    void add(CompletableFuture<?> future, long moment, Runnable onTimeout) {
        Deadline deadline = new Deadline(moment, future, onTimeout);
        pending.add(deadline);
        future.whenComplete((result, failure) -> pending.remove(deadline));
    }

    /** @param failures logs the failure of one, so that the others are completed */
    void tick(long now, FailureLog failures) {
        for (Deadline deadline : pending) {
            if (deadline.moment() <= now && pending.remove(deadline)) {
                failures.guard(deadline.onTimeout());
            }
        }
    }

    long due() {
        long due = Times.NEVER;
        for (Deadline deadline : pending) {
            due = Math.min(due, deadline.moment());
        }
        return due;
    }
}
