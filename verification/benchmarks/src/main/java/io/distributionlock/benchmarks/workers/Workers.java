package io.distributionlock.benchmarks.workers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All workers of a run. They are started when first needed and kept, so that their code is warm in later rounds; a worker that has
 * nothing to do waits for its next line.
 */
public final class Workers implements AutoCloseable {

    private final List<String> javaCommand;
    private final Path logs;
    private final Map<String, List<WorkerProcess>> byContestant = new HashMap<>();

    /**
     * @param javaCommand starts a worker when the name of its contestant is added
     * @param logs the folder for what they print
     */
    public Workers(List<String> javaCommand, Path logs) {
        this.javaCommand = javaCommand;
        this.logs = logs;
    }

    /** So many workers of a contestant, ready to work. */
    public synchronized List<WorkerProcess> of(String contestant, int count) {
        List<WorkerProcess> workers = byContestant.computeIfAbsent(contestant, name -> new ArrayList<>());
        List<WorkerProcess> started = new ArrayList<>();
        while (workers.size() < count) {
            WorkerProcess worker = start(contestant, workers.size() + 1);
            workers.add(worker);
            started.add(worker);
        }
        started.forEach(WorkerProcess::awaitReady);
        return List.copyOf(workers.subList(0, count));
    }

    private WorkerProcess start(String contestant, int number) {
        List<String> command = new ArrayList<>(javaCommand);
        command.add(contestant);
        return new WorkerProcess(
                contestant, command, logs.resolve(contestant.replace(' ', '-') + "-" + number + ".log"));
    }

    /** Ends what is more than so many workers of each contestant. */
    public synchronized void keepAtMost(int count) {
        for (List<WorkerProcess> workers : byContestant.values()) {
            while (workers.size() > count) {
                workers.remove(workers.size() - 1).close();
            }
        }
    }

    @Override
    public void close() {
        keepAtMost(0);
    }
}
