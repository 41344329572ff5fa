package io.distributionlock.engine;

import io.distributionlock.engine.SimulatedThread.HeldLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** What has to be true after each step of a simulation. */
final class Invariants {

    private final Scenario scenario;
    private final List<String> names;
    private final List<SimulatedProcess> processes;
    private final Predicate<String> lockedAtServer;
    private final LongSupplier clock;
    private final Map<String, Long> greatestToken = new HashMap<>();
    private final Map<String, Long> lastInUse = new HashMap<>();

    Invariants(
            Scenario scenario,
            List<String> names,
            List<SimulatedProcess> processes,
            Predicate<String> lockedAtServer,
            LongSupplier clock) {
        this.scenario = scenario;
        this.names = names;
        this.processes = processes;
        this.lockedAtServer = lockedAtServer;
        this.clock = clock;
        startWaitingAnew();
    }

    /** Counts from now on how long a lock stays free while somebody waits. */
    void startWaitingAnew() {
        names.forEach(name -> lastInUse.put(name, clock.getAsLong()));
    }

    void afterAcquisition(HeldLease held, boolean reentry) {
        if (!held.lease.isValid()) {
            throw new AssertionError(held.thread + " was given a lease that is over: " + held.lease);
        }
        // A holder that has not heard yet that the server forgot it passes its lock on inside its process.
        String scope = held.lease.name() + (scenario.keepsExclusion() ? "" : " in " + held.thread.process.instance);
        long token = held.lease.fencingToken();
        long greatest = greatestToken.getOrDefault(scope, 0L);
        if (reentry ? token < greatest : token <= greatest) {
            throw new AssertionError(held.thread + " got fencing token " + token + " after somebody got " + greatest);
        }
        greatestToken.put(scope, token);
    }

    void check() {
        for (String name : names) {
            List<HeldLease> valid = validLeases(name);
            if (scenario.keepsExclusion()) {
                checkExclusion(name, valid);
            }
            checkProgress(name, valid);
        }
        processes.forEach(this::checkLossesAreTold);
    }

    private List<HeldLease> validLeases(String name) {
        List<HeldLease> valid = new ArrayList<>(2);
        for (SimulatedProcess process : processes) {
            for (SimulatedThread thread : process.threads) {
                for (HeldLease held : thread.leases) {
                    if (held.lease.name().equals(name) && held.lease.isValid()) {
                        valid.add(held);
                    }
                }
            }
        }
        return valid;
    }

    private void checkExclusion(String name, List<HeldLease> valid) {
        if (valid.stream().map(held -> held.thread).distinct().count() > 1) {
            throw new AssertionError("Several hold '" + name + "': "
                    + valid.stream().map(held -> held.thread + " " + held.lease).toList());
        }
        if (!valid.isEmpty() && !lockedAtServer.test(name)) {
            throw new AssertionError(
                    valid.get(0).thread + " believes to hold '" + name + "', which is free at the server");
        }
    }

    private void checkProgress(String name, List<HeldLease> valid) {
        long now = clock.getAsLong();
        if (!valid.isEmpty() || !isWaitedFor(name) || anybodyIsHandicapped()) {
            lastInUse.put(name, now);
            return;
        }
        long gap = now - lastInUse.get(name);
        if (gap > scenario.longestGap().toNanos()) {
            throw new AssertionError("Lock '" + name + "' was free for " + gap / 1_000_000
                    + " ms although somebody waited; at the server it is "
                    + (lockedAtServer.test(name) ? "taken" : "free"));
        }
    }

    private boolean isWaitedFor(String name) {
        return processes.stream()
                .flatMap(process -> process.threads.stream())
                .anyMatch(thread -> thread.isWaitingFor(name));
    }

    private boolean anybodyIsHandicapped() {
        return processes.stream().anyMatch(SimulatedProcess::isPaused);
    }

    private void checkLossesAreTold(SimulatedProcess process) {
        if (process.isPaused() || process.due() <= clock.getAsLong()) {
            return;
        }
        for (SimulatedThread thread : process.threads) {
            for (HeldLease held : thread.leases) {
                if (!held.isReleased() && held.lease.isValid() == held.toldLost) {
                    throw new AssertionError(thread
                            + (held.toldLost ? " was told of a loss, but holds " : " was not told that it lost ")
                            + held.lease);
                }
            }
        }
    }
}
