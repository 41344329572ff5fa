package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.RedisMonitor;
import io.distributionlock.testing.TcpProxy;
import io.distributionlock.testing.TcpProxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands arrive in another order than they were sent in, or are not wanted any more when they can be sent. */
@Tag("server")
class LateCommandsIT extends FaultSuite {

    @ParameterizedTest(name = "cancelled: {0}")
    @ValueSource(booleans = {true, false})
    void aQueuedAcquireThatArrivesAfterItsAttemptHasEndedTakesNothing(boolean cancelled) throws Exception {
        TcpProxy network = newProxy();
        Instance late = newInstance(network.port(), settings().withCommandTimeout(Duration.ofMillis(500)));
        // The script is known from now on.
        assertThat(acquire(there, single(LockKind.FAIR, LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
        awaitSubscriptions(3);
        network.stick(Direction.TO_SERVER);
        CompletableFuture<LockOutcome> attempt = startAttempt(late, single(LockKind.FAIR, LONG_LEASE));
        eventually().until(() -> network.holdsBack(name));
        network.refuse(true);
        network.strand();
        if (cancelled) {
            assertThat(attempt.cancel(true)).isTrue();
        } else {
            assertThat(get(attempt, SOON)).isInstanceOf(LockOutcome.BackendFailed.class);
        }
        network.refuse(false);
        // That it is given up overtakes the acquire over a new connection.
        eventually().until(() -> keys().stream().anyMatch(key -> key.contains(name + "}:gone:")));
        letArrive(network, "acquire");
        assertThat(keys()).doesNotContain(ownerKey(name));
        assertThat(acquire(there, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void anAcquireThatArrivesAfterItsAttemptWasGivenUpTakesNothing() throws Exception {
        TcpProxy network = newProxy();
        Instance late = newInstance(network.port());
        awaitSubscriptions(3);
        network.stick(Direction.TO_SERVER);
        CompletableFuture<LockOutcome> attempt = late.executor().acquire(renewed(LONG_LEASE), LockOwner.unique());
        eventually().until(() -> network.holdsBack(name));
        network.refuse(true);
        network.strand();
        assertThat(attempt.cancel(true)).isTrue();
        network.refuse(false);
        // The cancellation overtakes the acquire over a new connection.
        eventually().until(() -> keys().stream().anyMatch(key -> key.contains(":gone:")));
        letArrive(network, "NX");
        // The acquire is a SET, which reads no tombstone. A release that follows it takes the lock back.
        await().atMost(MAX_TEST_TIME).until(() -> !keys().contains(ownerKey(name)));
        assertThat(acquire(there, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aWaiterInABlackHoleIsPassedOverAndGetsItsTurnLater() throws Exception {
        TcpProxy network = newProxy();
        Instance cutOff = newInstance(network.port());
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(cutOff, renewed(LONG_LEASE));
        network.stick(Direction.TO_SERVER, Direction.TO_CLIENT);
        CompletableFuture<ObservedLease> second = startWaiting(there, renewed(LONG_LEASE));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease next = get(second, SOON);
        assertThat(waiter).isNotDone();
        network.flow();
        assertStillHeld(next, here);
        assertThat(waiter).isNotDone();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void attemptsThatAreCancelledWhileThereIsNoConnectionAreNeverSent() {
        TcpProxy network = newProxy();
        Instance cutOff = newInstance(network.port());
        network.refuse(true);
        network.cut();
        eventually().until(() -> network.connections() == 0);
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            attempts.add(startAttempt(cutOff, renewed(name + i, LONG_LEASE)));
        }
        attempts.forEach(attempt -> assertThat(attempt.cancel(true)).isTrue());
        try (RedisMonitor monitor = new RedisMonitor(redis)) {
            network.refuse(false);
            cutOff.awaitLocks();
            assertThat(monitor.lines())
                    .noneMatch(
                            line -> line.contains("\"SET\" \"distribution-lock:{" + name) && line.contains("\"NX\""));
        }
        assertThat(acquire(there, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** What is under way arrives; returns when this lock's command with the word has run. Others may run before it. */
    private void letArrive(TcpProxy network, String word) {
        try (RedisMonitor monitor = new RedisMonitor(redis)) {
            network.flow();
            eventually()
                    .until(() -> monitor.lines().stream()
                            .anyMatch(line -> line.contains(ownerKey(name)) && line.contains("\"" + word + "\"")));
        }
    }

    private void assertIntact(Lease read) {
        assertThat(read.confirm()).isTrue();
        assertThat(answeredAttempt(
                        there,
                        single(LockKind.WRITE, LONG_LEASE).toBuilder()
                                .tryLockTime(Duration.ZERO)
                                .build()))
                .isInstanceOf(LockOutcome.Busy.class);
        assertThat(read.release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
