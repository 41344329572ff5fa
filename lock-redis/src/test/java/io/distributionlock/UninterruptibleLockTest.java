package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An interrupt does not cost a thread in {@code lock()} its place, as it does not in the JDK. */
@SuppressWarnings("LockNotBeforeTry") // Who enters first is what is tested.
class UninterruptibleLockTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    @AutoClose
    private static final Backends backends = new Backends();

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedOnceStaysInFront(BackendKind backend) throws Exception {
        assertThat(orderWhenTheFirstIsInterrupted(backend, false)).containsExactly("A", "B");
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedAgainAndAgainStaysInFront(BackendKind backend) throws Exception {
        assertThat(orderWhenTheFirstIsInterrupted(backend, true)).containsExactly("A", "B");
    }

    private static List<String> orderWhenTheFirstIsInterrupted(BackendKind backend, boolean again) throws Exception {
        LockTemplate locks = backends.locks(backend);
        String name = "uninterruptible:" + backend + ":" + again;
        DistributedLock lock = locks.lock(name, LockKind.FAIR);
        Lease held = locks.acquire(locks.request(name).kind(LockKind.FAIR).build());
        List<String> order = new CopyOnWriteArrayList<>();
        Locker first = Locker.start("A", lock, order);
        await().atMost(MAX_WAIT).until(() -> backends.waiting(backend, name) == 1);
        Locker second = Locker.start("B", lock, order);
        await().atMost(MAX_WAIT).until(() -> backends.waiting(backend, name) == 2);
        for (int i = 0; i < (again ? 50 : 1); i++) {
            first.thread.interrupt();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        held.release();
        assertThat(first.awaitEnd()).isTrue();
        assertThat(second.awaitEnd()).isFalse();
        return order;
    }

    private static final class Locker {

        private final Thread thread;
        private volatile boolean interrupted;

        private Locker(String name, DistributedLock lock, List<String> order) {
            thread = new Thread(
                    () -> {
                        lock.lock();
                        interrupted = Thread.interrupted();
                        order.add(name);
                        lock.unlock();
                    },
                    name);
            thread.setDaemon(true);
        }

        static Locker start(String name, DistributedLock lock, List<String> order) {
            Locker locker = new Locker(name, lock, order);
            locker.thread.start();
            return locker;
        }

        /** @return whether its flag was set when it had the lock */
        boolean awaitEnd() throws InterruptedException {
            thread.join(MAX_WAIT.toMillis());
            assertThat(thread.isAlive()).isFalse();
            return interrupted;
        }
    }
}
