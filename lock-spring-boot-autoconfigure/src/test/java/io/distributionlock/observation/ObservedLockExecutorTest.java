package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.LockObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ObservedLockExecutorTest {

    private static final LockRequest REQUEST = LockRequest.named("order:1").build();

    @Test
    void withoutAnActiveObserverTheExecutorsOwnFutureAndLeaseAreReturned() {
        try (LocalLockExecutor executor = new LocalLockExecutor()) {
            LockExecutor observed = new ObservedLockExecutor(executor, List.of(new Inactive()));
            CompletableFuture<LockOutcome> attempt = observed.acquire(REQUEST, LockOwner.unique());
            assertThat(attempt).isNotInstanceOf(ObservedAttempt.class);
            Lease lease = ((LockOutcome.Acquired) attempt.join()).lease();
            assertThat(lease).isNotInstanceOf(ObservedLease.class);
            lease.release();
        }
    }

    private static final class Inactive implements LockObserver {

        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public Attempt attempt(LockRequest request) {
            throw new AssertionError("It was said that nobody wants to be told.");
        }
    }
}
