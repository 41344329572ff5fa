package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.LockBackendException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A fencing token that is drawn on demand: who waits for it. The state file {@code tokens.txt} says the rest. */
class FencingNumberTest {

    private static final int ROUND_TRIP = 5;

    private final VirtualEngine virtual = new VirtualEngine();

    private static void assertBackendFailed(CompletableFuture<Long> token) {
        assertThat(token)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessageContaining("'name'");
    }

    @Test
    void theFutureOfATokenDoesNotBlock() throws Exception {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.answerAfter(ROUND_TRIP);
        CompletableFuture<Long> token = lease.fencingTokenAsync();
        assertThat(token).isNotDone();
        assertThat(lease.knownFencingToken()).isEmpty();
        assertThat(lease.toString()).doesNotContain("fencing token");
        virtual.pass(ROUND_TRIP);
        assertThat(token.get(20, TimeUnit.SECONDS)).isEqualTo(lease.fencingToken());
        assertThat(lease.toString()).contains("fencing token " + lease.fencingToken());
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

    @Test
    void aCallThatThrowsIsAFailureToo() {
        EngineLease lease = virtual.take("name", 60_000);
        virtual.port.fail((call, name) -> call == FaultyPort.Call.NUMBER, () -> new AssertionError("on purpose"));
        assertBackendFailed(lease.tokenWithoutWaiting());
        virtual.port.work();
        assertThat(lease.fencingToken()).isPositive();
    }
}
