package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A fair lock is acquired in the order of arrival, across all processes. */
abstract class OrderOfArrivalContract extends ContractSuite {

    private static final int WAITERS = 30;

    @Override
    Set<LockKind> neededKinds() {
        return Set.of(LockKind.FAIR);
    }

    private LockRequest fair(Duration wait) {
        return asking(LockKind.FAIR, wait).build();
    }

    @OnEveryThreadKind
    void waitersOfAllProcessesAreServedInOrderOfArrival() throws Exception {
        Lease lease = here.acquire(fair(Duration.ZERO));
        ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<ReleaseResult>> turns = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            int number = i;
            order.add(number);
            // Two here, one there, so that mere alternation of the processes would fail.
            LockTemplate process = i % 3 == 0 ? there : here;
            turns.add(queueUp(process, fair(MAX_TEST_TIME)).thenCompose(outcome -> {
                served.add(number);
                return crew.start(() -> leaseOf(outcome).release()).future();
            }));
        }
        lease.close();
        for (CompletableFuture<ReleaseResult> turn : turns) {
            assertThat(turn.get(MAX_TEST_TIME.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(served).containsExactlyElementsOf(order);
    }

    @OnEveryThreadKind
    void newcomerDoesNotOvertakeAWaiter() throws Exception {
        Lease lease = here.acquire(fair(Duration.ZERO));
        CompletableFuture<LockOutcome> first = queueUp(there, fair(MAX_TEST_TIME));
        CompletableFuture<LockOutcome> second = queueUp(here, fair(MAX_TEST_TIME));
        lease.close();
        Lease next = leaseOf(outcomeOf(first));
        assertBusy(here, fair(Duration.ZERO));
        assertBusy(there, fair(Duration.ZERO));
        assertThat(second).isNotDone();
        next.close();
        leaseOf(outcomeOf(second)).close();
    }

    @OnEveryThreadKind
    void waiterThatGivesUpLeavesTheQueueAtOnce() throws Exception {
        Lease lease = here.acquire(fair(Duration.ZERO));
        List<CompletableFuture<LockOutcome>> leaving = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            leaving.add(queueUp(there, fair(MAX_TEST_TIME)));
        }
        CompletableFuture<LockOutcome> last = queueUp(here, fair(MAX_TEST_TIME));
        leaving.forEach(attempt -> assertThat(attempt.cancel(true)).isTrue());
        Crew.Member<LockOutcome> interrupted = crew.start(() -> there.attempt(fair(MAX_TEST_TIME)));
        interrupted.awaitBlocked();
        interrupted.interrupt();
        assertThat(interrupted.result()).isInstanceOf(LockOutcome.Interrupted.class);
        assertBusy(there, fair(Duration.ofMillis(150)));
        Timed<LockOutcome> turn = timed(() -> {
            lease.close();
            return outcomeOf(last);
        });
        assertThat(turn.took()).isLessThan(BEFORE_AN_ORPHAN_ENDS);
        leaseOf(turn.result()).close();
    }

    /** Each is followed by the next although nobody unlocks. */
    @OnEveryThreadKind
    void waitersFollowEachOtherWhenLeasesEnd() throws Exception {
        LockRequest brief = fair(MAX_TEST_TIME).toBuilder()
                .holdLockTime(Duration.ofSeconds(1))
                .build();
        Lease first = here.acquire(brief);
        ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Lease>> chain = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            chain.add(queueUp(i % 3 == 0 ? there : here, brief).thenApply(outcome -> {
                served.add(number);
                return leaseOf(outcome);
            }));
        }
        long token = first.isValid() ? first.fencingToken() : 0;
        for (CompletableFuture<Lease> turn : chain) {
            Lease lease = turn.get(MAX_TEST_TIME.toSeconds(), TimeUnit.SECONDS);
            long next = lease.isValid() ? lease.fencingToken() : token;
            assertThat(next).isGreaterThanOrEqualTo(token);
            token = next;
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @OnEveryThreadKind
    void holderCanReenterWhileOthersWait() throws Exception {
        Lease outer = here.acquire(fair(Duration.ZERO));
        CompletableFuture<LockOutcome> waiting = queueUp(there, fair(MAX_TEST_TIME));
        Lease inner = here.acquire(fair(Duration.ZERO));
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(waiting).isNotDone();
        outer.close();
        leaseOf(outcomeOf(waiting)).close();
    }
}
