package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.engine.SimulatedThread.HeldLease;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.model.ModelBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** What has to be true after each step of a simulation. */
final class Invariants {

    /** A message or the answer to a check, and a step or two of the simulation. */
    private static final long NEWS_NANOS = 500_000_000;

    private static final Duration MAX_GAP_IN_CALM = Duration.ofSeconds(30);

    private final Scenario scenario;
    private Duration longestGap;
    private final List<String> names;
    private final List<SimulatedProcess> processes;
    private final ModelBackend server;
    private final LongSupplier clock;
    private final Map<String, Long> greatestToken = new HashMap<>();
    private final Map<String, Long> greatestTokenOfAReader = new HashMap<>();
    private final Map<String, Long> staleSince = new HashMap<>();
    private final Map<String, Set<String>> insideBefore = new HashMap<>();
    /** Since when each lock has been free although an attempt waits for it. */
    private final Map<String, Long> freeSince = new HashMap<>();

    Invariants(
            Scenario scenario,
            List<String> names,
            List<SimulatedProcess> processes,
            ModelBackend server,
            LongSupplier clock) {
        this.scenario = scenario;
        this.longestGap = scenario.longestGap();
        this.names = names;
        this.processes = processes;
        this.server = server;
        this.clock = clock;
    }

    /** Nothing breaks from now on: every waiter gets its turn as soon as earlier leases have ended. */
    void expectCalm() {
        if (longestGap.compareTo(MAX_GAP_IN_CALM) > 0) {
            longestGap = MAX_GAP_IN_CALM;
        }
        freeSince.clear();
    }

    void afterAcquisition(HeldLease held) {
        if (!held.lease.isValid()) {
            throw new AssertionError(held.thread + " was given a lease that is over: " + held.lease);
        }
    }

    /** A number may be drawn long after the acquisition, but while it lasts. */
    void afterTokenDraw(HeldLease held, long token, boolean reentry) {
        String scope = held.lease.name() + scopeOfOrder(held);
        boolean shared = held.lease.hold().ownership.isShared();
        long greatest = greatestToken.getOrDefault(scope, 0L);
        if (!shared) {
            // Readers that are admitted together learn of it in any order.
            greatest = Math.max(greatest, greatestTokenOfAReader.getOrDefault(scope, 0L));
        }
        if (!reentry && token <= greatest) {
            throw new AssertionError(held.thread + " got fencing token " + token + " after somebody got " + greatest);
        }
        (shared ? greatestTokenOfAReader : greatestToken).merge(scope, token, Math::max);
    }

    /** A holder that does not know yet that the server forgot it continues, and passes its lock on inside its process. */
    private String scopeOfOrder(HeldLease held) {
        if (scenario.keepsExclusion()) {
            return "";
        }
        boolean together = scenario.kinds().equals(List.of(LockKind.REENTRANT));
        return " in " + (together ? held.thread.process.instance : held.thread);
    }

    void check() {
        for (String name : names) {
            List<HeldLease> valid = validLeases(name);
            if (scenario.keepsExclusion()) {
                checkExclusion(name, valid);
            }
            if (scenario.hasPermits()) {
                checkPermits(name, valid);
            }
            checkProgress(name, valid);
            checkOrphans(name);
            checkStaleness(name, valid);
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
        boolean shared =
                valid.stream().allMatch(held -> held.lease.hold().ownership.isShared());
        if (!shared && valid.stream().map(held -> held.thread).distinct().count() > 1) {
            throw new AssertionError("Several hold '" + name + "': "
                    + valid.stream().map(held -> held.thread + " " + held.lease).toList());
        }
        List<String> holders = server.holders(name);
        for (HeldLease held : valid) {
            if (!holders.contains(held.lease.hold().ownership.claim().text())) {
                throw new AssertionError(held.thread + " believes to hold '" + name + "' by "
                        + held.lease.hold().ownership.claim().text() + ", but at the server it belongs to " + holders);
            }
        }
    }

    /** Leases may have ended: whoever is inside after the next step may have been admitted once more. */
    void timePassed() {
        insideBefore.replaceAll((name, before) -> {
            Set<String> still = new HashSet<>(server.holders(name));
            still.retainAll(before);
            return still;
        });
    }

    /** An admitted claim has counted all that are inside, itself included. */
    private void checkPermits(String name, List<HeldLease> valid) {
        long most = name.equals(Simulation.AGREED) ? Simulation.PERMITS : Simulation.MAX_PERMITS;
        if (scenario.keepsExclusion() && holdersOf(valid) > most) {
            throw new AssertionError("More than " + most + " hold '" + name + "': "
                    + valid.stream().map(held -> held.thread + " " + held.lease).toList());
        }
        List<String> inside = server.holders(name);
        Set<String> admitted = new HashSet<>(inside);
        admitted.removeAll(insideBefore.getOrDefault(name, Set.of()));
        insideBefore.put(name, Set.copyOf(inside));
        if (!admitted.isEmpty()
                && admitted.stream().mapToInt(ClaimIds::permitsOf).max().orElse(0) < inside.size()) {
            throw new AssertionError("'" + name + "' admitted " + admitted + ", and now inside are " + inside);
        }
    }

    private static long holdersOf(List<HeldLease> valid) {
        return valid.stream()
                .map(held -> held.lease.hold().ownership)
                .distinct()
                .count();
    }

    /** Whether nobody can enter, as far as this knows: who counts fewer permits waits longer. */
    private boolean isTaken(String name, List<HeldLease> valid) {
        return scenario.hasPermits() && name.equals(Simulation.AGREED)
                ? holdersOf(valid) >= Simulation.PERMITS
                : !valid.isEmpty();
    }

    private void checkProgress(String name, List<HeldLease> valid) {
        long now = clock.getAsLong();
        if (isTaken(name, valid) || !isWaitedFor(name) || anybodyIsHandicapped()) {
            freeSince.remove(name);
            return;
        }
        freeSince.putIfAbsent(name, now);
        long gap = now - freeSince.get(name);
        if (gap > longestGap.toNanos()) {
            throw new AssertionError("Lock '" + name + "' was free for " + gap / 1_000_000
                    + " ms although somebody waited; at the server it is "
                    + "held by " + server.holders(name)
                    + ", waiting are " + server.waiters(name));
        }
    }

    /** What was released and answered stays away; what is to be released does not stay for long. */
    private void checkOrphans(String name) {
        List<String> known = new ArrayList<>(server.waiters(name));
        known.addAll(server.holders(name));
        for (String claim : known) {
            for (SimulatedProcess process : processes) {
                if (claim.startsWith(process.instance + ":") && process.link.isOrphan(claim, clock.getAsLong())) {
                    throw new AssertionError("'" + claim
                            + "' was released, and is still or again known to the server for '" + name + "'");
                }
            }
        }
    }

    /** Without delays, a holder that the server has forgotten learns of it at once. */
    private void checkStaleness(String name, List<HeldLease> valid) {
        long now = clock.getAsLong();
        List<String> holders = server.holders(name);
        boolean stale = valid.stream()
                .anyMatch(held -> held.thread.process.link.isListening()
                        && !holders.contains(held.lease.hold().ownership.claim().text()));
        if (!stale) {
            staleSince.remove(name);
            return;
        }
        staleSince.putIfAbsent(name, now);
        long stillValid = now - staleSince.get(name);
        if (scenario.dataLoss() && stillValid > NEWS_NANOS) {
            throw new AssertionError(valid.get(0).thread + " still believes after " + stillValid / 1_000_000
                    + " ms that it holds '" + name + "', which belongs to " + holders + " at the server");
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
