package io.distributionlock.faults;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.engine.ActiveNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/**
 * The program of each process of the {@link SoakIT}: some threads that take, hold and release a few locks at random, and write
 * down what they see. Arguments: port of Redis, name of this process, its history file, seed, threads, keys.
 */
final class SoakProcess {

    /** The name that has permits. */
    static final String PERMITTED = "soak:permits";

    /** Read and written. */
    static final String SHARED = "soak:shared";

    static final int PERMITS = 2;

    /** A waiter with this budget is to get its turn, whatever happens. */
    static final Duration PATIENT = Duration.ofSeconds(120);

    private static final Duration LOOK_EVERY = Duration.ofMillis(4);

    private static final int ASKERS = 8;

    private final ParentLink parent = new ParentLink();
    private final Instance instance;
    private final HistoryFile.Writer history;
    private final List<Worker> workers = new ArrayList<>();
    private final Candidate candidate;
    private final Random interruptions;

    /** Some turns are taken by its four threads, which run other turns while they wait for a future. */
    private final ForkJoinPool callers = new ForkJoinPool(4);

    private volatile boolean draining;

    private SoakProcess(String[] arguments) throws IOException {
        this.instance = new Instance(Integer.parseInt(arguments[0]));
        this.history = new HistoryFile.Writer(Path.of(arguments[2]));
        long seed = Long.parseLong(arguments[3]);
        this.interruptions = new Random(seed);
        this.candidate = new Candidate(arguments[1], instance.locks(), history, new Random(-seed));
        for (int thread = 0; thread < Integer.parseInt(arguments[4]); thread++) {
            workers.add(new Worker(arguments[1] + "-" + thread, seed + 1 + thread, Integer.parseInt(arguments[5])));
        }
    }

    public static void main(String[] arguments) throws IOException {
        SoakProcess process = new SoakProcess(arguments);
        process.workers.forEach(Worker::start);
        start(() -> process.candidate.run(() -> process.draining));
        start(process::interruptSomebodyNowAndThen);
        process.parent.say("ready");
        process.parent.listen(line -> start(process::drain));
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private void interruptSomebodyNowAndThen() {
        while (!draining) {
            pause(Duration.ofMillis(100 + interruptions.nextInt(400)));
            workers.get(interruptions.nextInt(workers.size())).interruptIfWaiting();
        }
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the threads end what they are at, and stops the locks. */
    private void drain() {
        draining = true;
        try {
            for (Worker worker : workers) {
                worker.join();
            }
            candidate.awaitEnd();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        instance.executor().stop(Duration.ofSeconds(5));
        int names = ActiveNames.of(instance.executor());
        instance.close();
        parent.say("drained " + names);
    }

    /** One thread. Its choices depend on its seed alone; what comes of them does not. */
    private final class Worker extends Thread {

        private final Random random;
        private final int keys;
        private volatile boolean waiting;

        Worker(String name, long seed, int keys) {
            super(name);
            setDaemon(true);
            this.random = new Random(seed);
            this.keys = keys;
        }

        void interruptIfWaiting() {
            if (waiting) {
                interrupt();
            }
        }

        @Override
        public void run() {
            while (!draining) {
                LockRequest request = randomRequest();
                if (random.nextInt(4) == 0) {
                    CompletableFuture.runAsync(() -> takeATurn(request), callers)
                            .join();
                } else {
                    takeATurn(request);
                }
                // An interrupt that came too late for the wait must not end the next one.
                Thread.interrupted();
                pause(Duration.ofMillis(random.nextInt(10)));
            }
        }

        /** Most of them re-entrant. */
        private LockKind randomKind() {
            return switch (random.nextInt(6)) {
                case 0 -> LockKind.FAIR;
                case 1 -> LockKind.WRITE;
                default -> LockKind.REENTRANT;
            };
        }

        private LockRequest randomRequest() {
            LockRequest.Builder request = randomRequest(random.nextInt(keys + 2));
            request.tryLockTime(randomWait());
            return switch (random.nextInt(6)) {
                case 0 ->
                    request.holdLockTime(Duration.ofMillis(100 + random.nextInt(200)))
                            .build();
                case 1 -> request.holdLockTime(Duration.ofSeconds(3)).build();
                case 2 -> request.renewedLease(Duration.ofMillis(500)).build();
                default -> request.renewedLease(Duration.ofSeconds(3)).build();
            };
        }

        private LockRequest.Builder randomRequest(int key) {
            if (key == keys) {
                return LockRequest.named(PERMITTED).permits(PERMITS);
            }
            return key > keys
                    ? LockRequest.named(SHARED).kind(random.nextInt(3) == 0 ? LockKind.WRITE : LockKind.READ)
                    : LockRequest.named("soak:" + key).kind(randomKind());
        }

        private Duration randomWait() {
            return switch (random.nextInt(6)) {
                case 0 -> Duration.ZERO;
                case 1, 2 -> Duration.ofMillis(random.nextInt(1_000));
                default -> PATIENT;
            };
        }

        private void takeATurn(LockRequest request) {
            long calledAt = System.nanoTime();
            history.asked(
                    getName(), request.name(), calledAt, request.tryLockTime().toNanos());
            waiting = true;
            LockOutcome outcome = instance.locks().attempt(request);
            waiting = false;
            Thread.interrupted();
            history.answered(getName(), System.nanoTime(), described(outcome));
            if (outcome instanceof LockOutcome.Acquired acquired) {
                work(new ObservedLease(acquired.lease(), getName(), calledAt, random.nextBoolean()));
            }
        }

        private static String described(LockOutcome outcome) {
            if (outcome instanceof LockOutcome.Lost) {
                // It waited for nobody: it had its turn, but its process stood still beyond the lease.
                return "LOST";
            }
            return outcome instanceof LockOutcome.NotAcquired missed
                    ? missed.reason().name()
                    : Attempt.ACQUIRED;
        }

        /** Mostly short; sometimes longer than the shorter leases. */
        private Duration randomWork() {
            return Duration.ofMillis(random.nextInt(8) == 0 ? random.nextInt(500) : random.nextInt(15));
        }

        /** Several threads ask whether the lock is still held, as parallel work does that guards each of its steps. */
        private void confirmOverAndOver(Lease lease, long end) {
            for (int i = 0; i < ASKERS; i++) {
                SoakProcess.start(() -> {
                    while (System.nanoTime() < end && lease.confirm()) {
                        // Once more.
                    }
                });
            }
        }

        private void record(ObservedLease lease, boolean reads) {
            if (!reads) {
                history.turn(lease.turn());
            }
        }

        private void work(ObservedLease lease) {
            // The history knows of one holder at a time: of readers, only how long they waited.
            boolean reads = lease.lease().kind() == LockKind.READ;
            record(lease, reads);
            long end = System.nanoTime() + randomWork().toNanos();
            boolean drawsLate = random.nextInt(4) == 0;
            if (random.nextInt(16) == 0) {
                confirmOverAndOver(lease.lease(), end);
            }
            while (System.nanoTime() < end) {
                pause(LOOK_EVERY);
                Thread.interrupted();
                if (lease.isValid()) {
                    record(lease, reads);
                }
            }
            if (drawsLate) {
                lease.drawToken();
            }
            ReleaseResult result = lease.release();
            record(lease, reads);
            if (result == ReleaseResult.STILL_HELD || result == ReleaseResult.ALREADY_RELEASED) {
                throw new IllegalStateException(result + " for a lease that was taken and released once");
            }
        }
    }
}
