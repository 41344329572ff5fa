package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Async;

/** Without {@code @EnableAsync}, the annotation {@code @Async} has no effect, so it must not make the caller wait for the lock. */
@Tag("boot4")
class AsyncNotEnabledTest {

    @Test
    void theCallerOfAFutureDoesNotWaitForTheLock() {
        LockContextRunner.local(Service.class)
                .withPropertyValues("distribution-lock.defaults.try-lock-time=5m")
                .run(context -> {
                    Service service = context.getBean(Service.class);
                    CompletableFuture<String> result;
                    try (Lease held = context.getBean(LockTemplate.class).acquire("later")) {
                        result = CompletableFuture.supplyAsync(service::later).get(60, TimeUnit.SECONDS);
                        assertThat(result).isNotDone();
                    }
                    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("done");
                });
    }

    /** As in a test that leaves {@code @EnableAsync} out: the method ends with its work. */
    @Test
    void whatOnlyAnAsynchronousThreadCanWaitForIsNotRefused() {
        LockContextRunner.local(PlainFuture.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(PlainFuture.class).later().get(60, TimeUnit.SECONDS))
                    .isEqualTo("done");
        });
    }

    @Async
    static class Service {
        @DistributionLock(key = "later")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("done");
        }
    }

    static class PlainFuture {
        @Async
        @DistributionLock(key = "later")
        public Future<String> later() {
            return CompletableFuture.completedFuture("done");
        }
    }
}
