package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.local.LocalCommandPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A fencing number that is drawn on demand, by a backend that is slow, silent or broken. */
class FencingNumberTest {

    private static final int ROUND_TRIP = 5;
    private static final int COMMAND_TIMEOUT = 2_000;
    private static final int NEVER = 3_600_000;

    private final VirtualEngine virtual = new VirtualEngine();

    private long draws() {
        return virtual.port.sent.stream().filter("NUMBER name"::equals).count();
    }

    private void failNumbers(Supplier<Throwable> what) {
        virtual.port.failAnswers((call, name) -> call == FaultyPort.Call.NUMBER, what);
    }

    private static void assertNotDrawn(CompletableFuture<Long> token, String how) {
        assertThat(token.isCompletedExceptionally()).isTrue();
        assertThat(token)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isExactlyInstanceOf(IllegalStateException.class)
                .withMessageContaining(how)
                .withMessageContaining("while the lock is held");
    }

    private static void assertBackendFailed(CompletableFuture<Long> token) {
        assertThat(token)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessageContaining("'name'");
    }

    @Test
    void anUncontendedLeaseHasNoTokenUntilItIsAskedFor() {
        EngineLease lease = virtual.take("name", 60_000);
        assertThat(lease.knownFencingToken()).isEmpty();
        assertThat(lease.toString()).doesNotContain("fencing token");
        assertThat(draws()).isZero();
        long token = lease.fencingToken();
        assertThat(token).isPositive();
        assertThat(lease.knownFencingToken()).hasValue(token);
        assertThat(lease.toString()).contains("fencing token " + token);
        assertThat(lease.fencingToken()).isEqualTo(token);
        assertThat(draws()).isEqualTo(1);
    }

