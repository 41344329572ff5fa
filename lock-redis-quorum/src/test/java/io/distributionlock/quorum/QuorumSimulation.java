package io.distributionlock.quorum;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.CommandPort;
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
    /** How long an answer may take that the others do not make up for; an attempt may take two of them. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long MAX_LEASE_MILLIS = 1_500;
    private static final long LONG_LEASE_MILLIS = 6_000;

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
    private int healed;
    private boolean inTurn;
    private boolean slowly;
    private int turn;
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
            for (int i = 0; i < nodes; i++) {
                CommandPort port = new SimulatedNodePort(servers.get(i), scheduler, random, lossRate);
                connected.add(new Node("n" + i, port, settings, PATIENCE, scheduler));
            }
            QuorumCommandPort port = new QuorumCommandPort(connected, settings, scheduler, random::nextDouble);
            EngineSettings times = new EngineSettings(
                    "p" + process,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(1),
                    128,
                    Duration.ofMillis(10));
            LockEngine engine = new LockEngine(port, times, scheduler::nanoTime, Runnable::run);
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
    QuorumSimulation run(Duration withFaults) {
        scheduler.schedule(nanos(300), this::fault);
        return runToTheEnd(withFaults);
    }

    /**
     * Servers only come back empty, each when all the others count again, and some holds are long. Nothing may be lost then, so
     * other faults are left out: three late answers in a row lose a lease too.
     */
    QuorumSimulation runInTurn(Duration withRestarts) {
        inTurn = true;
        scheduler.schedule(nanos(300), this::restart);
        return runToTheEnd(withRestarts);
    }

    /**
     * All servers are slow for seconds: each answer takes longer than the node timeout, and less than an answer may take. Nothing else goes
     * wrong, so whoever may wait long enough gets the lock.
     */
    QuorumSimulation runSlowly(Duration withSlowness) {
        slowly = true;
        scheduler.schedule(nanos(300), this::slow);
        return runToTheEnd(withSlowness);
    }

    private void slow() {
        boolean now = !ending && random.nextInt(4) > 0;
        servers.forEach(server -> server.extraDelayNanos = now ? nanos(110 + random.nextInt(140)) : 0);
        if (!ending) {
            scheduler.schedule(nanos(500 + random.nextInt(5_000)), this::slow);
        }
    }

    private QuorumSimulation runToTheEnd(Duration withFaults) {
        runUntil(withFaults.toNanos());
        ending = true;
        servers.forEach(server -> {
            server.down = false;
            server.extraDelayNanos = 0;
        });
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

    private void fault() {
        if (ending) {
            return;
        }
        stop(servers.get(random.nextInt(servers.size())), random.nextBoolean());
        scheduler.schedule(nanos(200 + random.nextInt(2_000)), this::fault);
    }

    private void restart() {
        if (ending) {
            return;
        }
        if (!allServersAgree()) {
            // A hold that began a moment ago, while others asked too, may be on no more than a majority.
            scheduler.schedule(nanos(10), this::restart);
            return;
        }
        stop(servers.get(turn++ % servers.size()), true);
        // It is down, does not count, and is then found by the next renewal.
        scheduler.schedule(nanos(1_500 + 3_000 + MAX_LEASE_MILLIS), this::restart);
    }

    /** Whether the same claim counts on each server, or all are free. */
    private boolean allServersAgree() {
        String claim = servers.get(0).claimOf(NAME);
        return servers.stream()
                .allMatch(server ->
                        server.claimOf(NAME).equals(claim) && (claim.isEmpty() || server.confirmedClaim.equals(claim)));
    }

    private void stop(SimulatedServer server, boolean empty) {
        if (!server.down) {
            server.down = true;
            scheduler.schedule(nanos(random.nextInt(1_500)), () -> {
                if (empty) {
                    server.restart();
                }
                server.down = false;
            });
        }
    }

    private void attempt(LockEngine engine) {
        if (ending) {
            return;
        }
        long hold = slowly
                ? LONG_LEASE_MILLIS
                : inTurn ? MAX_LEASE_MILLIS : 200L + random.nextInt((int) MAX_LEASE_MILLIS - 200);
        LockRequest.Builder builder = LockRequest.named(NAME)
                .tryLockTime(
                        slowly
                                ? Duration.ofMinutes(5)
                                : Duration.ofMillis(random.nextInt(4) == 0 ? 0 : random.nextInt(3_000)));
        if (!slowly && random.nextBoolean()) {
            builder.holdLockTime(Duration.ofMillis(hold));
        } else {
            builder.renewedLease(Duration.ofMillis(hold));
        }
        LockRequest request = builder.build();
        CompletableFuture<LockOutcome> attempt = engine.acquire(request, LockOwner.unique());
        if (random.nextInt(10) == 0) {
            scheduler.schedule(nanos(random.nextInt(200)), () -> attempt.cancel(true));
        }
        attempt.whenComplete((outcome, cancelled) -> {
            if (outcome instanceof LockOutcome.Acquired won) {
                holding(engine, won.lease(), request.renewed());
            } else {
                if (outcome instanceof LockOutcome.Busy) {
                    busy++;
                } else {
                    failed++;
                    if (slowly && cancelled == null) {
                        violations.add("whoever may wait was refused: " + outcome);
                    }
                }
                scheduler.schedule(nanos(random.nextInt(200)), () -> attempt(engine));
            }
        });
    }

    private void holding(LockEngine engine, Lease lease, boolean renewed) {
        acquired++;
        if (lease.fencingToken() <= greatestToken) {
            violations.add("token " + lease.fencingToken() + " after " + greatestToken);
        }
        greatestToken = lease.fencingToken();
        leases.add(lease);
        check();
        long since = scheduler.nanoTime();
        // Sometimes for longer than the lease; never waits for the answer to the release, for no time would pass.
        scheduler.schedule(nanos(random.nextInt(longestHoldMillis())), () -> {
            leases.remove(lease);
            if ((inTurn || slowly) && renewed && !lease.isValid()) {
                violations.add("a lease was lost that was renewed: " + lease.lossReason());
            }
            if (lease.isValid() && servers.stream().allMatch(server -> server.cameBackEmptyAt > since)) {
                healed++;
            }
            UnblockedRelease.of(lease);
        });
        scheduler.schedule(nanos(200 + random.nextInt(200)), () -> attempt(engine));
    }

    private int longestHoldMillis() {
        if (random.nextInt(5) > 0) {
            return 100;
        }
        return inTurn || slowly ? 30_000 : 2_500;
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

    /** How many holds outlived that all servers had come back empty. */
    int healed() {
        return healed;
    }
}
