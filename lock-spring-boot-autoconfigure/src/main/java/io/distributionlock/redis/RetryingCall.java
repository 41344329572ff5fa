package io.distributionlock.redis;

import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that is sent again for a while, with growing pauses, when Redis refuses it for the moment. Not for an acquire: only the
 * engine knows how long that may be repeated.
 */
final class RetryingCall<T> extends CompletableFuture<T> {

    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 200;

    /** Shorter than the usual command timeout, so that callers learn the cause. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Supplier<CompletableFuture<T>> sender;
    private final ScheduledExecutorService timer;
    private final long start = System.nanoTime();
    private volatile @Nullable CompletableFuture<T> inFlight;

    private RetryingCall(Supplier<CompletableFuture<T>> sender, ScheduledExecutorService timer) {
        this.sender = sender;
        this.timer = timer;
    }

    /**
     * @param first the call that was sent already
     * @param sender sends it once more; never blocks
     * @param timer delays repetitions; the one of CompletableFuture would keep the application's class loader alive for ever
     */
    static <T> CompletableFuture<T> of(
            CompletableFuture<T> first, Supplier<CompletableFuture<T>> sender, ScheduledExecutorService timer) {
        RetryingCall<T> call = new RetryingCall<>(sender, timer);
        call.await(first, FIRST_PAUSE_MILLIS);
        return call;
    }

    private void await(CompletableFuture<T> sent, long pauseMillis) {
        inFlight = sent;
        if (isCancelled()) {
            sent.cancel(false);
        }
        sent.whenComplete((reply, wrapped) -> {
            Throwable failure = wrapped == null ? null : Failures.unwrapped(wrapped);
            if (failure == null) {
                complete(reply);
            } else if (failure instanceof TryAgainException && System.nanoTime() - start < LONGEST_NANOS) {
                sendAgainAfter(pauseMillis, failure);
            } else {
                completeExceptionally(failure);
            }
        });
    }

    private void sendAgainAfter(long pauseMillis, Throwable failure) {
        try {
            timer.schedule(() -> sendAgain(pauseMillis), pauseMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Closed.
            completeExceptionally(failure);
        }
    }

    private void sendAgain(long pauseMillis) {
        if (!isDone()) {
            try {
                await(sender.get(), Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS));
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        CompletableFuture<T> sent = inFlight;
        if (cancelled && sent != null) {
            sent.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
