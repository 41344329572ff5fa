package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Each acquisition has a greater token than all earlier ones of the same name. An executor may draw the token with the acquisition or
 * when it is first asked for.
 */
abstract class FencingContract extends ContractSuite {

    @OnEveryThreadKind
    void tokensGrowInTheOrderOfAcquisition() throws Exception {
        // Guarded by the lock alone.
        List<Long> numbers = new ArrayList<>();
        for (LockTemplate process : List.of(here, there)) {
            for (int i = 0; i < 4; i++) {
                crew.start(() -> takeNumbers(process, numbers));
            }
        }
        crew.join();
        assertThat(numbers).hasSize(200).isSorted().doesNotHaveDuplicates();
    }

    private Void takeNumbers(LockTemplate process, List<Long> numbers) {
        for (int i = 0; i < 25; i++) {
            try (Lease lease = process.acquire(patient())) {
                numbers.add(lease.fencingToken());
            }
        }
        return null;
    }

    @OnEveryThreadKind
    void tokensGrowForOneThread() {
        long last = 0;
        for (int i = 0; i < 200; i++) {
            try (Lease lease = here.acquire(patient())) {
                assertThat(lease.fencingToken()).isGreaterThan(last);
                last = lease.fencingToken();
            }
        }
    }

    @OnEveryThreadKind
    void reentryHasNoSmallerToken() {
        try (Lease outer = here.acquire(once());
                Lease inner = here.acquire(once())) {
            assertThat(inner.fencingToken()).isGreaterThanOrEqualTo(outer.fencingToken());
        }
    }

    /** An executor that passes the lock on gives one section the same token, however deep it is inside. */
    @OnEveryThreadKind
    void reentryHasTheTokenOfTheFirst() {
        LockRequest fenced = once().toBuilder().fenced().build();
        try (Lease outer = here.acquire(fenced);
                Lease inner = here.acquire(fenced);
                Lease innermost = here.acquire(once())) {
            assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
            assertThat(innermost.fencingToken()).isEqualTo(outer.fencingToken());
        }
    }

    @OnEveryThreadKind
    void lostLeaseHasASmallerToken() throws Exception {
        LockRequest brief = fixed(Duration.ofMillis(300)).toBuilder().fenced().build();
        Lease lost = here.acquire(brief);
        Lease next = crew.call(() -> there.acquire(brief));
        Lease last = crew.call(() -> here.acquire(patient()));
        assertThat(List.of(lost.fencingToken(), next.fencingToken(), last.fencingToken()))
                .isSorted()
                .doesNotHaveDuplicates();
        List.of(lost, next, last).forEach(Lease::close);
    }

    @OnEveryThreadKind
    void tokenStaysTheSameHoweverOftenAndWhereverItIsAskedFor() throws Exception {
        Lease lease = here.acquire(once());
        List<Crew.Member<Long>> asking = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            asking.add(crew.start(lease::fencingToken));
        }
        long token = lease.fencingToken();
        for (Crew.Member<Long> member : asking) {
            assertThat(member.result()).isEqualTo(token);
        }
        assertKnown(lease, token);
        assertThat(lease.extend(MAX_TEST_TIME)).isTrue();
        assertThat(lease.confirm()).isTrue();
        assertKnown(lease, token);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    private static void assertKnown(Lease lease, long token) throws Exception {
        assertThat(lease.knownFencingToken()).hasValue(token);
        assertThat(lease.fencingToken()).isEqualTo(token);
        assertThat(tokenLater(lease)).isEqualTo(token);
    }

