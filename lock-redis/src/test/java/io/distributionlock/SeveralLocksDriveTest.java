package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.engine.ActiveNames;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Many callers in two processes want sets of names that overlap, and wait long, briefly or not at all. Some are interrupted or
 * cancel. Those that wait long get all of their locks: no deadlock. Repeat a run by {@code -Ddrive.seed=…}; threads still differ.
 */
class SeveralLocksDriveTest {

    private static final int CALLERS = 8;
    private static final int CALLS = 150;
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final List<LockKind> KINDS = List.copyOf(EnumSet.complementOf(EnumSet.of(LockKind.PERMIT)));

    private final LocalBackend backend = new LocalBackend();
    private final List<LocalLockExecutor> processes =
            List.of(new LocalLockExecutor(backend), new LocalLockExecutor(backend));
    private final long seed =
            Long.getLong("drive.seed", ThreadLocalRandom.current().nextLong());

    /** How many are inside: a writer counts 1,000. */
    private final Map<String, AtomicInteger> inside = new TreeMap<>();

    private final AtomicInteger acquired = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    SeveralLocksDriveTest() {
        NAMES.forEach(name -> inside.put(name, new AtomicInteger()));
    }

    @AfterEach
    void stop() {
        processes.forEach(LocalLockExecutor::close);
    }

    @Test
    void nobodyIsInsideWithAnotherAndNothingIsLeft() throws Exception {
        System.out.println("drive.seed=" + seed);
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < CALLERS; i++) {
            Caller caller = new Caller(processes.get(i % 2), new Random(seed + i));
            callers.add(
                    CompletableFuture.runAsync(() -> caller.run(start), task -> new Thread(task, "caller").start()));
        }
        start.countDown();
        for (CompletableFuture<Void> caller : callers) {
            caller.get(4, TimeUnit.MINUTES);
        }
        assertThat(acquired).as("acquired, seed %d", seed).hasPositiveValue();
        assertThat(refused).as("refused, seed %d", seed).hasPositiveValue();
        for (String name : NAMES) {
            Awaitility.await("nobody holds " + name + ", seed " + seed)
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !processes.get(0).isLocked(name).join());
        }
        for (LocalLockExecutor process : processes) {
            Awaitility.await("nobody waits, seed " + seed)
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> ActiveNames.of(process) == 0);
        }
    }

    private final class Caller {

        private final LockTemplate template;
        private final Random random;

        Caller(LockExecutor process, Random random) {
            this.template = new LockTemplate(process, LockDefaults.STANDARD);
            this.random = random;
        }

        void run(CountDownLatch start) {
            try {
                start.await();
                for (int i = 0; i < CALLS; i++) {
                    call();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private void call() throws Exception {
            Duration wait = switch (random.nextInt(4)) {
                case 0 -> Duration.ZERO;
                case 1 -> Duration.ofMillis(1 + random.nextInt(5));
                default -> LONG;
            };
            List<LockRequest> requests = new ArrayList<>();
            for (String name : NAMES) {
                if (random.nextBoolean()) {
                    requests.add(template.request(name)
                            .kind(KINDS.get(random.nextInt(KINDS.size())))
                            .tryLockTime(wait)
                            .build());
                }
            }
            if (requests.isEmpty()) {
                return;
            }
            MultiLock locks = MultiLock.of(template, requests);
            int way = random.nextInt(8);
            MultiLock.Outcome outcome;
            if (way == 0) {
                outcome = cancelled(locks);
            } else if (way == 1) {
                outcome = interrupted(locks);
            } else if (way < 5) {
                outcome = locks.attemptAsync(LockOwner.unique()).get(2, TimeUnit.MINUTES);
            } else {
                outcome = locks.attempt();
            }
            if (outcome instanceof MultiLock.Outcome.Acquired all) {
                workAndRelease(requests, all);
            } else {
                refused.incrementAndGet();
                assertThat(way < 2 || wait != LONG)
                        .as("%s, way %d, seed %d", outcome, way, seed)
                        .isTrue();
            }
        }

        private MultiLock.Outcome cancelled(MultiLock locks) {
            CompletableFuture<MultiLock.Outcome> attempt = locks.attemptAsync(LockOwner.unique());
            if (attempt.cancel(true)) {
                return new MultiLock.Outcome.NotAcquired(
                        LockRequest.named("cancelled").build(), new LockOutcome.Interrupted(Duration.ZERO));
            }
            return attempt.join();
        }

        private MultiLock.Outcome interrupted(MultiLock locks) {
            Thread caller = Thread.currentThread();
            CompletableFuture<Void> interrupt = CompletableFuture.runAsync(caller::interrupt);
            try {
                return locks.attempt();
            } finally {
                interrupt.join();
                Thread.interrupted();
            }
        }

        private void workAndRelease(List<LockRequest> requests, MultiLock.Outcome.Acquired all) {
            acquired.incrementAndGet();
            assertThat(all.leases()).hasSameSizeAs(requests).allMatch(Lease::isValid);
            for (LockRequest request : requests) {
                int weight = request.kind().isExclusive() ? 1_000 : 1;
                int others = inside.get(request.name()).getAndAdd(weight);
                assertThat(others)
                        .as("inside of %s, seed %d", request.name(), seed)
                        .isLessThan(weight == 1 ? 1_000 : 1);
            }
            Thread.onSpinWait();
            for (LockRequest request : requests) {
                inside.get(request.name()).addAndGet(request.kind().isExclusive() ? -1_000 : -1);
            }
            all.release();
        }
    }
}
