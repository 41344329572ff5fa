package io.distributionlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UserThreadsTest {

    private static final int MANY = 300;

    /** Threads that took turns would each be needed again before it had been idle for long. */
    @Test
    void endAfterABurstAlthoughFewTasksGoOn() throws Exception {
        CountDownLatch busy = new CountDownLatch(MANY);
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < MANY; i++) {
            UserThreads.executor().execute(() -> {
                busy.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(present()).isGreaterThanOrEqualTo(MANY);

        release.countDown();

        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    UserThreads.executor().execute(() -> {});
                    return present() < MANY / 3;
                });
    }

    private static long present() {
        Thread[] all = new Thread[Thread.activeCount() * 2 + 100];
        int count = Thread.enumerate(all);
        long present = 0;
        for (int i = 0; i < count; i++) {
            present += all[i].getName().equals("distribution-lock-callbacks") ? 1 : 0;
        }
        return present;
    }
}
