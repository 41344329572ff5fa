package io.distributionlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A future that the library returns to the application: its stages run on {@link CallbackThreads} instead of the event loop that
 * completes the source and that all locks need. A thread that waits for this future waits for the source directly, and may see
 * the result a moment before this future completes.
 *
 * @hidden
 */
@Internal
public final class OffloadedFuture<T> extends CompletableFuture<T> {

    /** Let go once this has its result: an application may keep very many futures. */
    private volatile @Nullable CompletableFuture<T> source;

    private final @Nullable Consumer<? super T> unwanted;
    /** Whether somebody follows the source instead. If nobody follows this one, it can end without a change of threads. */
    private volatile boolean direct;

    private volatile @Nullable Thread canceller;

    private OffloadedFuture(CompletableFuture<T> source, @Nullable Consumer<? super T> unwanted) {
        this.source = source;
        this.unwanted = unwanted;
    }

    /** A future with the same result. Cancelling it does not cancel the source. */
    public static <T> CompletableFuture<T> of(CompletableFuture<T> source) {
        return of(source, null);
    }

    /**
     * A future with the result of an attempt. Cancelling it cancels the attempt.
     *
     * @param unwanted receives the result if the application has completed the future itself; must not block
     */
    public static <T> CompletableFuture<T> ofAttempt(CompletableFuture<T> source, Consumer<? super T> unwanted) {
        return of(source, unwanted);
    }

    private static <T> CompletableFuture<T> of(CompletableFuture<T> source, @Nullable Consumer<? super T> unwanted) {
        if (source.isDone()) {
            return source;
        }
        OffloadedFuture<T> handedOver = new OffloadedFuture<>(source, unwanted);
        source.whenComplete(handedOver::ended);
        return handedOver;
    }

    /**
     * The source of the future, for stages that never block; the future itself if it has none. From then on the future, if it has no stages
     * of its own, ends on the thread that completes the source.
     */
    public static <T> CompletableFuture<T> source(CompletableFuture<T> future) {
        CompletableFuture<T> source = future instanceof OffloadedFuture<T> handedOver ? handedOver.source : null;
        if (source == null || future.isDone()) {
            return future;
        }
        ((OffloadedFuture<T>) future).direct = true;
        return source;
    }

    private void ended(@Nullable T result, @Nullable Throwable failure) {
        boolean hasNoStages = getNumberOfDependents() == 0;
        if (direct && hasNoStages || canceller == Thread.currentThread()) {
            finish(result, failure);
        } else {
            CallbackThreads.executor().execute(() -> finish(result, failure));
        }
    }

    @SuppressWarnings("NullAway") // null is a valid result
    private void finish(@Nullable T result, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(failure);
        } else if (!complete(result) && unwanted != null) {
            unwanted.accept(result);
        }
        source = null;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        CompletableFuture<T> attempt = source;
        if (unwanted == null || attempt == null || isDone()) {
            return super.cancel(mayInterruptIfRunning);
        }
        canceller = Thread.currentThread();
        try {
            return attempt.cancel(mayInterruptIfRunning) && (super.cancel(mayInterruptIfRunning) || isCancelled());
        } finally {
            canceller = null;
        }
    }

    /** Does not wait for a callback thread: all of them may run stages that wait for such a future. */
    @Override
    public T join() {
        CompletableFuture<T> first = source;
        if (first != null && !isDone()) {
            Await.uninterruptibly(firstEnd(first));
        }
        return first == null || isDone() ? super.join() : first.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        CompletableFuture<T> first = source;
        if (first != null && !isDone()) {
            Await.interruptibly(firstEnd(first));
        }
        return first == null || isDone() ? super.get() : first.get();
    }

    @Override
    public T get(long patience, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<T> first = source;
        if (first != null && !isDone()) {
            Await.atMost(Duration.ofNanos(unit.toNanos(patience)), firstEnd(first));
        }
        return first == null || isDone() ? super.get() : first.get();
    }

    private CompletableFuture<Boolean> firstEnd(CompletableFuture<T> first) {
        return CompletableFuture.anyOf(first, this).handle((result, failure) -> true);
    }
}
