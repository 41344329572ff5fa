package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Several locks together: all or none, and nobody waits in a circle. */
abstract class SeveralLocksContract extends ContractSuite {

    private static final int CALLERS_OF_A_PROCESS = 3;
    private static final int CALLS_OF_A_CALLER = 20;

    private MultiLock locks(LockTemplate process, Duration wait, String... suffixes) {
        List<LockRequest> requests = new ArrayList<>();
        for (String suffix : suffixes) {
            requests.add(LockRequest.named(name(suffix)).tryLockTime(wait).build());
        }
        return MultiLock.of(process, requests);
    }

    private LockRequest once(String suffix) {
        return LockRequest.named(name(suffix)).tryLockTime(Duration.ZERO).build();
    }

    @OnEveryThreadKind
    void allAreHeldUntilTheyAreReleased() throws Exception {
        MultiLock.Outcome.Acquired all =
                locks(here, MAX_TEST_TIME, "a", "b", "c").acquire();
        for (String suffix : List.of("a", "b", "c")) {
            assertBusy(there, once(suffix));
        }
        all.release();
        locks(there, BEFORE_AN_ORPHAN_ENDS, "a", "b", "c").acquire().release();
    }

    @OnEveryThreadKind
    void ifOneIsBusyNoneIsKept() throws Exception {
        try (Lease other = there.acquire(once("b"))) {
            assertThat(other.isValid()).isTrue();
            MultiLock locks = locks(here, Duration.ofMillis(200), "a", "b", "c");
            assertThat(crew.call(locks::tryAcquire)).isEmpty();
            locks(there, BEFORE_AN_ORPHAN_ENDS, "a", "c").acquire().release();
        }
    }

    @OnEveryThreadKind
    void whoWaitsGetsAllOfThem() throws Exception {
        Lease other = there.acquire(once("b"));
        DistributedLock before = there.lock(name("a"));
        DistributedLock after = there.lock(name("c"));
        Crew.Member<MultiLock.Outcome.Acquired> waiting =
                crew.start(() -> locks(here, MAX_TEST_TIME, "a", "b", "c").acquire());
        // What follows the busy lock is not held meanwhile.
        awaitUntil(() -> before.isLocked() && !after.isLocked());
        other.release();
        MultiLock.Outcome.Acquired all = waiting.result();
        assertThat(all.leases()).hasSize(3).allMatch(Lease::isValid);
        all.release();
    }

    @OnEveryThreadKind
    void oneThatExpiresWhileAnotherIsWaitedForIsAcquiredAgain() throws Exception {
        oneThatIsLostIsAcquiredAgain(Duration.ofSeconds(2), () -> {});
    }

    @OnEveryThreadKind
    void oneThatIsReleasedByForceWhileAnotherIsWaitedForIsAcquiredAgain() throws Exception {
        oneThatIsLostIsAcquiredAgain(
                MAX_TEST_TIME, () -> there.forceRelease(name("a")).join());
    }

    private void oneThatIsLostIsAcquiredAgain(Duration hold, Runnable loss) throws Exception {
        LockOwner owner = LockOwner.unique();
        List<LockRequest> requests = new ArrayList<>();
        for (String suffix : List.of("a", "b")) {
            requests.add(LockRequest.named(name(suffix))
                    .tryLockTime(MAX_TEST_TIME)
                    .holdLockTime(hold)
                    .build());
        }
        Lease busy = there.acquire(once("b"));
        CompletableFuture<MultiLock.Outcome> attempt =
                MultiLock.of(here, requests).attemptAsync(owner);
        awaitUntil(() -> here.holdCount(name("a"), owner) == 1);
        loss.run();
        awaitUntil(() -> here.holdCount(name("a"), owner) == 0);
        busy.release();
        MultiLock.Outcome outcome = attempt.get(MAX_TEST_TIME.toSeconds(), TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(MultiLock.Outcome.Acquired.class);
        MultiLock.Outcome.Acquired all = (MultiLock.Outcome.Acquired) outcome;
        assertThat(all.leases()).hasSize(2).allMatch(Lease::isValid);
        all.release();
    }

    @OnEveryThreadKind
    void callersOfCommonLocksNeverWaitForEachOther() throws Exception {
        String[][] sets = {{"a", "b", "c"}, {"c", "d", "a"}, {"b", "d"}};
        for (LockTemplate process : List.of(here, there)) {
            for (int i = 0; i < CALLERS_OF_A_PROCESS; i++) {
                MultiLock locks = locks(process, MAX_TEST_TIME, sets[i % sets.length]);
                crew.start(() -> {
                    for (int call = 0; call < CALLS_OF_A_CALLER; call++) {
                        locks.acquire().release();
                    }
                    return null;
                });
            }
        }
        crew.join();
    }

    /** Perhaps none has all of them, because each finds one that another has; never two. */
    @OnEveryThreadKind
    void ofManySingleAttemptsAtOnceAtMostOneHasAll() throws Exception {
        for (int round = 0; round < 5; round++) {
            CountDownLatch all = new CountDownLatch(10);
            List<Crew.Member<Optional<MultiLock.Outcome.Acquired>>> members = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                MultiLock locks = locks(i % 2 == 0 ? here : there, Duration.ZERO, "a", "b", "c");
                members.add(crew.start(() -> {
                    all.countDown();
                    all.await();
                    return locks.tryAcquire();
                }));
            }
            List<MultiLock.Outcome.Acquired> winners = new ArrayList<>();
            for (Crew.Member<Optional<MultiLock.Outcome.Acquired>> member : members) {
                member.result().ifPresent(winners::add);
            }
            assertThat(winners).hasSizeLessThanOrEqualTo(1);
            winners.forEach(MultiLock.Outcome.Acquired::release);
            locks(there, BEFORE_AN_ORPHAN_ENDS, "a", "b", "c").acquire().release();
        }
    }

    /** Other processes need not see it at once, but soon. */
    @OnEveryThreadKind
    void aReleaseThatIsNotConfirmedTakesPlace() throws Exception {
        LockRequest request = patient().toBuilder().confirmRelease(false).build();
        assertThat(here.<String>execute(request, () -> "done")).isEqualTo("done");
        assertFreeAtOnce(there);
        assertThat(here.<String>execute(request, () -> "done")).isEqualTo("done");
    }
}
