package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On how many threads asynchronous calls go on. */
@Tag("boot4")
class AsynchronousThreadsTest {

    private static final int CALLS = 200;

    /** Virtual ones are not among them. */
    private static Set<Thread> threadsOfTheLibrary() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distribution-lock-"))
                .collect(Collectors.toSet());
    }

    @Test
    void callsOneAfterTheOtherShareAFewThreads() {
        Set<Thread> others = threadsOfTheLibrary();
        LockContextRunner.local(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < CALLS; i++) {
                CountDownLatch returned = new CountDownLatch(1);
                CompletableFuture<Integer> order = orders.later(i, returned);
                returned.countDown();
                assertThat(order.get(60, TimeUnit.SECONDS)).isEqualTo(i);
            }
            Set<Thread> ours = threadsOfTheLibrary();
            ours.removeAll(others);
            assertThat(ours).hasSizeLessThan(CALLS / 4);
        });
    }

    static class Orders {

        /** Completes on another thread, so that the release is answered there and the caller is told on one of the library. */
        @DistributionLock(key = "order")
        public CompletableFuture<Integer> later(int order, CountDownLatch returned) {
            return CompletableFuture.supplyAsync(() -> {
                try {
                    returned.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return order;
            });
        }
    }
}
