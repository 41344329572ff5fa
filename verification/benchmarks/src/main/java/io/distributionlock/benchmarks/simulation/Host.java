package io.distributionlock.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/** A machine: as many things at a time as it has cores, the others wait in the order of their coming. */
final class Host {

    private final Events events;
    private final Deque<Task> waiting = new ArrayDeque<>();
    private int idleCores;

    Host(Events events, int cores) {
        this.events = events;
        this.idleCores = cores;
    }

    /** Works for that long, and then does it. */
    void work(long nanos, Runnable whatThen) {
        Task task = new Task(nanos, whatThen);
        if (idleCores > 0) {
            idleCores--;
            begin(task);
        } else {
            waiting.add(task);
        }
    }

    private void begin(Task task) {
        events.after(task.nanos, () -> {
            Task next = waiting.poll();
            if (next == null) {
                idleCores++;
            } else {
                begin(next);
            }
            task.whatThen.run();
        });
    }

    private record Task(long nanos, Runnable whatThen) {}
}
