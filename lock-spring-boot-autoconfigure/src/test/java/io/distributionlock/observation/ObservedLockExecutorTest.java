package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.LockObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("boot4")
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

    @Test
    void aFirstLookForSeveralLocksThatFindsOneBusyIsPostponed() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        try (LocalLockExecutor executor = new LocalLockExecutor()) {
            LockExecutor observed = new ObservedLockExecutor(executor, List.of(new Recording(told)));
            LockTemplate template = new LockTemplate(observed, LockDefaults.STANDARD);
            Lease held = LockTemplate.builder(executor).build().acquire("b");
            CompletableFuture<MultiLock.Outcome> attempt = MultiLock.of(
                            template,
                            List.of(
                                    template.request("a").build(),
                                    template.request("b").build()))
                    .attemptAsync(LockOwner.unique());
            Awaitility.await().until(() -> told.size() == 2);
            CompletableFuture.supplyAsync(held::releaseAsync).join();
            MultiLock.Outcome.Acquired acquired = (MultiLock.Outcome.Acquired) attempt.get(20, TimeUnit.SECONDS);
            assertThat(told).containsExactly("acquired a", "postponed b", "acquired b");
            acquired.release();
        }
    }

    private record Recording(List<String> told) implements LockObserver {

        @Override
        public Attempt attempt(LockRequest request) {
            return new Attempt() {
                @Override
                public Hold acquired(Lease lease) {
                    told.add("acquired " + lease.name());
                    return () -> {};
                }

                @Override
                public void notAcquired(LockOutcome.NotAcquired outcome) {
                    told.add("not acquired " + request.name());
                }

                @Override
                public void postponed() {
                    told.add("postponed " + request.name());
                }
            };
        }
    }

    /** Wants to be told of nothing. */
    private static final class Inactive implements LockObserver {

        @Override
        public @Nullable Attempt attempt(LockRequest request) {
            return null;
        }
    }
}
