package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.engine.ActiveNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An instance is stopped, or its locks are given up, whatever Redis does meanwhile. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class StopIT extends FaultSuite {

    private static final int NAMES = 3;
    private static final int WAITERS = 5;

    /** After the timeout of a stop: one command timeout for the last releases, and the ends of thread and subscription. */
    private static final Duration A_MOMENT_MORE = Duration.ofSeconds(6).plus(SOON);

    private final Queue<String> lost = new ConcurrentLinkedQueue<>();

    /** Not even one that waits for Redis to confirm the end of a subscription: the client would let it wait for a minute. */
    @AfterAll
    static void noThreadIsLeftAtAll() {
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(threadsOfTheLibrary()).isEmpty());
    }

    private String name(int number) {
        return name + ":" + number;
    }

    @Test
    void aLoadedInstanceFinishesItsWorkTellsItsWaitersAndLeavesNothing() throws Exception {
        CountDownLatch workEnds = new CountDownLatch(1);
        List<CompletableFuture<ReleaseResult>> holders = new ArrayList<>();
        List<CompletableFuture<LockOutcome>> waiters = new ArrayList<>();
        List<CompletableFuture<ObservedLease>> waitersElsewhere = new ArrayList<>();
        for (int number = 0; number < NAMES; number++) {
            // A lease that has to be renewed several times while the instance stops.
            LockRequest request = renewed(name(number), Duration.ofMillis(4_500));
            CountDownLatch held = new CountDownLatch(1);
            holders.add(start(() -> {
                ObservedLease lease = acquire(here, request);
                lease.lease().onLost(gone -> lost.add(gone.name()));
                held.countDown();
                workEnds.await();
                assertThat(lease.isValid()).isTrue();
                return lease.release();
            }));
            awaitPoint(held, holders.get(number));
            for (int waiter = 0; waiter < WAITERS; waiter++) {
                waiters.add(start(() -> here.locks().attempt(request)));
            }
            waitersElsewhere.add(startWaiting(there, renewed(name(number), LONG_LEASE)));
        }
        CompletableFuture<Duration> stopped = start(() -> {
            long start = System.nanoTime();
            here.executor().stop(Duration.ofSeconds(60));
            return since(start);
        });

        for (CompletableFuture<LockOutcome> waiter : waiters) {
            assertThat(get(waiter, SOON))
                    .isInstanceOfSatisfying(
                            LockOutcome.BackendFailed.class,
                            failed -> assertThat(failed.cause()).hasMessageContaining("shutting down"));
        }
        assertThat(here.locks().attempt(renewed(name(NAMES), LONG_LEASE)))
                .as("an attempt while the instance stops")
                .isInstanceOf(LockOutcome.BackendFailed.class);
        awaitTime(Duration.ofSeconds(6), System.nanoTime());
        assertThat(stopped).as("waits for the work").isNotDone();
        workEnds.countDown();
        for (CompletableFuture<ReleaseResult> holder : holders) {
            assertThat(get(holder)).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(get(stopped)).isLessThan(Duration.ofSeconds(50));
        assertThat(lost).isEmpty();
        assertThat(ActiveNames.of(here.executor())).isZero();
        for (CompletableFuture<ObservedLease> elsewhere : waitersElsewhere) {
            assertThat(get(elsewhere, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Tag("long")
    @Test
    void aHolderThatDoesNotFinishLosesItsLockAtTheEndOfTheTimeout() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        held.lease().onLost(lease -> lost.add("lost"));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        here.executor().stop(Duration.ofMillis(200));
        assertThat(held.isValid()).isFalse();
        eventually().until(() -> lost.size() == 1);
        ObservedLease next = get(waiter, SOON);
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void stoppingEndsInBoundedTimeWhenRedisIsDead() throws Exception {
        stopsWithout(redis::kill);
    }

    @Tag("long")
    @Test
    void stoppingEndsInBoundedTimeWhenRedisIsMute() throws Exception {
        stopsWithout(redis::pause);
        redis.resume();
    }

    private void stopsWithout(Runnable endOfRedis) throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        ObservedLease elsewhere = acquire(there, fixed(name + ":elsewhere", Duration.ofSeconds(20)));
        held.lease().onLost(lease -> lost.add("lost"));
        List<CompletableFuture<LockOutcome>> waiters = IntStream.range(0, WAITERS)
                .mapToObj(waiter -> start(() -> here.locks().attempt(renewed(name + ":elsewhere", LONG_LEASE))))
                .toList();
        eventually().until(() -> queueLength(name + ":elsewhere") == 1);
        endOfRedis.run();
        Duration timeout = Duration.ofSeconds(1);
        long start = System.nanoTime();
        here.executor().stop(timeout);
        assertThat(since(start)).isBetween(timeout, timeout.plus(A_MOMENT_MORE));
        for (CompletableFuture<LockOutcome> waiter : waiters) {
            assertThat(get(waiter, SOON)).isInstanceOf(LockOutcome.BackendFailed.class);
        }
        assertThat(held.isValid()).isFalse();
        eventually().until(() -> lost.size() == 1);
        assertThat(ActiveNames.of(here.executor())).isZero();
        assertThat(elsewhere.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
        dataWillBeLost();
    }

    @Tag("long")
    @Test
    void aReleaseThatMeetsADeadRedisHidesNoResultAndIsLogged(CapturedOutput output) {
        CompletableFuture<String> worked = new CompletableFuture<>();
        long calledAt = System.nanoTime();
        String result = here.locks().execute(renewed(Duration.ofSeconds(30)), () -> {
            worked.complete("worked");
            redis.kill();
            return "the result";
        });
        assertThat(result).isEqualTo("the result");
        assertThat(worked).isCompleted();
        assertThat(since(calledAt)).isLessThan(Duration.ofSeconds(28));
        // The caller goes on before the engine has logged.
        eventually()
                .untilAsserted(() -> assertThat(output)
                        .containsOnlyOnce("are out of service")
                        .contains("releases are repeated"));
        assertThat(ActiveNames.of(here.executor()))
                .as("nothing is renewed any more")
                .isZero();
        redis.startAgain();
        there.awaitLocks();
        // The repeated release comes to nothing, and does no harm.
        ObservedLease next = acquire(there, renewed(LONG_LEASE));
        here.awaitLocks();
        awaitTime(Duration.ofMillis(1_500), System.nanoTime());
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
