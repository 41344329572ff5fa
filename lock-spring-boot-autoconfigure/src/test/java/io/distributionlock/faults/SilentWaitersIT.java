package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisMonitor;
import io.distributionlock.testing.TcpProxy;
import io.distributionlock.testing.TcpProxy.Direction;
import java.time.Duration;
import java.util.List;
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

    /** What a script may do for a hundred claims. */
    private static final int MOST_COMMANDS = 1_500;

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
    void whoWaitsIsNotOvertakenWhenALeaseEndsAndItCannotAsk() throws Exception {
        TcpProxy network = newProxy();
        Instance cutOff = newInstance(network.port());
        ObservedLease ended = acquire(here, fixed(BRIEF));
        CompletableFuture<ObservedLease> waiter = startWaiting(cutOff, renewed(LONG_LEASE));
        network.stick(Direction.TO_SERVER, Direction.TO_CLIENT);
        eventually().until(() -> !ended.isValid());
        // By Redis's clock it may last a moment longer.
        long start = System.nanoTime();
        while (since(start).compareTo(Duration.ofMillis(200)) < 0) {
            assertThat(answeredAttempt(there, once())).isInstanceOf(LockOutcome.Busy.class);
        }
        network.flow();
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(ended.release()).isEqualTo(ReleaseResult.LOST);
    }

    @Test
    void readersBehindOneThatAsksWhenALeaseEndsEnterWithIt() throws Exception {
        TcpProxy network = newProxy();
        Instance cutOff = newInstance(network.port());
        LockRequest read = single(LockKind.READ, LONG_LEASE);
        ObservedLease written =
                acquire(here, fixed(BRIEF).toBuilder().kind(LockKind.WRITE).build());
        CompletableFuture<LockOutcome> first = startAttempt(there, read);
        eventually().until(() -> queueLength(name) == 1);
        CompletableFuture<LockOutcome> second = startAttempt(cutOff, read);
        eventually().until(() -> queueLength(name) == 2);
        network.stick(Direction.TO_SERVER);
        eventually()
                .untilAsserted(
                        () -> assertThat(there.executor().inspect(name).join().inside())
                                .as("inside together, although one of them cannot ask")
                                .hasSize(2));
        network.flow();
        for (CompletableFuture<LockOutcome> reader : List.of(first, second)) {
            assertThat(get(reader, SOON))
                    .isInstanceOfSatisfying(
                            LockOutcome.Acquired.class,
                            acquired -> assertThat(acquired.lease().release()).isEqualTo(ReleaseResult.RELEASED));
        }
        assertThat(written.release()).isEqualTo(ReleaseResult.LOST);
    }

    @Test
    void whoWaitsForAPermitEntersWhenTheFirstOfTheLeasesEnds() throws Exception {
        LockRequest permit = LockRequest.named(name)
                .permits(2)
                .tryLockTime(LONGEST_TEST)
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

    @Test
    void theOrderOfArrivalSurvivesAClockThatStepsBack() throws Exception {
        LockRequest fair = single(LockKind.FAIR, LONG_LEASE);
        ObservedLease held = acquire(here, fair);
        CompletableFuture<ObservedLease> first = startWaiting(there, fair);
        // As if it had arrived an hour later: so it looks when the clock is set back by an hour.
        String queue = ownerKey(name) + ":queue";
        for (Object claim : (List<?>) redis.command("ZRANGE", queue, "0", "-1")) {
            redis.command("ZINCRBY", queue, "3600000000", String.valueOf(claim));
        }
        CompletableFuture<ObservedLease> second = startWaiting(here, fair);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease next = get(first, SOON);
        assertThat(second).isNotDone();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(second, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void manyReadersEnterAtOnceByScriptsForAHundredEach() throws Exception {
        int readers = 400;
        ObservedLease written = acquire(here, single(LockKind.WRITE, LONG_LEASE));
        List<CompletableFuture<LockOutcome>> attempts =
                startAttempts(there, single(LockKind.READ, LONG_LEASE), readers);
        eventually().until(() -> queueLength(name) == readers);
        try (RedisMonitor monitor = new RedisMonitor(redis)) {
            assertThat(written.release()).isEqualTo(ReleaseResult.RELEASED);
            for (CompletableFuture<LockOutcome> attempt : attempts) {
                assertThat(get(attempt, SOON)).isInstanceOf(LockOutcome.Acquired.class);
            }
            assertThat(monitor.mostCommandsOfAScript()).isLessThan(MOST_COMMANDS);
        }
        for (CompletableFuture<LockOutcome> attempt : attempts) {
            ((LockOutcome.Acquired) get(attempt)).lease().releaseAsync();
        }
    }
}
