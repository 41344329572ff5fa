package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call on every kind of thread. Where threads may wait, it does its work, and they run nothing else meanwhile. On an
 * event loop it does not wait: a release is sent, and anything else is refused by an error that says what to use.
 */
@Tag("threads")
class CallsOnThreadsTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final AtomicLong NUMBER = new AtomicLong();

    @AutoClose
    private static final Backends backends = new Backends();

    static Stream<Arguments> calls() {
        return Arrays.stream(BackendKind.values())
                .flatMap(backend -> Arrays.stream(CallerThread.values())
                        .filter(CallerThread::isThere)
                        .flatMap(thread ->
                                Arrays.stream(BlockingCall.values()).map(call -> Arguments.of(backend, thread, call))));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void doesItsWorkOrIsRefused(BackendKind backend, CallerThread thread, BlockingCall call) throws Exception {
        LockTemplate locks = backends.locks(backend);
        String name = "call:" + NUMBER.incrementAndGet();
        CompletableFuture<Lease> first = new CompletableFuture<>();
        CompletableFuture<Lease> second = new CompletableFuture<>();
        if (call.wait.needsLease()) {
            first.complete(locks.acquire(name));
            second.complete(locks.acquire(name + ":besides"));
        }
        BlockingCall.Target target = new BlockingCall.Target(locks, name, first, second);
        CompletableFuture<Object> result = new CompletableFuture<>();
        thread.run(backends, backend, () -> {
            try {
                result.complete(call.make(target));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        boolean refused = !thread.mayWait() && call.wait.isRefusedOnEventLoops();
        try {
            Object answer = result.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(refused).isFalse();
            if (answer instanceof CompletableFuture<?> later) {
                // If the answer came first, the stage ran on the calling thread.
                refused = !thread.mayWait() && call == BlockingCall.ACQUIRE_ASYNC_AND_BLOCK_IN_A_STAGE;
                later.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException e) {
            assertThat(refused).as(e.toString()).isTrue();
            assertThat(e.getCause())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("event loop")
                    .hasMessageContaining("Use ");
        }
        assertThat(CallerThread.STOLEN.getAndSet(null)).isNull();
        if (call.wait == BlockingCall.Wait.ASKS_AS_HOLDER || call.wait == BlockingCall.Wait.NEVER_AS_HOLDER) {
            assertThat(first.join().isValid()).isTrue();
            first.join().release();
        }
        if (call.wait.needsLease()) {
            second.join().release();
        }
        await().atMost(MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !locks.lock(name).isLocked()
                        && !locks.lock(name + ":besides").isLocked());
    }
}
