package io.distributionlock.redis;

import io.distributionlock.engine.TryAgainException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that is sent again for a while, at growing distances, when Redis says that it cannot run it yet. An acquire is not one:
 * the engine knows how long that may be repeated.
 */
final class PatientCall<T> extends CompletableFuture<T> {

    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 200;

    /** Shorter than the command timeout usually is, so that who waits hears why. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Supplier<CompletableFuture<T>> sender;
    private final long start = System.nanoTime();
    private volatile @Nullable CompletableFuture<T> underWay;

    private PatientCall(Supplier<CompletableFuture<T>> sender) {
        this.sender = sender;
    }

    /**
     * @param first what was sent already
     * @param sender sends it once more; never blocks
     */
    static <T> CompletableFuture<T> of(CompletableFuture<T> first, Supplier<CompletableFuture<T>> sender) {
        PatientCall<T> call = new PatientCall<>(sender);
        call.await(first, FIRST_PAUSE_MILLIS);
        return call;
    }

    private void await(CompletableFuture<T> sent, long pauseMillis) {
        underWay = sent;
        if (isCancelled()) {
            sent.cancel(false);
        }
        sent.whenComplete((reply, failure) -> {
            if (failure == null) {
                complete(reply);
            } else if (failure instanceof TryAgainException && System.nanoTime() - start < LONGEST_NANOS) {
                later(pauseMillis).execute(() -> sendAgain(pauseMillis));
            } else {
                completeExceptionally(failure);
            }
        });
    }

    private static Executor later(long millis) {
        return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run);
    }

    private void sendAgain(long pauseMillis) {
        if (!isDone()) {
            await(sender.get(), Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS));
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        CompletableFuture<T> sent = underWay;
        if (cancelled && sent != null) {
            sent.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
