package io.distributionlock.engine;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.SimulatedThread.HeldLease;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Engines of several processes over one server in memory, in one thread and on a clock of its own. Each step lets one thing
 * happen, chosen by a random number: a command runs, an answer or a message arrives, a thread asks for a lock or gives it up,
 * something breaks, time passes. The same seed gives the same run.
 */
final class Simulation {

    /** On the permits of this name all agree; on those of others, no two attempts do. */
    static final String AGREED = "a";

    static final int PERMITS = 2;
    static final int MAX_PERMITS = 4;

    private static final int PROCESSES = 3;
    private static final int THREADS = 3;
    private static final Duration CALM_DELAY = Duration.ofMillis(60);
    private static final Duration MOMENT = Duration.ofMillis(15);
    private static final Duration WHILE = Duration.ofMillis(400);
    private static final Duration LONG_TIME = Duration.ofSeconds(4);
    private static final long START_MICROS = 1_800_000_000_000_000L;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;

    private final Scenario scenario;
    private final Random random;
    private final Consumer<String> trace;
    private final boolean traced;

    private long now = 77 * SECOND;
    private final ModelBackend server;
    private final List<String> names = List.of(AGREED, "b");
    private final List<SimulatedProcess> processes = new ArrayList<>();
    /** Links of dead processes, whose last commands may still run. */
    private final List<SimulatedLink> severed = new ArrayList<>();

    private final Invariants invariants;
    private int births;
    private int steps;
    private int acquisitions;
    private boolean calmed;
    /** Thrown inside a callback, where the future would swallow it. */
    private Throwable failureInCallback;

