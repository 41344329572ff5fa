package io.distributionlock.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** V2: an interrupt does not cost a thread in {@code lock()} its place, as it does not in the JDK. */
@SuppressWarnings("LockNotBeforeTry") // Who enters first is what is tested.
class UninterruptibleLockTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static Places places;

    @BeforeAll
    static void start() {
        places = new Places();
    }

    @AfterAll
    static void stop() {
        places.close();
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedOnceStaysInFront(Place place) throws Exception {
        assertThat(orderWhenTheFirstIsInterrupted(place, false)).containsExactly("A", "B");
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedAgainAndAgainStaysInFront(Place place) throws Exception {
        assertThat(orderWhenTheFirstIsInterrupted(place, true)).containsExactly("A", "B");
    }

    private static List<String> orderWhenTheFirstIsInterrupted(Place place, boolean again) throws Exception {
        LockTemplate locks = places.locks(place);
        String name = "uninterruptible:" + place + ":" + again;
        DistributedLock lock = locks.lock(name, LockKind.FAIR);
        Lease held = locks.acquire(locks.request(name).kind(LockKind.FAIR).build());
        List<String> order = new CopyOnWriteArrayList<>();
        Locker first = Locker.start("A", lock, order);
        await().atMost(LONGEST).until(() -> places.waiting(place, name) == 1);
        Locker second = Locker.start("B", lock, order);
        await().atMost(LONGEST).until(() -> places.waiting(place, name) == 2);
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
            thread.join(LONGEST.toMillis());
            assertThat(thread.isAlive()).isFalse();
            return interrupted;
        }
    }
}
