package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.local.LocalLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A listener of a loss that blocks holds up no other, and least of all an interrupt. */
class LossListenersTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final LocalLockExecutor executor = new LocalLockExecutor();
    private final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);

    @Test
    void oneThatBlocksHoldsUpNoOther() throws Exception {
        try (executor) {
            CountDownLatch end = new CountDownLatch(1);
            AtomicInteger told = new AtomicInteger();
            locks.acquire("first").onLost(lost -> awaitQuietly(end));
            locks.acquire("second").onLost(lost -> told.incrementAndGet());
            locks.forceRelease("first").get();
            locks.forceRelease("second").get();
            await().atMost(MAX_WAIT).until(() -> told.get() == 1);
            end.countDown();
        }
    }

    @Test
    void oneThatThrowsAnErrorHoldsUpNoOther() throws Exception {
        try (executor) {
            AtomicInteger told = new AtomicInteger();
            var lease = locks.acquire("a");
            lease.onLost(lost -> {
                throw new StackOverflowError("of the test");
            });
            lease.onLost(lost -> told.incrementAndGet());
            locks.forceRelease("a").get();
            await().atMost(MAX_WAIT).until(() -> told.get() == 1);
        }
    }

    @Test
    void manyThatBlockHoldUpNeitherEachOtherNorAnInterrupt() throws Exception {
        try (executor) {
            CountDownLatch end = new CountDownLatch(1);
            AtomicInteger blocked = new AtomicInteger();
            AtomicInteger told = new AtomicInteger();
            int many = 200;
            for (int i = 0; i < many; i++) {
                locks.acquire("blocked:" + i).onLost(lost -> {
                    blocked.incrementAndGet();
                    awaitQuietly(end);
                    told.incrementAndGet();
                });
                locks.forceRelease("blocked:" + i).get();
            }
            CountDownLatch working = new CountDownLatch(1);
            CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(
                    () -> locks.execute(
                            locks.request("work").onLost(OnLost.INTERRUPT).build(), () -> {
                                working.countDown();
                                return sleptUntilInterrupted();
                            }),
                    task -> new Thread(task).start());
            assertThat(working.await(60, TimeUnit.SECONDS)).isTrue();
            locks.forceRelease("work").get();
            assertThat(interrupted).succeedsWithin(MAX_WAIT).isEqualTo(true);
            await().atMost(MAX_WAIT).until(() -> blocked.get() == many);
            assertThat(told.get()).isZero();
            end.countDown();
            await().atMost(MAX_WAIT).until(() -> told.get() == many);
        }
    }

    private static boolean sleptUntilInterrupted() {
        try {
            TimeUnit.SECONDS.sleep(60);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static void awaitQuietly(CountDownLatch end) {
        List<InterruptedException> ignored = new ArrayList<>();
        try {
            end.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            ignored.add(e);
        }
    }
}
