package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The process that holds the lock dies, or stops for a while. */
@Tag("server")
class HolderFaultsIT extends FaultSuite {

    /** Redis counts whole milliseconds. */
    private static final Duration ROUNDING = Duration.ofMillis(5);

    @Test
    void whoWaitsForAKilledHolderGetsTheLockWhenItsLeaseEndsAndNotBefore() throws Exception {
        RemoteInstance remote = newRemote();
        Turn killed = remote.acquire("killed", renewed(Duration.ofSeconds(4)));
        CompletableFuture<ObservedLease> waiter = startWaiting(here, renewed(Duration.ofSeconds(10)));
        CompletableFuture<Duration> takenAfter = new CompletableFuture<>();
        remote.kill();
        long asked = System.nanoTime();
        // The key of a lock that others wait for outlives the lease by the liveness timeout.
        Duration left = Duration.ofMillis((Long) redis.command("PTTL", ownerKey(name)) - 3_000);
        waiter.thenRun(() -> takenAfter.complete(since(asked)));
        ObservedLease next = get(waiter, left.plus(SOON));
        assertThat(get(takenAfter)).isBetween(left.minus(ROUNDING), left.plus(SOON));
        assertThat(next.token()).isGreaterThan(killed.token());
        assertStillHeld(next, there);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    static Stream<Arguments> leases() {
        return Stream.of(
                Arguments.of("renewed", renewed("stopped-holder-renewed", Duration.ofSeconds(2))),
                Arguments.of("fixed", fixed("stopped-holder-fixed", Duration.ofSeconds(2))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("leases")
    void aHolderThatWasStoppedPastItsLeaseLearnsThatItLostAndFreesNobodysLock(String kind, LockRequest request)
            throws Exception {
        RemoteInstance remote = newRemote();
        Turn stopped = remote.acquire("stopped", request);
        remote.pause();
        ObservedLease next = acquire(here, renewed(request.name(), LONG_LEASE));
        String owner = ownerOf(request);
        assertThat(next.token()).isGreaterThan(stopped.token());
        // If a renewal was under way, only a pause that goes on after the end of the lease shows as one.
        awaitTime(Duration.ofSeconds(1), System.nanoTime());
        remote.resume();
        assertThat(remote.awaitLost("stopped")).isEqualTo(request.renewed() ? LossReason.PAUSED : LossReason.EXPIRED);
        assertThat(remote.isValid("stopped")).isFalse();
        assertThat(remote.release("stopped")).isEqualTo(ReleaseResult.LOST);
        assertThat(ownerOf(request)).isEqualTo(owner);
        assertThat(next.isValid()).isTrue();
        remote.start(
                "again",
                LockRequest.named(request.name()).tryLockTime(Duration.ZERO).build());
        assertThat(remote.awaitMissed("again")).isEqualTo("BUSY");
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(remote.acquire("later", request).token()).isGreaterThan(next.token());
        assertThat(remote.release("later")).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void theFirstThingThatAContinuedHolderDoesCanBeItsRelease() throws Exception {
        RemoteInstance remote = newRemote();
        remote.acquire("stopped", renewed(Duration.ofSeconds(2)));
        remote.pause();
        ObservedLease next = acquire(here, renewed(LONG_LEASE));
        String owner = owner();
        // The command is read as soon as the process runs again, maybe before its engine knows what time it is.
        CompletableFuture<ReleaseResult> released = start(() -> remote.release("stopped"));
        remote.resume();
        assertThat(get(released)).isEqualTo(ReleaseResult.LOST);
        assertThat(owner()).isEqualTo(owner);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("leases")
    void workWhoseProcessWasStoppedBeforeItBeganDoesNotBegin(String kind, LockRequest request) throws Exception {
        RemoteInstance remote = newRemote();
        remote.prepareWork("stopped", request);
        remote.pause();
        ObservedLease next = acquire(here, renewed(request.name(), LONG_LEASE));
        remote.goOn();
        remote.resume();
        assertThat(remote.awaitMissed("stopped")).isEqualTo("BUSY");
        assertThat(next.isValid()).isTrue();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aStopShorterThanTheLeaseIsNoLoss() throws Exception {
        RemoteInstance remote = newRemote();
        remote.acquire("stopped", renewed(Duration.ofSeconds(30)));
        CompletableFuture<ObservedLease> waiter = startWaiting(here, renewed(LONG_LEASE));
        remote.pause();
        // Longer than the command timeout, the heartbeat and the liveness timeout.
        awaitTime(Duration.ofMillis(3_500), System.nanoTime());
        remote.resume();
        assertThat(remote.isValid("stopped")).isTrue();
        assertThat(waiter).isNotDone();
        assertThat(remote.release("stopped")).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aForcedReleaseAndADeletedKeyAreToldApart() {
        // An answer that the lock is gone may overtake the message that it was released by force, but seldom does.
        eventually().until(() -> {
            ObservedLease forced = acquire(here, renewed(LONG_LEASE));
            there.executor().forceRelease(name).join();
            eventually().until(() -> !forced.isValid());
            return forced.lease().lossReason() == LossReason.FORCED;
        });
        ObservedLease deleted = acquire(here, renewed(LONG_LEASE));
        redis.command("DEL", ownerKey(name));
        assertThat(deleted.lease().confirm()).isFalse();
        assertThat(deleted.lease().lossReason()).isEqualTo(LossReason.GONE);
    }

    private String ownerOf(LockRequest request) {
        return String.valueOf(redis.command("GET", ownerKey(request.name()))).replaceFirst(" \\d+$", "");
    }
}