    private static long tokenLater(Lease lease) throws Exception {
        return lease.fencingTokenAsync().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @OnEveryThreadKind
    void tokenIsTheSameWhenItIsFirstAskedForWithoutBlocking() throws Exception {
        try (Lease lease = here.acquire(once())) {
            CompletableFuture<Long> first = lease.fencingTokenAsync();
            long second = tokenLater(lease);
            assertThat(first.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(second);
            assertKnown(lease, second);
        }
    }

    @OnEveryThreadKind
    void interruptNeitherEndsTheWaitForATokenNorIsLost() {
        try (Lease lease = here.acquire(once())) {
            Thread.currentThread().interrupt();
            long token = lease.fencingToken();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(lease.fencingToken()).isEqualTo(token);
        }
    }

    @OnEveryThreadKind
    void holdersThatAskForNoTokenLeaveTheOrderAlone() throws Exception {
        long last = 0;
        for (int i = 0; i < 30; i++) {
            for (LockTemplate process : List.of(here, there, here)) {
                crew.call(() -> acquireAndRelease(process, patient()));
            }
            LockTemplate process = i % 4 < 2 ? here : there;
            long token = crew.call(() -> takeNumber(process));
            assertThat(token).isGreaterThan(last);
            last = token;
        }
    }

    private long takeNumber(LockTemplate process) {
        try (Lease lease = process.acquire(patient())) {
            return lease.fencingToken();
        }
    }

    @OnEveryThreadKind
    void tokensGrowAlthoughOnlySomeHoldersAskForThem() throws Exception {
        // Guarded by the lock alone.
        List<Long> numbers = new ArrayList<>();
        for (LockTemplate process : List.of(here, there)) {
            for (int member = 0; member < 4; member++) {
                int first = member;
                crew.start(() -> {
                    for (int i = first; i < first + 24; i++) {
                        LockRequest.Builder request = patient().toBuilder();
                        try (Lease lease =
                                process.acquire(i % 4 == 1 ? request.fenced().build() : request.build())) {
                            if (i % 4 < 2) {
                                numbers.add(lease.fencingToken());
                            }
                        }
                    }
                    return null;
                });
            }
        }
        crew.join();
        assertThat(numbers).hasSize(8 * 12).isSorted().doesNotHaveDuplicates();
    }

    @OnEveryThreadKind
    void tokenThatIsAskedForLateIsOlderThanThatOfTheNextHolder() throws Exception {
        long before = takeNumber(there);
        Lease lease = here.acquire(renewed(Duration.ofMillis(600)));
        // Only renewal keeps the lock so long.
        assertThat(crew.call(() -> there.tryAcquire(waiting(Duration.ofMillis(1_500)))))
                .isEmpty();
        CompletableFuture<LockOutcome> waiter = queueUp(there, fenced(MAX_TEST_TIME));
        long token = lease.fencingToken();
        assertThat(token).isGreaterThan(before);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = leaseOf(outcomeOf(waiter));
        assertThat(next.fencingToken()).isGreaterThan(token);
        assertThat(lease.fencingToken()).isEqualTo(token);
        next.close();
    }

    private LockRequest fenced(Duration wait) {
        return waiting(wait).toBuilder().fenced().build();
    }

    @OnEveryThreadKind
    void reentryHasNoSmallerTokenAlsoIfItAsksFirst() throws Exception {
        long before = takeNumber(there);
        Lease outer = here.acquire(once());
        Lease inner = here.acquire(once());
        long innerToken = inner.fencingToken();
        long outerToken = outer.fencingToken();
        assertThat(outerToken).isGreaterThan(before).isLessThanOrEqualTo(innerToken);
        inner.close();
        assertThat(outer.fencingToken()).isEqualTo(outerToken);
        outer.close();
        assertThat(takeNumber(there)).isGreaterThan(innerToken);
    }

    @OnEveryThreadKind
    void outerLeaseHasATokenAfterItsReentryWasReleasedWithoutOne() throws Exception {
        long before = takeNumber(there);
        Lease outer = here.acquire(once());
        here.acquire(once()).close();
        long token = outer.fencingToken();
        assertThat(token).isGreaterThan(before);
        outer.close();
        assertThat(takeNumber(here)).isGreaterThan(token);
    }

    @OnEveryThreadKind
    void fencedLeaseKnowsItsToken() throws Exception {
        try (Lease lease = here.acquire(fenced(Duration.ZERO))) {
            assertKnown(lease, lease.knownFencingToken().orElseThrow());
        }
        try (Lease lease = leaseOf(outcomeOf(here.acquireAsync(fenced(MAX_TEST_TIME))))) {
            assertThat(lease.knownFencingToken()).isPresent();
        }
    }

    @OnEveryThreadKind
    void fencedReentryKnowsItsTokenAlsoIfTheOuterLeaseAskedForNone() {
        try (Lease outer = here.acquire(once())) {
            OptionalLong known;
            try (Lease inner = here.acquire(fenced(Duration.ZERO))) {
                known = inner.knownFencingToken();
                assertThat(known).isPresent();
                assertThat(inner.fencingToken()).isEqualTo(known.getAsLong());
            }
            assertThat(outer.isValid()).isTrue();
            assertThat(outer.fencingToken()).isPositive().isLessThanOrEqualTo(known.getAsLong());
        }
    }

    @OnEveryThreadKind
    void fencedWaiterKnowsItsTokenAlsoIfTheHolderBeforeAskedForNone() throws Exception {
        long last = 0;
        for (LockTemplate waiting : List.of(here, there, here)) {
            Lease before = here.acquire(patient());
            List<CompletableFuture<LockOutcome>> waiters = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                waiters.add(waiting.acquireAsync(i == 1 ? patient() : fenced(MAX_TEST_TIME)));
            }
            waiting.lock(name).isLocked();
            before.close();
            for (int i = 0; i < 4; i++) {
                Lease lease = leaseOf(outcomeOf(waiters.get(i)));
                if (i != 1) {
                    assertThat(lease.knownFencingToken()).isPresent();
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                    last = lease.fencingToken();
                }
                lease.close();
            }
        }
    }

    @OnEveryThreadKind
    void cancelledFencedWaiterLeavesNothing() throws Exception {
        Lease outer = here.acquire(once());
        CompletableFuture<LockOutcome> waiter = here.acquireAsync(fenced(MAX_TEST_TIME));
        assertThat(waiter.cancel(true)).isTrue();
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void leasesOfOtherKindsKnowTheirTokens() throws Exception {
        long last = takeNumber(here);
        for (LockKind kind : supported(LockKind.FAIR, LockKind.WRITE, LockKind.READ)) {
            crew.call(() -> acquireAndRelease(there, patient()));
            try (Lease lease = here.acquire(once().toBuilder().kind(kind).build())) {
                assertThat(lease.knownFencingToken()).as(kind.name()).isPresent();
                assertThat(lease.fencingToken()).as(kind.name()).isGreaterThan(last);
                last = lease.fencingToken();
            }
        }
        assertThat(takeNumber(there)).isGreaterThan(last);
    }

    @OnEveryThreadKind
    void tokenRemainsKnownAfterTheRelease() throws Exception {
        Lease lease = here.acquire(once());
        long token = lease.fencingToken();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertKnown(lease, token);
        assertThat(takeNumber(there)).isGreaterThan(token);
        assertKnown(lease, token);
    }

    @OnEveryThreadKind
    void tokenRemainsKnownAfterTheLoss() throws Exception {
        Lease expired = here.acquire(fixed(Duration.ofSeconds(1)));
        long token = expired.fencingToken();
        awaitLost(expired);
        assertKnown(expired, token);
        expired.close();
        assertKnown(expired, token);
    }

    @OnEveryThreadKind
    void tokenThatWasNeverDrawnIsNoLongerToBeHadAfterTheRelease() throws Exception {
        Lease lease = here.acquire(once());
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertKnownOrOutOfReach(lease);
        // The next holder must not pay for it.
        try (Lease next = crew.call(() -> there.acquire(patient()))) {
            assertKnownOrOutOfReach(lease);
            assertThat(next.isValid()).isTrue();
            assertThat(next.confirm()).isTrue();
        }
    }

    @OnEveryThreadKind
    void tokenThatWasNeverDrawnIsNoLongerToBeHadAfterTheLoss() throws Exception {
        Lease expired = here.acquire(fixed(Duration.ofMillis(300)));
        awaitLost(expired);
        assertKnownOrOutOfReach(expired);
        try (Lease next = crew.call(() -> there.acquire(patient()))) {
            assertKnownOrOutOfReach(expired);
            assertThat(next.confirm()).isTrue();
        }
        assertThat(expired.release()).isEqualTo(ReleaseResult.LOST);
    }

    /** A holder whose lock was released by force does not get a number that is greater than that of the next holder. */
    @OnEveryThreadKind
    void tokenOfALockThatWasReleasedByForceIsNotGreaterThanThatOfTheNextHolder() throws Exception {
        Lease lost = here.acquire(fixed(MAX_TEST_TIME));
        assertThat(forceRelease()).isTrue();
        Lease next = crew.call(() -> there.acquire(patient()));
        long token = next.fencingToken();
        try {
            assertThat(lost.fencingToken()).isLessThan(token);
        } catch (IllegalStateException notDrawn) {
            assertThat(lost.isValid()).isFalse();
        }
        assertThat(next.confirm()).isTrue();
        next.close();
        assertThat(lost.release()).isEqualTo(ReleaseResult.LOST);
    }

    /** Known if the executor draws tokens with the acquisition. */
    private static void assertKnownOrOutOfReach(Lease ended) throws Exception {
        OptionalLong known = ended.knownFencingToken();
        if (known.isPresent()) {
            assertKnown(ended, known.getAsLong());
            return;
        }
        assertThatIllegalStateException()
                .isThrownBy(ended::fencingToken)
                .withMessageContaining("fencing token")
                .withMessageContaining("while the lock is held");
        assertThat(ended.fencingTokenAsync())
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class);
    }
}
