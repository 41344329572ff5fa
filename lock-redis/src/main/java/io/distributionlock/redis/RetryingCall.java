package io.distributionlock.redis;

import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A call that is sent again for a while, with growing pauses, when Redis refuses it for the moment. Not for an acquire: only the
 * engine knows how long that may be repeated.
 */
final class RetryingCall {

    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long MAX_PAUSE_MILLIS = 200;

    /** Shorter than the usual command timeout, so that callers learn the cause. */
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private RetryingCall() {}

    /**
     * @param first the call that was sent already
     * @param sender sends it once more; never blocks
     * @param timer delays repetitions; the one of CompletableFuture would keep the application's class loader alive for ever
     */
    static <T> CompletableFuture<T> of(
            CompletableFuture<T> first, Supplier<CompletableFuture<T>> sender, ScheduledExecutorService timer) {
        return repeated(first, sender, timer, System.nanoTime(), FIRST_PAUSE_MILLIS);
    }

    private static <T> CompletableFuture<T> repeated(
            CompletableFuture<T> sent,
            Supplier<CompletableFuture<T>> sender,
            ScheduledExecutorService timer,
            long start,
            long pauseMillis) {
        return FollowedCall.of(sent, (answer, failure) -> {
            if (failure == null
                    || !(Failures.unwrapped(failure) instanceof TryAgainException)
                    || timer.isShutdown()
                    || System.nanoTime() - start >= MAX_NANOS) {
                return sent;
            }
            CompletableFuture<Void> pause = CompletableFuture.runAsync(
                    () -> {}, task -> timer.schedule(task, pauseMillis, TimeUnit.MILLISECONDS));
            CompletableFuture<T> again = FollowedCall.of(pause, over -> sender.get());
            return repeated(again, sender, timer, start, Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS));
        });
    }
}