    @Test
    void whoeverAsksMeanwhileSharesOneDraw() {
        EngineLease outer = virtual.take("name", 60_000);
        EngineLease inner = reenter(outer);
        virtual.port.answerAfter(ROUND_TRIP);
        List<CompletableFuture<Long>> tokens = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tokens.add((i % 2 == 0 ? outer : inner).tokenWithoutWaiting());
        }
        assertThat(tokens).noneMatch(CompletableFuture::isDone);
        virtual.pass(ROUND_TRIP);
        long token = outer.fencingToken();
        assertThat(tokens).allSatisfy(each -> assertThat(each).isCompletedWithValue(token));
        assertThat(draws()).isEqualTo(1);
    }

    private EngineLease reenter(EngineLease outer) {
        return VirtualEngine.lease(virtual.engine.acquire(
                LockRequest.named("name").tryLockTime(Duration.ZERO).build(),
                outer.hold().ownership.owner()));
    }

    @Test
    void theFutureOfATokenDoesNotBlock() throws Exception {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(ROUND_TRIP);
        CompletableFuture<Long> token = lease.fencingTokenAsync();
        assertThat(token).isNotDone();
        assertThat(lease.knownFencingToken()).isEmpty();
        virtual.pass(ROUND_TRIP);
        assertThat(token.get(20, TimeUnit.SECONDS)).isEqualTo(lease.fencingToken());
        assertThat(lease.fencingTokenAsync()).isDone();
    }

    @Test
    void cancellingTheFutureOfATokenConcernsNobodyElse() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(ROUND_TRIP);
        CompletableFuture<Long> cancelled = lease.fencingTokenAsync();
        CompletableFuture<Long> other = lease.tokenWithoutWaiting();
        cancelled.cancel(true);
        virtual.pass(ROUND_TRIP);
        assertThat(other).isCompletedWithValue(lease.fencingToken());
    }

    @Test
    void anEventLoopIsToldToAskWithoutBlocking() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(ROUND_TRIP);
        Mono<Long> onEventLoop = Mono.fromCallable(lease::fencingToken).subscribeOn(Schedulers.parallel());
        assertThatIllegalStateException()
                .isThrownBy(onEventLoop::block)
                .withMessageContaining("'name'")
                .withMessageContaining("fencingTokenAsync()");
        lease.fencingTokenAsync();
        virtual.pass(ROUND_TRIP);
        // What is known needs no wait.
        assertThat(onEventLoop.block()).isEqualTo(lease.fencingToken());
    }

    static List<Throwable> failures() {
        return List.of(
                new IllegalStateException("10000 lock commands wait for one thread."),
                new TryAgainException("LOADING Redis is loading the dataset in memory"),
                new UnsupportedOperationException("failed on purpose"),
                new java.io.IOException("failed on purpose"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureIsThatOfTheBackendAndTheNextCallTriesAgain(Throwable cause) {
        EngineLease lease = virtual.take("name", 60_000);
        failNumbers(() -> cause);
        CompletableFuture<Long> failed = lease.tokenWithoutWaiting();
        assertBackendFailed(failed);
        assertThat(lease.isValid()).as("nothing is known against the lease").isTrue();
        assertThat(lease.knownFencingToken()).isEmpty();
        virtual.port.work();
        assertThat(lease.fencingToken()).isPositive();
        assertThat(draws()).isEqualTo(2);
    }

    @Test
    void aCallThatThrowsIsAFailureToo() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.fail((call, name) -> call == FaultyPort.Call.NUMBER, () -> new AssertionError("on purpose"));
        assertBackendFailed(lease.tokenWithoutWaiting());
        virtual.port.work();
        assertThat(lease.fencingToken()).isPositive();
    }

    @Test
    void aSilentBackendFailsTheCallAtTheCommandTimeoutAndTheNextCallTriesAgain() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(NEVER);
        CompletableFuture<Long> first = lease.tokenWithoutWaiting();
        virtual.pass(COMMAND_TIMEOUT - 1);
        assertThat(first).isNotDone();
        virtual.pass(2);
        assertBackendFailed(first);
        assertThat(lease.isValid()).isTrue();

        virtual.port.answerAfter(0);
        assertThat(lease.tokenWithoutWaiting()).isCompletedWithValue(lease.fencingToken());
        assertThat(draws()).isEqualTo(2);
    }

    /** As after a failover to a server that has lost the number. */
    @Test
    void aTokenThatIsKnownNeverChanges() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(COMMAND_TIMEOUT + 500);
        lease.tokenWithoutWaiting();
        virtual.pass(COMMAND_TIMEOUT + 100);
        String claim = lease.hold().ownership.claim().text();
        virtual.backend.forgetEverything();
        LocalCommandPort.connect(virtual.backend, "copy")
                .acquirePlain("name", claim, 60_000, false)
                .join();
        CompletableFuture<Long> second = lease.tokenWithoutWaiting();
        virtual.pass(400);
        assertThat(second).as("the first answer will do").isCompleted();
        long token = lease.fencingToken();
        virtual.pass(COMMAND_TIMEOUT + 500);
        assertThat(lease.fencingToken()).isEqualTo(token);
    }

    @Test
    void aClaimThatIsGoneIsALoss() {
        EngineLease lease = virtual.take("name", 60_000);
        List<String> told = new ArrayList<>();
        lease.onLost(lost -> told.add("lost"));
        virtual.backend.forgetEverything();
        assertNotDrawn(lease.tokenWithoutWaiting(), "lost");
        assertThat(lease.isValid()).isFalse();
        assertThat(told).containsExactly("lost");
        assertThat(virtual.engine.counters().lostLeases()).isEqualTo(1);
        assertNotDrawn(lease.tokenWithoutWaiting(), "lost");
        assertThat(draws()).isEqualTo(1);
    }

    @Test
    void anAnswerThatComesAfterTheLeaseHasEndedDoesNotCount() {
        EngineLease lease = virtual.take("name", 60_000);
        EngineLease brief = VirtualEngine.lease(virtual.ask(
                LockRequest.named("brief").tryLockTime(Duration.ZERO).holdLockTime(Duration.ofMillis(300))));
        virtual.port.answerAfter(400);
        CompletableFuture<Long> token = brief.tokenWithoutWaiting();
        virtual.pass(350);
        assertNotDrawn(token, "lost");
        virtual.pass(100);
        assertThat(brief.knownFencingToken()).isEmpty();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aReleaseEndsTheWaitAndALateAnswerConcernsNobody() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(ROUND_TRIP);
        CompletableFuture<Long> token = lease.tokenWithoutWaiting();
        virtual.pass(1);
        lease.releaseWithoutWaiting();
        assertNotDrawn(token, "released");
        CompletableFuture<LockOutcome> next = virtual.askRenewed("name", 0, 60_000);
        virtual.pass(2 * ROUND_TRIP);
        assertThat(VirtualEngine.lease(next).knownFencingToken()).isEmpty();
        assertNotDrawn(lease.tokenWithoutWaiting(), "released");
    }

    @Test
    void whoHandsTheLockOnInsideTheProcessHasASmallerToken() {
        for (boolean drawsFirst : new boolean[] {true, false}) {
            EngineLease first = virtual.take("name", 60_000);
            CompletableFuture<LockOutcome> waiter = virtual.askRenewed("name", 5_000, 60_000);
            long before = drawsFirst ? first.fencingToken() : 0;
            first.releaseWithoutWaiting();
            virtual.pass(1);
            EngineLease second = VirtualEngine.lease(waiter);
            assertThat(second.fencingToken()).isGreaterThan(before);
            assertThat(second.hold().ownership).isSameAs(first.hold().ownership);
            second.releaseWithoutWaiting();
        }
        assertThat(draws()).as("once for an ownership").isEqualTo(2);
    }

    @Test
    void aFencedAttemptThatJoinsAnOwnershipWithoutANumberEndsWithItsDraw() {
        EngineLease outer = virtual.take("name", 60_000);
        virtual.port.answerAfter(ROUND_TRIP);
        CompletableFuture<LockOutcome> attempt = fencedReentry(outer);
        assertThat(attempt).isNotDone();
        virtual.pass(ROUND_TRIP);
        assertThat(VirtualEngine.lease(attempt).knownFencingToken()).isPresent();
        assertThat(outer.knownFencingToken()).isPresent();
        assertThat(draws()).isEqualTo(1);
    }

    private CompletableFuture<LockOutcome> fencedReentry(EngineLease outer) {
        LockOwner owner = outer.hold().ownership.owner();
        return virtual.engine.acquire(
                LockRequest.named("name").tryLockTime(Duration.ZERO).fenced().build(), owner);
    }

    @Test
    void aFencedAttemptWhoseDrawFailsLeavesTheLockAsItWas() {
        EngineLease outer = virtual.take("name", 60_000);
        LockOwner owner = outer.hold().ownership.owner();
        failNumbers(() -> new java.io.IOException("failed on purpose"));
        assertThat(fencedReentry(outer).getNow(null)).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(virtual.engine.holdCount("name", owner)).isEqualTo(1);
        assertThat(outer.isValid()).isTrue();

        virtual.port.answerAfter(NEVER);
        virtual.port.work();
        CompletableFuture<LockOutcome> silent = fencedReentry(outer);
        virtual.pass(COMMAND_TIMEOUT + 1);
        assertThat(silent.getNow(null)).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(virtual.engine.holdCount("name", owner)).isEqualTo(1);

        outer.releaseWithoutWaiting();
        virtual.port.answerAfter(0);
        assertThat(virtual.engine.activeNames()).isZero();
    }

    @Test
    void aFencedWaiterWhoseDrawFailsPassesTheLockOn() {
        EngineLease first = virtual.take("name", 60_000);
        CompletableFuture<LockOutcome> fenced = virtual.ask(
                LockRequest.named("name").tryLockTime(Duration.ofSeconds(5)).fenced());
        CompletableFuture<LockOutcome> last = virtual.askRenewed("name", 5_000, 60_000);
        failNumbers(() -> new java.io.IOException("failed on purpose"));
        first.releaseWithoutWaiting();
        virtual.pass(100);
        assertThat(fenced.getNow(null)).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(VirtualEngine.lease(last).isValid()).isTrue();
    }

    @Test
    void aFencedAttemptThatIsCancelledWhileItsNumberIsDrawnHoldsNothing() {
        EngineLease outer = virtual.take("name", 60_000);
        LockOwner owner = outer.hold().ownership.owner();
        virtual.port.answerAfter(ROUND_TRIP);
        CompletableFuture<LockOutcome> attempt = fencedReentry(outer);
        boolean cancelled = attempt.cancel(true);
        virtual.pass(2 * ROUND_TRIP);
        if (cancelled) {
            assertThat(virtual.engine.holdCount("name", owner)).isEqualTo(1);
        } else {
            assertThat(VirtualEngine.lease(attempt).isValid()).isTrue();
            VirtualEngine.lease(attempt).releaseWithoutWaiting();
        }
        outer.releaseWithoutWaiting();
        virtual.pass(2 * ROUND_TRIP);
        assertThat(virtual.engine.activeNames()).isZero();
    }
}
