package io.distributionlock.engine;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Futures that come to something at a certain time if nobody has completed them before. By the engine's own ticks: the timer of
 * {@link CompletableFuture} lives on a thread of the JDK that never ends, and keeps the class loader that was there first.
 */
final class Deadlines {

    private final Set<Deadline> pending = ConcurrentHashMap.newKeySet();

    private record Deadline(long moment, CompletableFuture<?> future, Runnable over) {}

    /** @param over completes the future; called at most once, and perhaps although the future is complete */
    void add(CompletableFuture<?> future, long moment, Runnable over) {
        Deadline deadline = new Deadline(moment, future, over);
        pending.add(deadline);
        future.whenComplete((result, failure) -> pending.remove(deadline));
    }

    /** @param failures is told of what went wrong with one, and the others go on */
    void tick(long now, Failures failures) {
        for (Deadline deadline : pending) {
            if (deadline.moment() <= now && pending.remove(deadline)) {
                failures.guard(deadline.over());
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
