package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A process serves its waiters in order, and no process starves another. */
abstract class FairnessContract extends ContractSuite {

    private static final int WAITERS = 12;
    private static final int TURNS = 15;
    private static final Duration SECTION = Duration.ofMillis(40);
    private static final Duration A_HUNDRED_SECTIONS = SECTION.multipliedBy(100);

    @OnEveryThreadKind
    void waitersInTheHoldersProcessAreServedInOrder() throws Exception {
        servesInOrder(here);
    }

    @OnEveryThreadKind
    void waitersInAnotherProcessAreServedInOrder() throws Exception {
        servesInOrder(there);
    }

    private void servesInOrder(LockTemplate process) throws Exception {
        Lease lease = here.acquire(once());
        ConcurrentLinkedQueue<Integer> served = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<ReleaseResult>> waiters = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            int number = i;
            order.add(number);
            // Released on another thread, because callbacks of the attempt must not block.
            waiters.add(process.acquireAsync(patient()).thenCompose(outcome -> {
                served.add(number);
                return releaseElsewhere(outcome);
            }));
        }
        lease.close();
        for (CompletableFuture<ReleaseResult> waiter : waiters) {
            assertThat(waiter.get(MAX_TEST_TIME.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(served).containsExactlyElementsOf(order);
    }

    private CompletableFuture<ReleaseResult> releaseElsewhere(LockOutcome outcome) {
        return crew.start(() -> leaseOf(outcome).release()).future();
    }

    @OnEveryThreadKind
    void busyProcessDoesNotStarveAnother() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Crew.Member<Integer>> crowd = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            crowd.add(crew.start(() -> lockUntil(stop)));
        }
        for (int turn = 0; turn < TURNS; turn++) {
            Timed<ReleaseResult> single = crew.call(() -> timed(() -> acquireAndRelease(there, patient())));
            assertThat(single.result()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(single.took()).isLessThan(SOON);
        }
        stop.set(true);
        for (Crew.Member<Integer> member : crowd) {
            assertThat(member.result()).isPositive();
        }
    }

    @OnEveryThreadKind
    void processWhoseThreadsTakeTheirTimeDoesNotKeepTheLockToItself() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Crew.Member<Integer>> crowd =
                List.of(crew.start(() -> workUntil(stop)), crew.start(() -> workUntil(stop)));
        for (int turn = 0; turn < 2; turn++) {
            Timed<ReleaseResult> single = crew.call(() -> timed(() -> acquireAndRelease(there, patient())));
            assertThat(single.took()).isLessThan(A_HUNDRED_SECTIONS);
        }
        stop.set(true);
        for (Crew.Member<Integer> member : crowd) {
            assertThat(member.result()).isPositive();
        }
    }

    private int workUntil(AtomicBoolean stop) throws InterruptedException {
        int sections = 0;
        while (!stop.get()) {
            try (Lease lease = here.acquire(patient())) {
                TimeUnit.MILLISECONDS.sleep(SECTION.toMillis());
                assertThat(lease.isValid()).isTrue();
                sections++;
            }
        }
        return sections;
    }

    private int lockUntil(AtomicBoolean stop) {
        int sections = 0;
        while (!stop.get()) {
            try (Lease lease = here.acquire(patient())) {
                assertThat(lease.isValid()).isTrue();
                sections++;
            }
        }
        return sections;
    }
}
