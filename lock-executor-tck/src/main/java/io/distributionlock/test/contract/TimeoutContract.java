package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.Lease;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An attempt waits for at most its budget. */
abstract class TimeoutContract extends ContractSuite {

    @OnEveryThreadKind
    void waitEndsWithItsBudget() throws Exception {
        Lease lease = here.acquire(once());
        for (LockTemplate process : List.of(here, there)) {
            Duration wait = Duration.ofMillis(500);
            Timed<LockOutcome> end = crew.call(() -> timed(() -> process.attempt(waiting(wait))));
            assertThat(end.took()).isBetween(wait, wait.plus(SOON));
            assertThat(end.result()).isInstanceOfSatisfying(LockOutcome.Busy.class, busy -> {
                assertThat(busy.reason()).isEqualTo(LockFailureReason.BUSY);
                assertThat(busy.waited()).isBetween(wait.minusMillis(5), end.took());
            });
        }
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void exceptionNamesTheBusyLockAndTheWait() throws Exception {
        Lease lease = here.acquire(once());
        crew.call(() -> {
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() -> there.acquire(waiting(Duration.ofMillis(50))))
                    .withMessageContaining(name)
                    .satisfies(e -> {
                        assertThat(e.lockName()).isEqualTo(name);
                        assertThat(e.reason()).isEqualTo(LockFailureReason.BUSY);
                        assertThat(e.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(45));
                    });
            return null;
        });
        lease.close();
    }

    @OnEveryThreadKind
    void singleAttemptReturnsAtOnce() throws Exception {
        Lease lease = here.acquire(once());
        for (LockTemplate process : List.of(here, there)) {
            Timed<LockOutcome> end = crew.call(() -> timed(() -> process.attempt(once())));
            assertThat(end.result()).isInstanceOf(LockOutcome.Busy.class);
            assertThat(end.took()).isLessThan(Duration.ofSeconds(2));
        }
        lease.close();
    }

    /** The second waiter moves to the front when the first gives up. Its budget must not start again then. */
    @OnEveryThreadKind
    void movingUpInTheQueueDoesNotRestartTheBudget() throws Exception {
        Lease lease = here.acquire(once());
        Crew.Member<LockOutcome> first = crew.start(() -> there.attempt(waiting(Duration.ofSeconds(2))));
        first.awaitBlocked();
        Crew.Member<Timed<LockOutcome>> second =
                crew.start(() -> timed(() -> there.attempt(waiting(Duration.ofMillis(2_500)))));
        assertThat(first.result()).isInstanceOf(LockOutcome.Busy.class);
        assertThat(second.result().result()).isInstanceOf(LockOutcome.Busy.class);
        assertThat(second.result().took()).isBetween(Duration.ofMillis(2_500), Duration.ofMillis(4_400));
        lease.close();
    }

    @OnEveryThreadKind
    void eachWaiterHasItsOwnBudget() throws Exception {
        Lease lease = here.acquire(once());
        List<Duration> waits =
                List.of(Duration.ofMillis(700), Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMillis(1));
        List<Crew.Member<Timed<LockOutcome>>> waiters = new ArrayList<>();
        for (LockTemplate process : List.of(here, there)) {
            for (Duration wait : waits) {
                waiters.add(crew.start(() -> timed(() -> process.attempt(waiting(wait)))));
            }
        }
        for (int i = 0; i < waiters.size(); i++) {
            Timed<LockOutcome> end = waiters.get(i).result();
            Duration wait = waits.get(i % waits.size());
            assertThat(end.result()).isInstanceOf(LockOutcome.Busy.class);
            assertThat(end.took()).isBetween(wait, wait.plus(SOON));
        }
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
        assertFreeAtOnce(here);
    }

    @OnEveryThreadKind
    void waiterAcquiresWhenTheLockIsReleased() throws Exception {
        for (LockTemplate process : List.of(here, there)) {
            Lease lease = here.acquire(patient());
            Crew.Member<ReleaseResult> waiter = crew.start(() -> acquireAndRelease(process, patient()));
            waiter.awaitBlocked();
            assertThat(waiter.isDone()).isFalse();
            lease.close();
            Timed<ReleaseResult> end = timed(waiter::result);
            assertThat(end.result()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(end.took()).isLessThan(BEFORE_AN_ORPHAN_ENDS);
        }
    }
}
