package io.distributionlock.rack;

import io.distributionlock.faults.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The four processes of a lane. They live for many cells, so that their code is warm; one that was killed is replaced. */
final class Workers implements AutoCloseable {

    static final int COUNT = 4;

    /** A busy machine starts a process slowly. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Witness witness;
    private final List<ChildProcess> processes = new ArrayList<>();

    Workers(Witness witness) {
        this.witness = witness;
        for (int process = 0; process < COUNT; process++) {
            processes.add(start(process));
        }
    }

    private ChildProcess start(int process) {
        return ChildProcess.start(Worker.class, String.valueOf(witness.port()), String.valueOf(process));
    }

    void open(Library library, Site site) {
        for (int process = 0; process < COUNT; process++) {
            open(process, library, site);
        }
        answers();
    }

    private void open(int process, Library library, Site site) {
        processes.get(process).send("open " + library + "@" + site.addressFor(process));
    }

    void run(int process, String name, long seed) {
        processes.get(process).send("run " + name + " " + seed);
    }

    /** Says when what they run is to end. */
    void until(long end) {
        processes.forEach(process -> process.send("until " + end));
    }

    /** Kills a process and puts another in its place, which takes part as soon as it is up. */
    void replace(int process, Library library, Site site) {
        processes.get(process).close();
        processes.set(process, start(process));
        open(process, library, site);
        answer(process);
    }

    ChildProcess process(int process) {
        return processes.get(process);
    }

    /** The sum of what they answer. */
    int answers() {
        return IntStream.range(0, COUNT).map(this::answer).sum();
    }

    private int answer(int process) {
        String answer = processes
                .get(process)
                .await("done", PATIENCE)
                .substring("done".length())
                .trim();
        if (answer.startsWith("failed")) {
            throw new IllegalStateException("Process " + process + " " + answer);
        }
        String[] words = answer.split(" ", 2);
        if (words.length > 1) {
            System.err.println("Process " + process + " " + answer);
        }
        return answer.isEmpty() ? 0 : Integer.parseInt(words[0]);
    }

    /** Ends what they have opened; returns how many threads are left of it. */
    int closeAll() {
        processes.forEach(process -> process.send("close"));
        return answers();
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
    }
}
