package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Opens a job of sections in each worker, has it led, and sees to it that exclusion held. */
final class SectionsTrial implements Trial {

    private static final long HEAD_START_NANOS = 20_000_000;

    private final SectionShape shape;
    private final Lead lead;

    /** Leads the opened jobs to their end. */
    @FunctionalInterface
    interface Lead {

        Outcome lead(Round round, SectionShape shape) throws Exception;
    }

    /**
     * @param perProcess what each process has seen
     * @param heldBesides sections outside of the threads
     */
    record Outcome(List<SectionsSeen> perProcess, long heldBesides) {}

    SectionsTrial(SectionShape shape, Lead lead) {
        this.shape = shape;
        this.lead = lead;
    }

    @Override
    public void run(Round round) throws Exception {
        Path file = Witness.newFile();
        try {
            Witness witness = Witness.map(file, shape.names(), shape.atOnce());
            open(round, file);
            Outcome outcome = lead.lead(round, shape);
            verify(round, witness, outcome);
        } finally {
            delete(file);
        }
    }

    private void open(Round round, Path witness) {
        List<WorkerProcess> workers = round.workers();
        for (int process = 0; process < workers.size(); process++) {
            Fields fields = shape.addTo(Fields.none())
                    .with("witness", witness)
                    .with("name", round.namePrefix())
                    .with("process", process)
                    .with("processes", workers.size());
            workers.get(process).open(Jobs.SECTIONS, fields);
        }
    }

    private static void verify(Round round, Witness witness, Outcome outcome) {
        long sections =
                outcome.perProcess().stream().mapToLong(SectionsSeen::sections).sum() + outcome.heldBesides();
        long violations = witness.violations();
        long entries = witness.entries();
        if (violations > 0 || entries != sections) {
            throw round.violated(violations + " times a thread found another one holding the lock, and "
                    + (sections - entries) + " of " + sections + " entries were lost");
        }
    }

    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    /** Lets all threads of all processes go at the same moment, which is returned. */
    static long start(Round round) {
        long at = System.nanoTime() + HEAD_START_NANOS;
        round.all("start", Fields.none().with("at", at));
        return at;
    }

    static void reportShares(Round round, List<SectionsSeen> perProcess) {
        long[] threads = perProcess.stream()
                .flatMapToLong(seen -> Arrays.stream(seen.perThread()))
                .toArray();
        long[] processes =
                perProcess.stream().mapToLong(SectionsSeen::sectionsInTime).toArray();
        round.report("Jain of threads", "index", Fairness.jain(threads));
        round.report(
                "Jain of threads of a process",
                "index",
                perProcess.stream()
                        .mapToDouble(seen -> Fairness.jain(seen.perThread()))
                        .min()
                        .orElse(1));
        if (processes.length > 1) {
            round.report("Jain of processes", "index", Fairness.jain(processes));
            round.report("smallest share of a process", "%", 100 * Fairness.smallestPart(processes));
        }
    }
}
