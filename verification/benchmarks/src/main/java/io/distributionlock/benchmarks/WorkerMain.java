package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.workers.WorkerLoop;
import io.distributionlock.benchmarks.workloads.Jobs;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A worker: {@code <where Redis is> <contestant>}. Standard output belongs to the coordinator. */
public final class WorkerMain {

    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);

    private WorkerMain() {}

    public static void main(String[] arguments) throws Exception {
        endWithCoordinator();
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Contestant contestant = Contestants.connect(arguments[1], Address.parse(arguments[0]))) {
            useOnce(contestant);
            new WorkerLoop(requests, answers, new Jobs(contestant)).run();
        }
        // Threads of a contestant that outlive it are not waited for.
        System.exit(0);
    }

    /** Even if that is killed while a round is under way. */
    private static void endWithCoordinator() {
        ProcessHandle.current()
                .parent()
                .ifPresent(coordinator ->
                        coordinator.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    }

    /** So that connections are made and scripts are known before anything is measured. A starved machine may need several attempts. */
    private static void useOnce(Contestant contestant) throws Exception {
        long deadline = System.nanoTime() + CONNECTED_WITHIN.toNanos();
        while (true) {
            try {
                Contestant.Held held =
                        contestant.acquire("worker-" + ProcessHandle.current().pid());
                if (held != null) {
                    held.release();
                }
                return;
            } catch (RuntimeException failed) {
                if (System.nanoTime() > deadline) {
                    throw failed;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }
}
