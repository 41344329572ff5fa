package io.distributionlock.quorum;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.engine.UnblockedRelease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Some processes and servers in virtual time: threads take and release one lock at random while servers stop, come back empty and
 * lose answers. After each event the promises are checked.
 */
final class QuorumSimulation {

    private static final String NAME = "sim";
    private static final int THREADS_OF_A_PROCESS = 3;
    private static final long LONGEST_LEASE_MILLIS = 1_500;

    /** Longer than any lease, in whole seconds. */
    static final Duration SAFE_RESTART_DELAY = Duration.ofSeconds(2);

    private final Random random;
    private final VirtualScheduler scheduler = new VirtualScheduler();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<LockEngine> engines = new ArrayList<>();
    private final List<Lease> leases = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private long greatestToken;
    private int acquired;
    private int busy;
    private int failed;
    private boolean ending;

    QuorumSimulation(long seed, int nodes, QuorumMode mode, Duration restartDelay, int lossRate) {
        this.random = new Random(seed);
        QuorumSettings settings =
                new QuorumSettings(mode, Duration.ofMillis(200), 0.01, Duration.ofMillis(50), restartDelay);
        for (int i = 0; i < nodes; i++) {
            servers.add(new SimulatedServer(scheduler, 0.993 + random.nextDouble() * 0.014));
        }
        for (int process = 0; process < 3; process++) {
            List<Node> connected = new ArrayList<>();
            FirstAnswers firstAnswers = new FirstAnswers(mode.needed(nodes), Duration.ofSeconds(5));
            for (int i = 0; i < nodes; i++) {
                NodePort port = new SimulatedNodePort(servers.get(i), scheduler, random, lossRate);
                connected.add(new Node("n" + i, port, settings, scheduler, firstAnswers));
            }
            QuorumCommandPort port = new QuorumCommandPort(connected, settings, scheduler, random::nextDouble);
            EngineSettings times = new EngineSettings(
                    "p" + process,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(1),
                    128,
                    Duration.ofMillis(10));
            LockEngine engine = new LockEngine(
                    port, times.withFirstAnswerTimeout(Duration.ofSeconds(8)), scheduler::nanoTime, Runnable::run);
            engines.add(engine);
            for (int thread = 0; thread < THREADS_OF_A_PROCESS; thread++) {
                scheduler.schedule(nanos(random.nextInt(100)), () -> attempt(engine));
            }
        }
    }

    private static long nanos(long millis) {
        return millis * 1_000_000;
    }

    /** Lets so much time pass with faults, and then so much without that everything must have come to rest. */
    QuorumSimulation run(Duration withFaults, boolean restarts) {
        scheduler.schedule(nanos(300), () -> fault(restarts));
        runUntil(withFaults.toNanos());
        ending = true;
        servers.forEach(server -> server.down = false);
        runUntil(scheduler.nanoTime() + Duration.ofMinutes(3).toNanos());
        for (int i = 0; i < servers.size(); i++) {
            if (servers.get(i).isLocked(NAME)) {
                violations.add("server " + i + " holds the lock for nobody");
            }
        }
        for (LockEngine engine : engines) {
            if (engine.activeNames() != 0) {
                violations.add("an engine has not forgotten the name");
            }
        }
        return this;
    }

    private void runUntil(long end) {
        boolean more = true;
        while (more) {
            long due = engines.stream().mapToLong(LockEngine::due).min().orElse(end);
            more = scheduler.step(Math.min(end, Math.max(due, scheduler.nanoTime()))) || due < end;
            for (LockEngine engine : engines) {
                if (engine.due() <= scheduler.nanoTime()) {
                    engine.tick();
                }
            }
            check();
        }
    }

    private void check() {
        leases.removeIf(lease -> !lease.isValid());
        if (leases.size() > 1) {
            violations.add("at " + scheduler.nanoTime() / 1_000_000 + " ms several hold: " + leases);
            leases.clear();
        }
    }

    private void fault(boolean restarts) {
        if (ending) {
            return;
        }
        SimulatedServer server = servers.get(random.nextInt(servers.size()));
        if (!server.down) {
            server.down = true;
            boolean empty = restarts && random.nextBoolean();
            scheduler.schedule(nanos(random.nextInt(1_500)), () -> {
                if (empty) {
                    server.restart();
                }
                server.down = false;
            });
        }
        scheduler.schedule(nanos(200 + random.nextInt(2_000)), () -> fault(restarts));
    }

    private void attempt(LockEngine engine) {
        if (ending) {
            return;
        }
        long hold = 200L + random.nextInt((int) LONGEST_LEASE_MILLIS - 200);
        LockRequest.Builder request = LockRequest.named(NAME)
                .tryLockTime(Duration.ofMillis(random.nextInt(4) == 0 ? 0 : random.nextInt(3_000)));
        if (random.nextBoolean()) {
            request.holdLockTime(Duration.ofMillis(hold));
        } else {
            request.renewedLease(Duration.ofMillis(hold));
        }
        CompletableFuture<LockOutcome> attempt = engine.acquire(request.build(), LockOwner.unique());
        if (random.nextInt(10) == 0) {
            scheduler.schedule(nanos(random.nextInt(200)), () -> attempt.cancel(true));
        }
        attempt.whenComplete((outcome, cancelled) -> {
            if (outcome instanceof LockOutcome.Acquired won) {
                holding(engine, won.lease());
            } else {
                if (outcome instanceof LockOutcome.Busy) {
                    busy++;
                } else {
                    failed++;
                }
                scheduler.schedule(nanos(random.nextInt(200)), () -> attempt(engine));
            }
        });
    }

    private void holding(LockEngine engine, Lease lease) {
        acquired++;
        if (lease.fencingToken() <= greatestToken) {
            violations.add("token " + lease.fencingToken() + " after " + greatestToken);
        }
        greatestToken = lease.fencingToken();
        leases.add(lease);
        check();
        // Sometimes for longer than the lease; never waits for the answer to the release, for no time would pass.
        scheduler.schedule(nanos(random.nextInt(random.nextInt(5) == 0 ? 2_500 : 100)), () -> {
            leases.remove(lease);
            UnblockedRelease.of(lease);
        });
        scheduler.schedule(nanos(200 + random.nextInt(200)), () -> attempt(engine));
    }

    List<String> violations() {
        return violations;
    }

    int acquired() {
        return acquired;
    }

    int busy() {
        return busy;
    }

    int failed() {
        return failed;
    }
}
