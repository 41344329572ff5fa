package io.distributionlock.quorum;

import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** Time that passes only from task to task. */
final class VirtualScheduler implements Scheduler {

    private record Task(long at, long number, Runnable work, CompletableFuture<Void> done) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now;
    private long number;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Future<?> schedule(long delayNanos, Runnable work) {
        Task task = new Task(now + Math.max(0, delayNanos), number++, work, new CompletableFuture<>());
        tasks.add(task);
        return task.done;
    }

    /** Runs the next task; {@code false} if there is none before this time, which then has come. */
    boolean step(long until) {
        while (!tasks.isEmpty() && tasks.peek().done.isCancelled()) {
            tasks.remove();
        }
        Task next = tasks.peek();
        if (next == null || next.at > until) {
            now = until;
            return false;
        }
        tasks.remove();
        now = next.at;
        next.work.run();
        return true;
    }

    @Override
    public void close() {
        tasks.clear();
    }
}
