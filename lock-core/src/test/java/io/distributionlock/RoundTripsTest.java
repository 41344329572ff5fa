package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many locks are taken together, that is one round trip, and another to release them. */
@Timeout(60)
class RoundTripsTest {

    private static MultiLock locks(LockExecutor executor, int count) {
        LockTemplate template = new LockTemplate(executor, LockDefaults.STANDARD);
        List<LockRequest> requests = IntStream.range(0, count)
                .mapToObj(i -> template.request("name:" + i).build())
                .toList();
        return MultiLock.of(template, requests);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 1_000})
    void blockingCallsNeedTwo(int count) {
        GatheringExecutor executor = new GatheringExecutor(count);
        assertThat(locks(executor, count).<Integer>execute(executor::roundTrips))
                .isEqualTo(1);
        assertThat(executor.roundTrips()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 1_000})
    void asynchronousCallsNeedTwo(int count) throws Exception {
        GatheringExecutor executor = new GatheringExecutor(count);
        CompletableFuture<MultiLock.Outcome> attempt = locks(executor, count).attemptAsync(LockOwner.unique());
        MultiLock.Outcome.Acquired acquired = (MultiLock.Outcome.Acquired) attempt.get(20, TimeUnit.SECONDS);
        assertThat(executor.roundTrips()).isEqualTo(1);
        acquired.releaseAsync().get(20, TimeUnit.SECONDS);
        assertThat(executor.roundTrips()).isEqualTo(2);
    }

    /** As those of an executor of the application may be. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leasesThatCanOnlyBlockAreReleasedTogetherToo(boolean waiting) throws Exception {
        GatheringExecutor executor = new GatheringExecutor(5, true);
        MultiLock.Outcome.Acquired all =
                (MultiLock.Outcome.Acquired) locks(executor, 5).attempt();
        if (waiting) {
            all.release();
        } else {
            all.releaseAsync().get(20, TimeUnit.SECONDS);
        }
        assertThat(executor.roundTrips()).isEqualTo(2);
    }
}