    Simulation(Scenario scenario, long seed, boolean traced, Consumer<String> trace) {
        this.scenario = scenario;
        this.random = new Random(seed);
        this.traced = traced;
        this.trace = trace;
        this.server = new ModelBackend(() -> now, START_MICROS, Runnable::run);
        this.invariants = new Invariants(scenario, names, processes, server, () -> now);
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(newProcess());
        }
    }

    /** Steps so far. */
    int steps() {
        return steps;
    }

    /** Locks acquired so far. */
    int acquisitions() {
        return acquisitions;
    }

    /** Lets that many steps happen, then everything come to its end; throws an {@link AssertionError} if a promise breaks. */
    void run(int length) {
        while (steps < length) {
            randomStep();
        }
        comeToTheEnd();
    }

    private SimulatedProcess newProcess() {
        String instance = "p" + ++births;
        // Some processes ask for their waiting claims together, others for each.
        SimulatedLink link = new SimulatedLink(
                ModelPort.connect(server, instance),
                births % 2 == 0 ? 1 : CommandPort.MAX_HEARTBEAT_ENTRIES,
                () -> now,
                this::arrival);
        return new SimulatedProcess(EngineSettings.standard(instance), link, () -> now, THREADS);
    }

    private long arrival() {
        boolean stalls = !calmed && random.nextDouble() < scenario.stalls();
        Duration most = stalls ? scenario.stall() : scenario.usualDelay();
        return now + randomNanos(calmed && most.compareTo(CALM_DELAY) > 0 ? CALM_DELAY : most);
    }

    private long randomNanos(Duration most) {
        return (long) (random.nextDouble() * most.toNanos());
    }

    private boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    // --- steps ---

    private void step(String what) {
        steps++;
        if (traced) {
            trace.accept(String.format("%5d %12.3f ms  %s", steps, (now - 77 * SECOND) / 1e6, what));
        }
        if (failureInCallback != null) {
            throw new AssertionError(failureInCallback.getMessage(), failureInCallback);
        }
        invariants.check();
    }

    /** Attaches what checks an outcome. */
    private <T> void whenDone(CompletableFuture<T> future, Consumer<T> check) {
        future.whenComplete((result, failure) -> {
            try {
                if (failure == null) {
                    check.accept(result);
                } else if (!(failure instanceof CancellationException)) {
                    failureInCallback = failure;
                }
            } catch (Throwable e) {
                failureInCallback = e;
            }
        });
    }

    private void randomStep() {
        SimulatedProcess process = processes.get(random.nextInt(processes.size()));
        if (somethingBreaks(process)) {
            return;
        }
        SimulatedLink link = process.link;
        int choice = random.nextInt(100);
        if (choice < 25 && link.hasCommandUnderWay()) {
            step(process.instance + ": " + link.runNextCommand());
        } else if (choice < 30 && link.hasStray()) {
            step(process.instance + ": " + link.runNextStray());
        } else if (process.isPaused()) {
            passTime();
        } else if (choice < 50 && link.hasAnswerUnderWay()) {
            step(process.instance + " hears: " + link.answerNext());
        } else if (choice < 60 && link.hasMessageUnderWay()) {
            step(process.instance + " hears: " + link.deliverNextMessage());
        } else if (choice < 85) {
            threadStep(process.threads.get(random.nextInt(THREADS)));
        } else {
            passTime();
        }
    }

    private boolean somethingBreaks(SimulatedProcess process) {
        SimulatedLink link = process.link;
        String what = null;
        if (happens(scenario.lostMessages()) && link.hasMessageUnderWay()) {
            what = link.loseNextMessage();
        } else if (happens(scenario.failures()) && !process.isPaused()) {
            if (link.hasCommandUnderWay() && random.nextBoolean()) {
                what = link.failNextCommand(random.nextBoolean());
            } else if (link.hasAnswerUnderWay()) {
                what = link.failNextAnswer();
            } else {
                what = link.throwNext();
            }
        } else if (happens(scenario.reconnects()) && !process.isPaused()) {
            what = link.reconnect(random.nextBoolean());
        } else if (happens(scenario.lostSubscriptions())) {
            what = link.loseSubscription();
        } else if (link.isSubscriptionBroken() && happens(0.05)) {
            what = link.subscribeAgain();
        } else if (happens(scenario.pauses())) {
            process.pauseUntil(now + randomNanos(Duration.ofSeconds(8)));
            what = "stands still";
        } else if (happens(scenario.crashes())) {
            crash(process);
            what = "dies";
        } else if (scenario.dataLoss() && happens(0.001)) {
            restartServer();
            what = "server restarts empty";
        } else if (scenario.forcedReleases() && happens(0.002)) {
            String name = names.get(random.nextInt(names.size()));
            what = "forced release of " + name + ": " + server.forceRelease(name);
        }
        if (what == null) {
            return false;
        }
        step(process.instance + " " + what);
        return true;
    }

    private void crash(SimulatedProcess process) {
        process.link.sever(random.nextInt(3));
        severed.add(process.link);
        processes.set(processes.indexOf(process), newProcess());
    }

    private void restartServer() {
        server.forgetEverything();
        for (SimulatedProcess process : processes) {
            process.link.loseSubscription();
            process.link.subscribeAgain();
            process.link.reconnect(false);
        }
    }

    // --- threads ---

    private void threadStep(SimulatedThread thread) {
        if (thread.attempt != null) {
            if (random.nextInt(30) == 0) {
                cancel(thread);
            }
        } else if (thread.leases.isEmpty()) {
            ask(thread, randomRequest(names.get(random.nextInt(names.size()))));
        } else {
            actAsHolder(thread);
        }
    }

    private void actAsHolder(SimulatedThread thread) {
        HeldLease last = thread.leases.get(thread.leases.size() - 1);
        int choice = random.nextInt(20);
        if (last.isReleased() || choice == 0) {
            passTime();
        } else if (choice == 1 && thread.leases.size() < 3) {
            ask(thread, randomRequest(last.lease.name()));
        } else if (choice == 2) {
            last.lease.extendWithoutWaiting(Duration.ofMillis(1 + random.nextInt(4_000)));
            step(thread + " extends its lease");
        } else if (choice == 3) {
            for (int i = random.nextInt(5); i >= 0; i--) {
                confirm(last);
            }
            step(thread + " confirms its lease");
        } else {
            release(last);
        }
    }

    private void confirm(HeldLease held) {
        LockEngine engine = held.thread.process.engine;
        whenDone(held.lease.confirmWithoutWaiting(), confirmed -> {
            // A release in the meantime makes the answer untrue.
            if (confirmed && !held.isReleased() && !held.lease.hold().ownership.isValid(engine.now())) {
                throw new AssertionError(held.thread + " was told that a lost lease is held");
            }
        });
    }

    private LockRequest randomRequest(String name) {
        LockRequest.Builder builder = LockRequest.named(name).tryLockTime(randomWait());
        LockKind kind = randomKind();
        if (kind == LockKind.PERMIT) {
            builder.permits(name.equals(AGREED) ? PERMITS : 1 + random.nextInt(MAX_PERMITS));
        } else {
            builder.kind(kind);
        }
        if (random.nextInt(3) == 0) {
            builder.holdLockTime(Duration.ofMillis(50 + random.nextInt(3_000)));
        } else {
            builder.renewedLease(Duration.ofMillis(random.nextBoolean() ? 10_000 : 300 + random.nextInt(5_000)));
            if (random.nextInt(5) == 0) {
                builder.maxHoldTime(Duration.ofMillis(100 + random.nextInt(3_000)));
            }
        }
        if (scenario.minHolds() && random.nextInt(10) == 0) {
            builder.minHoldTime(Duration.ofMillis(1 + random.nextInt(50)));
        }
        if (random.nextInt(10) == 0) {
            builder.fenced();
        }
        return builder.build();
    }

    private LockKind randomKind() {
        return scenario.kinds().get(random.nextInt(scenario.kinds().size()));
    }

    private Duration randomWait() {
        return switch (random.nextInt(6)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(1 + random.nextInt(300));
            case 2, 3 -> Duration.ofMillis(1 + random.nextInt(5_000));
            case 4 -> Duration.ofSeconds(30);
            default -> LockRequest.FOREVER;
        };
    }

    private void ask(SimulatedThread thread, LockRequest request) {
        // Only those that are not over: to ask again with a lost lease is no re-entry.
        boolean reentry = thread.leases.stream().anyMatch(held -> held.lease.isValid());
        long askedAt = now;
        CompletableFuture<LockOutcome> attempt = thread.process.engine.acquire(request, thread.owner);
        thread.attempt = attempt;
        thread.request = request;
        thread.askedAt = askedAt;
        boolean upgrade = reentry && request.kind().isExclusive() && reads(thread);
        if (upgrade != (attempt.getNow(null) instanceof LockOutcome.Upgrade)) {
            throw new AssertionError(thread + (upgrade ? " reads and was not refused " : " was refused ") + request);
        }
        if (upgrade) {
            thread.attempt = null;
        } else {
            whenDone(attempt, outcome -> decided(thread, outcome, reentry));
        }
        step(thread + " asks for " + request);
    }

    private static boolean reads(SimulatedThread thread) {
        return thread.leases.stream()
                .anyMatch(held ->
                        held.lease.isValid() && held.lease.hold().ownership.isShared());
    }

    private void decided(SimulatedThread thread, LockOutcome outcome, boolean reentry) {
        if (traced) {
            trace.accept("       " + thread + " gets " + outcome);
        }
        LockRequest request = thread.request;
        thread.attempt = null;
        if (outcome instanceof LockOutcome.Acquired acquired) {
            acquisitions++;
            HeldLease held = new HeldLease(thread, (EngineLease) acquired.lease());
            thread.leases.add(held);
            // Who enters again when the lease has almost ended may be too late to prolong it.
            boolean unlimited = request.renewed()
                    && request.maxHoldTime() == null
                    && held.lease.remaining().toMillis() > 100;
            held.lease.onLost(lost -> {
                held.toldLost = true;
                if (unlimited && scenario.isQuiet()) {
                    failureInCallback =
                            new AssertionError(thread + " lost a renewed lease although nothing failed: " + lost);
                }
                if (scenario.keepsExclusion() && lost.lossReason() == Lease.LossReason.GONE) {
                    failureInCallback = new AssertionError(thread + " lost what the server still keeps: " + lost);
                }
            });
            invariants.afterAcquisition(held);
            if (held.lease.knownFencingToken().isPresent()) {
                invariants.afterTokenDraw(held, held.lease.fencingToken(), reentry);
            } else if (request.fenced()) {
                throw new AssertionError(thread + " asked for a token and got none: " + held.lease);
            } else if (random.nextBoolean()) {
                drawToken(held, reentry);
            }
        } else {
            checkRefusal(thread, request, outcome);
        }
    }

    private void drawToken(HeldLease held, boolean reentry) {
        held.lease.tokenWithoutWaiting().whenComplete((token, failure) -> {
            try {
                if (failure == null && held.lease.isValid()) {
                    invariants.afterTokenDraw(held, token, reentry);
                }
            } catch (Throwable e) {
                failureInCallback = e;
            }
        });
    }

    private void checkRefusal(SimulatedThread thread, LockRequest request, LockOutcome outcome) {
        long waited = now - thread.askedAt;
        boolean single = request.tryLockTime().isZero();
        if (outcome instanceof LockOutcome.Busy
                && !single
                && waited < request.tryLockTime().toNanos()) {
            throw new AssertionError(thread + " gave up after " + waited + " ns of " + request);
        }
        // A wait that is over before an answer can have come has not heard of anybody else.
        boolean couldHear = waited > 2 * scenario.usualDelay().toNanos();
        if (outcome instanceof LockOutcome.BackendFailed && couldHear && scenario.isQuiet()) {
            throw new AssertionError(
                    thread + " was told that the backend failed, which it never does here: " + outcome);
        }
        // A shorter wait is lengthened to 100 ms, until that answer comes.
        long most = (single
                        ? thread.process.longestAnswer
                        : Math.max(request.tryLockTime().toNanos(), 100 * MILLISECOND))
                + MILLISECOND;
        // Engines that do not stand still tick as soon as they are due.
        if (scenario.pauses() == 0 && waited > most) {
            throw new AssertionError(thread + " waited for " + waited + " ns with " + request);
        }
    }

    private void cancel(SimulatedThread thread) {
        CompletableFuture<LockOutcome> attempt = thread.attempt;
        if (!attempt.cancel(true)) {
            throw new AssertionError(thread + " could not cancel an attempt without an outcome");
        }
        thread.attempt = null;
        step(thread + " cancels its attempt");
    }

    private void release(HeldLease held) {
        boolean valid = held.lease.isValid();
        boolean comfortable = held.lease.remaining().toMillis() > 100;
        held.release = held.lease.releaseWithoutWaiting();
        whenDone(held.release, result -> {
            if (traced) {
                trace.accept("       " + held.thread + " is told " + result);
            }
            held.thread.leases.remove(held);
            checkResult(held, valid, comfortable, result);
        });
        step(held.thread + " releases " + held.lease);
    }

    private void checkResult(HeldLease held, boolean valid, boolean comfortable, ReleaseResult result) {
        boolean plausible = switch (result) {
            case RELEASED -> valid;
            // Re-entry may be granted and not told yet, because its number is being drawn.
            case STILL_HELD -> valid && (!held.thread.leases.isEmpty() || held.thread.attempt != null);
            case LOST -> !valid || !comfortable || !scenario.isQuiet();
            case UNCONFIRMED -> valid && !scenario.isQuiet();
            case ALREADY_RELEASED -> false;
        };
        if (!plausible) {
            throw new AssertionError(
                    held.thread + " released a " + (valid ? "valid" : "lost") + " lease, and was told " + result);
        }
    }

    // --- time ---

    private void passTime() {
        int choice = random.nextInt(100);
        passTimeUntil(now + randomNanos(choice < 85 ? MOMENT : choice < 97 ? WHILE : LONG_TIME));
    }

    private void passTimeUntil(long moment) {
        while (true) {
            SimulatedLink dueLink = null;
            SimulatedProcess dueProcess = null;
            long due = moment;
            for (SimulatedProcess process : processes) {
                if (process.link.serverDue() <= due) {
                    due = process.link.serverDue();
                    dueLink = process.link;
                    dueProcess = null;
                }
                if (process.due() <= due) {
                    due = process.due();
                    dueProcess = process;
                    dueLink = null;
                }
            }
            for (SimulatedLink link : severed) {
                if (link.serverDue() <= due) {
                    due = link.serverDue();
                    dueLink = link;
                    dueProcess = null;
                }
            }
            now = Math.max(now, due);
            invariants.timePassed();
            if (dueLink != null) {
                step(dueLink.runDue());
            } else if (dueProcess != null) {
                step(dueProcess.doWhatIsDue());
            } else {
                step("time passes");
                return;
            }
        }
    }

    // --- the end ---

    /** Nothing breaks any more, every holder releases its lock, and in the end nothing may be left. */
    private void comeToTheEnd() {
        calmed = true;
        processes.forEach(process -> {
            process.pauseUntil(now);
            process.link.arriveBy(now + SECOND);
            if (process.link.isSubscriptionBroken()) {
                process.link.subscribeAgain();
            }
        });
        severed.forEach(link -> link.arriveBy(now + SECOND));
        step("calm");
        invariants.expectCalm();
        long deadline = now + 400 * SECOND;
        while (!everybodyIsIdle()) {
            releaseEverything();
            passTimeUntil(now + 5 * MILLISECOND);
            requireBefore(deadline, "everybody has got and released the lock");
        }
        while (!everythingIsQuiet()) {
            passTimeUntil(now + 50 * MILLISECOND);
            requireBefore(deadline, "every engine is quiet and has forgotten every name");
        }
        boolean nobodyDied = severed.isEmpty();
        if (nobodyDied) {
            // Longer than any minimum hold time, shorter than most leases.
            passTimeUntil(now + 60 * MILLISECOND);
        } else {
            // The leases of the dead end, and their queues are forgotten.
            passTimeUntil(now + TimeUnit.SECONDS.toNanos(45));
        }
        if (!server.namesInUse().isEmpty()) {
            throw new AssertionError("Something was left at the server for " + server.namesInUse());
        }
    }

    private boolean everybodyIsIdle() {
        return processes.stream().flatMap(process -> process.threads.stream()).allMatch(SimulatedThread::isIdle);
    }

    private void releaseEverything() {
        for (SimulatedProcess process : processes) {
            for (SimulatedThread thread : process.threads) {
                for (HeldLease held : List.copyOf(thread.leases)) {
                    if (!held.isReleased()) {
                        release(held);
                    }
                }
            }
        }
    }

    private boolean everythingIsQuiet() {
        return processes.stream().allMatch(process -> process.isQuiet() && process.link.isEmpty())
                && severed.stream().allMatch(SimulatedLink::isEmpty);
    }

    private void requireBefore(long deadline, String expected) {
        if (now > deadline) {
            throw new AssertionError("Within 400 s after the last disturbance it should be so that " + expected);
        }
    }
}
