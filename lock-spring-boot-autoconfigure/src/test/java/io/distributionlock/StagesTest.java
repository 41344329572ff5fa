package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.observation.ObservedLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stage that depends on a future of the library may block, and the locks go on meanwhile. */
class StagesTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    @AutoClose
    private static final Backends backends = new Backends();

    private static CompletableFuture<LockOutcome> waiting(LockTemplate locks, BackendKind backend, String name)
            throws InterruptedException {
        CompletableFuture<LockOutcome> attempt =
                locks.acquireAsync(locks.request(name).build());
        await().atMost(MAX_WAIT).until(() -> backends.waiting(backend, name) == 1);
        return attempt;
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseInAStageIsAnswered(BackendKind backend) throws Exception {
        LockTemplate locks = backends.locks(backend);
        Lease held = locks.acquire("a");
        CompletableFuture<ReleaseResult> released = waiting(locks, backend, "a")
                .thenApply(outcome -> ((LockOutcome.Acquired) outcome).lease().release());
        held.release();
        assertThat(released).succeedsWithin(MAX_WAIT).isEqualTo(ReleaseResult.RELEASED);
    }

    @ParameterizedTest
    @EnumSource
    void stagesThatBlockHoldNoLockUp(BackendKind backend) throws Exception {
        LockTemplate locks = backends.locks(backend);
        CountDownLatch end = new CountDownLatch(1);
        List<CompletableFuture<?>> stages = new ArrayList<>();
        Lease lease = locks.acquire("held");
        try {
            stages.add(blocking(lease.confirmAsync(), end));
            stages.add(blocking(lease.extendAsync(Duration.ofMinutes(5)), end));
            stages.add(blocking(locks.forceRelease("nobody's"), end));
            stages.add(blocking(locks.acquireAsync(locks.request("b").build()), end));
            stages.add(blocking(
                    MultiLock.of(
                                    locks,
                                    List.of(
                                            locks.request("c").build(),
                                            locks.request("d").build()))
                            .attemptAsync(LockOwner.unique()),
                    end));
            Lease passed = locks.acquire("e");
            CompletableFuture<LockOutcome> next = waiting(locks, backend, "e");
            stages.add(blocking(next, end));
            passed.release();
            stages.add(blocking(lease.releaseAsync(), end));
            for (int i = 0; i < 20; i++) {
                assertThat(locks.<String>execute("free:" + i, () -> "done")).isEqualTo("done");
            }
        } finally {
            end.countDown();
        }
        for (CompletableFuture<?> stage : stages) {
            assertThat(stage).succeedsWithin(MAX_WAIT);
        }
        for (String name : List.of("b", "c", "d", "e")) {
            locks.forceRelease(name).get();
        }
    }

    /** Far more at once than there are threads for stages. */
    @ParameterizedTest
    @EnumSource
    void stagesThatWaitForAReleaseDoNotWaitForEachOther(BackendKind backend) throws Exception {
        LockTemplate locks = backends.locks(backend);
        List<Lease> held = new ArrayList<>();
        List<CompletableFuture<ReleaseResult>> stages = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            LockRequest request =
                    locks.request("many:" + i).tryLockTime(MAX_WAIT).build();
            held.add(locks.acquire(request));
            stages.add(locks.acquireAsync(request)
                    .thenApply(outcome -> ((LockOutcome.Acquired) outcome)
                            .lease()
                            .releaseAsync()
                            .join()));
        }
        held.forEach(Lease::releaseAsync);
        for (CompletableFuture<ReleaseResult> stage : stages) {
            assertThat(stage).succeedsWithin(MAX_WAIT).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    /** In a thread of its own, for the answer may be there already, and then the stage runs where it is attached. */
    private static CompletableFuture<Boolean> blocking(CompletableFuture<?> future, CountDownLatch end) {
        return CompletableFuture.supplyAsync(
                        () -> future.thenApply(answer -> awaitQuietly(end)), task -> new Thread(task).start())
                .thenCompose(stage -> stage);
    }

    private static boolean awaitQuietly(CountDownLatch end) {
        try {
            return end.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAttemptCompletedByOtherCodeKeepsNoLock(BackendKind backend) throws Exception {
        LockTemplate locks = backends.locks(backend);
        Lease held = locks.acquire("timed");
        CompletableFuture<LockOutcome> attempt = waiting(locks, backend, "timed");
        attempt.complete(new LockOutcome.Busy(Duration.ZERO));
        held.release();
        await().atMost(MAX_WAIT)
                .until(() -> backends.waiting(backend, "timed") == 0
                        && !locks.lock("timed").isLocked());
    }

    @ParameterizedTest
    @EnumSource
    void cancellingEndsTheAttempt(BackendKind backend) throws Exception {
        LockTemplate locks = backends.locks(backend);
        Lease held = locks.acquire("cancelled");
        CompletableFuture<LockOutcome> attempt = waiting(locks, backend, "cancelled");
        assertThat(attempt.cancel(true)).isTrue();
        assertThat(attempt.cancel(true)).isTrue();
        assertThat(attempt).isCancelled();
        assertThat(backends.waiting(backend, "cancelled")).isZero();
        held.release();
    }

    @ParameterizedTest
    @EnumSource
    void observedLeasesHaveTheSame(BackendKind backend) throws Exception {
        CountingObserver observer = new CountingObserver();
        LockTemplate locks = new LockTemplate(
                new ObservedLockExecutor(backends.executor(backend), List.of(observer)), LockDefaults.STANDARD);
        Lease lease = locks.acquire("observed");
        assertThat(lease.confirmAsync()).succeedsWithin(MAX_WAIT).isEqualTo(true);
        assertThat(lease.extendAsync(Duration.ofMinutes(5)))
                .succeedsWithin(MAX_WAIT)
                .isEqualTo(true);
        assertThat(lease.releaseAsync()).succeedsWithin(MAX_WAIT).isEqualTo(ReleaseResult.RELEASED);
        assertThat(observer.released.get()).isOne();
    }
}
