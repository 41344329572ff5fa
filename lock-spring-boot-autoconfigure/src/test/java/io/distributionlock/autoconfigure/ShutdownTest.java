package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Executors stop with the application. */
@Tag("boot4")
class ShutdownTest {

    private final CyclicBarrier allStopping = new CyclicBarrier(3);
    private final AtomicInteger stopped = new AtomicInteger();

    /** Each of several may take as long as the shutdown may, so they must not wait for each other. */
    @Test
    void severalExecutorsStopTogether() {
        LockContextRunner.plain()
                .withBean("one", Meeting.class, Meeting::new)
                .withBean("two", Meeting.class, Meeting::new)
                .withBean("three", Meeting.class, Meeting::new)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getSourceApplicationContext().stop();
                    assertThat(stopped).hasValue(3);
                });
    }

    @Test
    void theyHaveStoppedWhenTheContextHasClosed() {
        LockContextRunner.plain()
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1ms")
                .withBean("one", Meeting.class, Meeting::new)
                .withBean("two", Meeting.class, Meeting::new)
                .withBean("three", Meeting.class, Meeting::new)
                .run(context -> context.getSourceApplicationContext().close());
        assertThat(stopped).hasValue(3);
    }

    /** Stops when all others are stopping too. */
    private final class Meeting extends DelegatingLockExecutor {

        Meeting() {
            super(new ScriptedLockExecutor());
        }

        @Override
        public void stop(Duration timeout) {
            try {
                allStopping.await(30, TimeUnit.SECONDS);
                stopped.incrementAndGet();
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
