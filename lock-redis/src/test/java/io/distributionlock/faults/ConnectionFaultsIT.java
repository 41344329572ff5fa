package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections break, and keys and scripts vanish, while Redis lives on. */
@Tag("server")
class ConnectionFaultsIT extends FaultSuite {

    private final Queue<String> lost = new ConcurrentLinkedQueue<>();

    /** Kills all that there are of a type, but waits for the first one to come back after an earlier kill. */
    private void killConnections(String type) {
        eventually().until(() -> (Long) redis.command("CLIENT", "KILL", "TYPE", type) > 0);
    }

    @Test
    void aLostSubscriptionDelaysAWaiterByAHeartbeatAndComesBack() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        awaitSubscriptions(2);
        killConnections("pubsub");
        // The message that wakes the waiter reaches nobody now, or somebody who has just come back.
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease first = get(waiter, SOON);
        awaitSubscriptions(2);
        CompletableFuture<ObservedLease> other = startWaiting(here, renewed(LONG_LEASE));
        assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease second = get(other, SOON);
        CompletableFuture<ObservedLease> again = startWaiting(there, renewed(LONG_LEASE));
        assertThat(second.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(again, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aSubscriptionThatIsKilledAgainAndAgainStrandsNobody() throws Exception {
        for (int round = 0; round < 5; round++) {
            ObservedLease held = acquire(here, renewed(LONG_LEASE));
            CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
            redis.command("CLIENT", "KILL", "TYPE", "pubsub");
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    void aLostCommandConnectionCostsNobodyTheLockOrThePlace() throws Exception {
        String fixedName = name + ":fixed";
        ObservedLease renewed = acquire(here, renewed(Duration.ofSeconds(60)));
        ObservedLease fixed = acquire(here, fixed(fixedName, LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        long endsAt = endOf(renewed);
        killConnections("normal");
        // It is checked, and by that renewed, over the new connection; the next renewal would not be due for seconds.
        eventually().until(() -> endOf(renewed) > endsAt + Duration.ofMillis(1).toNanos());
        assertThat(renewed.isValid()).isTrue();
        assertThat(fixed.isValid()).isTrue();
        assertThat(waiter).isNotDone();
        killConnections("normal");
        assertThat(renewed.release()).isIn(ReleaseResult.RELEASED, ReleaseResult.UNCONFIRMED);
        assertThat(fixed.release()).isIn(ReleaseResult.RELEASED, ReleaseResult.UNCONFIRMED);
        assertThat(get(waiter, SOON).release()).isIn(ReleaseResult.RELEASED, ReleaseResult.UNCONFIRMED);
    }

    private static long endOf(ObservedLease lease) {
        return System.nanoTime() + lease.lease().remaining().toNanos();
    }

    @Test
    void aLockThatWasTakenAwayIsMissedAtOnceAfterAReconnectEvenIfItsLeaseIsFixed() throws Exception {
        ObservedLease held = acquire(here, fixed(LONG_LEASE));
        held.lease().onLost(lease -> lost.add("lost"));
        dataWillBeLost();
        redis.command("DEL", ownerKey(name));
        killConnections("normal");
        eventually().until(() -> lost.size() == 1);
        assertThat(held.isValid()).isFalse();
        there.awaitLocks();
        ObservedLease next = acquire(there, renewed(LONG_LEASE));
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aFixedLeaseThatWasFlushedIsMissedByItsRelease() throws Exception {
        ObservedLease held = acquire(here, fixed(LONG_LEASE));
        dataWillBeLost();
        redis.command("FLUSHALL");
        ObservedLease next = acquire(there, renewed(LONG_LEASE));
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aRenewedLeaseThatWasFlushedIsMissedByItsNextRenewalAndItsWaitersGoOn() throws Exception {
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(3)));
        held.lease().onLost(lease -> lost.add("lost"));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        dataWillBeLost();
        redis.command("FLUSHALL");
        ObservedLease next = get(waiter, SOON);
        eventually().until(() -> lost.size() == 1);
        assertThat(held.isValid()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aLockThatWasFreedByHandGoesToTheWaiterAndItsOldHolderFreesNothing() throws Exception {
        ObservedLease held = acquire(here, fixed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        dataWillBeLost();
        redis.command("DEL", ownerKey(name));
        ObservedLease next = get(waiter, SOON);
        String owner = owner();
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(owner()).isEqualTo(owner);
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aLockThatWasFreedByForceIsMissedAtOnceEvenIfItsLeaseIsFixed() throws Exception {
        ObservedLease held = acquire(here, fixed(LONG_LEASE));
        held.lease().onLost(lease -> lost.add("lost"));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        // The holder is told by a message, so for a moment both may hold.
        dataWillBeLost();
        assertThat(there.executor().forceRelease(name)).succeedsWithin(SOON).isEqualTo(true);
        eventually().until(() -> lost.size() == 1);
        ObservedLease next = get(waiter, SOON);
        assertThat(held.isValid()).isFalse();
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aRenewalNeverShortensALeaseThatWasExtended() {
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(2)));
        assertThat(held.lease().extend(Duration.ofSeconds(60))).isTrue();
        long scripts = redis.calls("evalsha");
        // It is checked, and by that renewed for 2 s, over the new connection.
        killConnections("normal");
        eventually().until(() -> redis.calls("evalsha") > scripts);
        here.awaitAnswers(name);
        Duration promised = held.lease().remaining();
        assertThat(promised).isGreaterThan(Duration.ofSeconds(20));
        assertThat((Long) redis.command("PTTL", ownerKey(name))).isGreaterThan(promised.toMillis() - 1_000);
        assertThat(held.release()).isIn(ReleaseResult.RELEASED, ReleaseResult.UNCONFIRMED);
    }

    @Test
    void whereScriptsWereForbiddenNoLockIsTakenAfterAReconnectThatCouldNotBeReleased() {
        redis.command("ACL", "SETUSER", "default", "-eval", "-evalsha");
        killConnections("normal");
        // Refused over the new connection.
        assertThat(here.executor().isLocked(name)).failsWithin(SOON);
        assertThat(here.locks().attempt(once())).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(keys()).doesNotContain(ownerKey(name));
        redis.command("ACL", "SETUSER", "default", "+eval", "+evalsha");
        here.awaitLocks();
        there.awaitLocks();
        assertThat(acquire(here, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
