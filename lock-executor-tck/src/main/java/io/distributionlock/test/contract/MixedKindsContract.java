package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A name is one lock for all kinds. */
abstract class MixedKindsContract extends ContractSuite {

    private static final int SECTIONS = 40;

    @OnEveryThreadKind
    void holderOfOneKindCanAcquireTheOthers() throws Exception {
        for (LockKind outer : supported(LockKind.REENTRANT, LockKind.FAIR, LockKind.WRITE)) {
            Lease held = here.acquire(asking(outer, Duration.ZERO).build());
            for (LockKind inner : supported(lockKinds())) {
                here.acquire(asking(inner, Duration.ZERO).build()).close();
                assertBusy(here, asking(inner, Duration.ZERO).build());
                assertBusy(there, asking(inner, Duration.ZERO).build());
            }
            assertThat(held.confirm()).isTrue();
            held.close();
        }
    }

    @OnEveryThreadKind
    void reentrantNewcomersDoNotOvertakeAFairWaiterWhenALeaseEnds() throws Exception {
        assumeTrue(supported(LockKind.REENTRANT, LockKind.FAIR).size() == 2);
        Lease ended = here.acquire(fixed(Duration.ofMillis(300)));
        CompletableFuture<LockOutcome> waiter =
                queueUp(there, asking(LockKind.FAIR, MAX_TEST_TIME).build());
        // They know nothing of the waiter.
        List<Crew.Member<Boolean>> newcomers = new ArrayList<>();
        for (LockTemplate newcomer : List.of(newProcess(), newProcess())) {
            newcomers.add(crew.start(() -> entersBefore(waiter, newcomer)));
        }
        for (Crew.Member<Boolean> newcomer : newcomers) {
            assertThat(newcomer.result()).as("overtaken").isFalse();
        }
        leaseOf(outcomeOf(waiter)).close();
        assertThat(ended.release()).isEqualTo(ReleaseResult.LOST);
    }

    /** Asks until the waiter has the lock, which it keeps. */
    private boolean entersBefore(CompletableFuture<LockOutcome> waiter, LockTemplate newcomer) {
        while (!waiter.isDone()) {
            if (newcomer.attempt(once()) instanceof LockOutcome.Acquired acquired) {
                acquired.lease().close();
                return true;
            }
        }
        return false;
    }

    @OnEveryThreadKind
    void allKindsTogetherExclude() throws Exception {
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger readers = new AtomicInteger();
        for (LockTemplate process : List.of(here, there)) {
            for (LockKind kind : supported(lockKinds())) {
                crew.start(() -> enterOftenAs(kind, process, readers, writers));
            }
        }
        crew.join();
    }

    private Void enterOftenAs(LockKind kind, LockTemplate process, AtomicInteger readers, AtomicInteger writers)
            throws Exception {
        for (int i = 0; i < SECTIONS; i++) {
            try (Lease lease = process.acquire(asking(kind, MAX_TEST_TIME).build())) {
                AtomicInteger mine = kind.isExclusive() ? writers : readers;
                int others = mine.incrementAndGet() - 1;
                Thread.yield();
                assertThat(lease.isValid()).isTrue();
                assertThat(writers.get()).isEqualTo(kind.isExclusive() ? 1 : 0);
                assertThat(kind.isExclusive() ? others + readers.get() : 0).isZero();
                mine.decrementAndGet();
            }
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                Thread.yield();
            }
        }
        return null;
    }
}
