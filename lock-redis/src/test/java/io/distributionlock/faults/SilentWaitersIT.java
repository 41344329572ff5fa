package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.JedisConnections;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No heartbeat is due within a test: whoever gets a lock was told, or knew when to ask. */
@Tag("server")
class SilentWaitersIT extends FaultSuite {

    /** Long enough for others to come and wait, and soon over. */
    private static final Duration BRIEF = Duration.ofSeconds(3);

    @Override
    EngineSettings settings() {
        return settings(Duration.ofMinutes(1), Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "two\n\nline breaks\n", "colons: spaces 7"})
    void whoWaitsForALockOfAnyNameIsTold(String suffix) throws Exception {
        String odd = name + suffix;
        awaitSubscriptions(2);
        ObservedLease held = acquire(here, renewed(odd, LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(odd, LONG_LEASE));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void whoWaitsOverJedisIsToldAlsoAfterTheSubscriptionsWereLost() throws Exception {
        Instance holding = newInstance(JedisConnections.to(redis.port()), settings());
        Instance waiting = newInstance(JedisConnections.to(redis.port()), settings());
        awaitSubscriptions(4);
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
        awaitSubscriptions(4);
        ObservedLease held = acquire(holding, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(waiting, renewed(LONG_LEASE));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void whoWaitsForAPermitEntersWhenTheFirstOfTheLeasesEnds() throws Exception {
        LockRequest permit = LockRequest.named(name)
                .permits(2)
                .tryLockTime(MAX_TEST_TIME)
                .holdLockTime(LONG_LEASE)
                .build();
        CompletableFuture<LockOutcome> lasting = startAttempt(here, permit);
        CompletableFuture<LockOutcome> brief =
                startAttempt(here, permit.toBuilder().holdLockTime(BRIEF).build());
        assertThat(get(lasting)).isInstanceOf(LockOutcome.Acquired.class);
        assertThat(get(brief)).isInstanceOf(LockOutcome.Acquired.class);
        LockOutcome next = get(startAttempt(there, permit), SOON);
        assertThat(next).isInstanceOf(LockOutcome.Acquired.class);
        ((LockOutcome.Acquired) next).lease().close();
        ((LockOutcome.Acquired) get(lasting)).lease().close();
        assertThat(acquire(here, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
