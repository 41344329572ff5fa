package io.distributionlock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.HeldLease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** E11: several locks are given back at the same time, and not one after the answer to the other. */
class BatchReleaseTest {

    private static final int LOCKS = 5;

    private final CyclicBarrier all = new CyclicBarrier(LOCKS);
    private final AtomicInteger together = new AtomicInteger();
    private final LockTemplate locks = new LockTemplate(new Executor(), LockDefaults.STANDARD);

    private MultiLock multiLock() {
        return MultiLock.of(
                locks,
                List.of("a", "b", "c", "d", "e").stream()
                        .map(name -> locks.request(name).build())
                        .toList());
    }

    @Test
    void anOutcomeReleasesAllAtOnce() {
        multiLock().acquire().release();
        assertThat(together.get()).isEqualTo(LOCKS);
    }

    @Test
    void anOutcomeReleasesAllAtOnceWithoutBlocking() {
        assertThat(multiLock().acquire().releaseAsync()).succeedsWithin(Duration.ofSeconds(60));
        assertThat(together.get()).isEqualTo(LOCKS);
    }

    @Test
    void workReleasesAllAtOnce() {
        multiLock().execute(() -> "done");
        assertThat(together.get()).isEqualTo(LOCKS);
    }

    /** Gives each lock to everybody. */
    private final class Executor implements LockExecutor {

        @Override
        public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
            return CompletableFuture.completedFuture(new LockOutcome.Acquired(new Meeting(request.name())));
        }

        @Override
        public int holdCount(String name, LockOwner owner) {
            return 0;
        }

        @Override
        public CompletableFuture<Boolean> isLocked(String name) {
            return CompletableFuture.completedFuture(false);
        }
    }

    /** Its release is answered when those of all others are under way. */
    private final class Meeting extends HeldLease {

        Meeting(String name) {
            super(name);
        }

        @Override
        public ReleaseResult release() {
            try {
                all.await(10, TimeUnit.SECONDS);
                together.incrementAndGet();
            } catch (Exception e) {
                return ReleaseResult.UNCONFIRMED;
            }
            return ReleaseResult.RELEASED;
        }
    }
}
