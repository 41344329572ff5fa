package io.distributionlock.fenced;

import io.distributionlock.faults.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** The processes of the application. They live for many rounds, unless they are killed. */
final class Workers implements AutoCloseable {

    static final int COUNT = Manner.values().length;

    /** A busy machine starts a process slowly. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Site site;
    private final Database database;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<Path> reports = new ArrayList<>();
    private final Map<Integer, Long> killed = new ConcurrentHashMap<>();

    Workers(Site site, Database database) {
        this.site = site;
        this.database = database;
        try {
            for (int worker = 0; worker < COUNT; worker++) {
                reports.add(Files.createTempFile("fenced", ".csv"));
                processes.add(start(worker));
            }
            processes.forEach(Workers::awaitReady);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw new IllegalStateException("The workers do not start", e);
        }
    }

    private ChildProcess start(int worker) {
        List<String> arguments = new ArrayList<>(List.of(
                String.valueOf(worker),
                "--spring.main.banner-mode=off",
                "--logging.level.root=ERROR",
                "--spring.datasource.url=" + database.urlFor(worker),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=",
                "--distribution-lock.defaults.lease-time=" + Caller.LEASE.toMillis() + "ms",
                "--distribution-lock.redis.command-timeout=500ms",
                "--spring.data.jpa.repositories.enabled=false",
                "--distribution-lock.jdbc.initialize-schema=never"));
        arguments.addAll(site.propertiesFor(worker));
        arguments.addAll(Manner.of(worker).properties());
        return ChildProcess.start(Worker.class, arguments.toArray(String[]::new));
    }

    private static void awaitReady(ChildProcess process) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (process.poll("ready") == null) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.await("ready", Duration.ZERO);
            }
            Section.rest(50);
        }
    }

    /** Takes those up again that were killed. */
    void awaitReady() {
        killed.keySet().forEach(worker -> awaitReady(processes.get(worker)));
        killed.clear();
    }

    void run(String round, int counters, long until, Random random) {
        for (int worker = 0; worker < COUNT; worker++) {
            processes
                    .get(worker)
                    .send(String.join(
                            " ",
                            "run",
                            round,
                            String.valueOf(counters),
                            String.valueOf(until),
                            String.valueOf(random.nextLong()),
                            reports.get(worker).toString()));
        }
    }

    void freeze(int worker) {
        processes.get(worker).pause();
    }

    void wake(int worker) {
        processes.get(worker).resume();
    }

    /** Another process starts in its place, for the next round. */
    void kill(int worker) {
        ChildProcess process = processes.get(worker);
        process.kill();
        killed.put(worker, System.nanoTime());
        process.close();
        processes.set(worker, start(worker));
    }

    /** Releases a lock by force; which worker asks does not matter. */
    void force(int worker, String counter) {
        processes.get(worker).send("force " + counter);
    }

    /** All sections of the round, when each has ended. */
    List<Attempt> attempts() {
        List<Attempt> all = new ArrayList<>();
        try {
            for (int worker = 0; worker < COUNT; worker++) {
                Long end = killed.get(worker);
                if (end == null) {
                    awaitEnd(worker);
                }
                for (Attempt attempt : Report.read(reports.get(worker))) {
                    all.add(end == null ? attempt : attempt.killedAt(end));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("A worker's report cannot be read", e);
        }
        return all;
    }

    private void awaitEnd(int worker) {
        String answer = processes.get(worker).await("done", PATIENCE);
        if (answer.startsWith("done failed")) {
            throw new IllegalStateException("Worker " + worker + ": " + answer);
        }
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
        for (Path report : reports) {
            report.toFile().delete();
        }
    }
}
