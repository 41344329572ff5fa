package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A future as the application gets it: what hangs on it runs on {@link CallbackThreads}, and not where the answer came in, which
 * is the event loop that all locks need. Who waits for it waits for its source, which costs no detour, and may know the answer a
 * moment before the future is complete.
 */
public final class HandedOver<T> extends CompletableFuture<T> {

    private final CompletableFuture<T> source;
    private final @Nullable Consumer<? super T> unwanted;
    private volatile boolean direct;
    private volatile @Nullable Thread canceller;

    private HandedOver(CompletableFuture<T> source, @Nullable Consumer<? super T> unwanted) {
        this.source = source;
        this.unwanted = unwanted;
    }

    /** The same answer. Cancelling it only means that nobody is told. */
    public static <T> CompletableFuture<T> of(CompletableFuture<T> source) {
        return of(source, null);
    }

    /**
     * The same end of an attempt. Cancelling it cancels the attempt.
     *
     * @param unwanted takes what was got although somebody had completed the future by other means; must not block
     */
    static <T> CompletableFuture<T> ofAttempt(CompletableFuture<T> source, Consumer<? super T> unwanted) {
        return of(source, unwanted);
    }

    private static <T> CompletableFuture<T> of(CompletableFuture<T> source, @Nullable Consumer<? super T> unwanted) {
        if (source.isDone()) {
            return source;
        }
        HandedOver<T> handedOver = new HandedOver<>(source, unwanted);
        source.whenComplete(handedOver::ended);
        return handedOver;
    }

    /** The future behind, for whoever hangs nothing on it that could block; the future itself if there is none. */
    public static <T> CompletableFuture<T> source(CompletableFuture<T> future) {
        if (future instanceof HandedOver<T> handedOver && !handedOver.isDone()) {
            handedOver.direct = true;
            return handedOver.source;
        }
        return future;
    }

    private void ended(@Nullable T result, @Nullable Throwable failure) {
        if (direct || canceller == Thread.currentThread()) {
            tell(result, failure);
        } else {
            CallbackThreads.executor().execute(() -> tell(result, failure));
        }
    }

    @SuppressWarnings("NullAway") // null may be the answer
    private void tell(@Nullable T result, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(failure);
        } else if (!complete(result) && unwanted != null) {
            unwanted.accept(result);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (unwanted == null || isDone()) {
            return super.cancel(mayInterruptIfRunning);
        }
        canceller = Thread.currentThread();
        try {
            return source.cancel(mayInterruptIfRunning) && (super.cancel(mayInterruptIfRunning) || isCancelled());
        } finally {
            canceller = null;
        }
    }

    /** Does not wait for a callback thread: they may all be busy with stages that wait for a future like this one. */
    @Override
    public T join() {
        if (!isDone()) {
            Await.uninterruptibly(firstEnd());
        }
        return isDone() ? super.join() : source.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            Await.interruptibly(firstEnd());
        }
        return isDone() ? super.get() : source.get();
    }

    @Override
    public T get(long patience, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!isDone()) {
            Await.atMost(Duration.ofNanos(unit.toNanos(patience)), firstEnd());
        }
        return isDone() ? super.get() : source.get();
    }

    private CompletableFuture<Boolean> firstEnd() {
        return CompletableFuture.anyOf(source, this).handle((result, failure) -> true);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
