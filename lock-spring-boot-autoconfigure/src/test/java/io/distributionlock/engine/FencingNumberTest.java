package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.LockBackendException;
import io.distributionlock.backend.TryAgainException;
import java.time.Duration;
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

/** A fencing token that is drawn on demand: who waits for it, and what fails. */
class FencingNumberTest {

    private static final int ROUND_TRIP = 5;

    private final VirtualEngine virtual = new VirtualEngine();

    private long draws() {
        return virtual.port.sent.stream().filter("NUMBER name"::equals).count();
    }

    private void failNumbers(Supplier<Throwable> what) {
        virtual.port.failAnswers((call, name) -> call == FaultyPort.Call.NUMBER, what);
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
}
