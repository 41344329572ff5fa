package io.distributionlock.quorum;

import java.util.PriorityQueue;

/** Time that passes only from task to task. */
final class VirtualAlarm implements Alarm {

    private record Task(long at, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now;
    private long number;

    @Override
    public long now() {
        return now;
    }

    @Override
    public Handle after(long nanos, Runnable work) {
        Task task = new Task(now + Math.max(0, nanos), number++, work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Runs the next task; {@code false} if there is none before this time, which then has come. */
    boolean step(long until) {
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
