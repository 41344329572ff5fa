package io.distributionlock.benchmarks.workers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * The worker's side of the conversation: {@code open <kind> <fields>} begins a job, {@code step <name> <fields>} goes on with it. Each
 * line is answered by {@code ok <fields>} or {@code failed <why>}. It ends with its input, that is, with the coordinator.
 */
public final class WorkerLoop {

    static final String READY = "ready";
    static final String OK = "ok ";
    static final String FAILED = "failed ";
    static final String OPEN = "open";
    static final String STEP = "step";

    private final BufferedReader requests;
    private final PrintStream answers;
    private final Job.Source jobs;
    private @Nullable Job job;

    public WorkerLoop(BufferedReader requests, PrintStream answers, Job.Source jobs) {
        this.requests = requests;
        this.answers = answers;
        this.jobs = jobs;
    }

    public void run() throws IOException {
        answers.println(READY);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(answer(line));
        }
    }

    private String answer(String line) {
        try {
            String[] parts = line.split(" ", 3);
            Fields fields = parts.length < 3 ? Fields.none() : Fields.parse(parts[2]);
            return OK + handle(parts[0], parts[1], fields);
        } catch (Exception failed) {
            failed.printStackTrace();
            return FAILED + failed.toString().replaceAll("\\s+", " ");
        }
    }

    private Fields handle(String verb, String name, Fields fields) throws Exception {
        if (verb.equals(OPEN)) {
            job = jobs.open(name, fields);
            return Fields.none();
        }
        if (verb.equals(STEP) && job != null) {
            return job.step(name, fields);
        }
        throw new IllegalStateException("Cannot " + verb + " " + name + (job == null ? ": no job is open" : ""));
    }
}
