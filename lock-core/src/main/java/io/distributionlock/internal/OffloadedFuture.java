package io.distributionlock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A future that the library returns to the application: it ends on one of {@link UserThreads}, as its stages may block, instead of the
 * event loop that completes the source and that all locks need.
 *
 * @hidden
 */
@Internal
public final class OffloadedFuture<T> extends UserFuture<T> {

    /** Let go once this has its result: an application may keep very many futures. */
    private volatile @Nullable CompletableFuture<T> source;

    private final @Nullable Consumer<? super T> unwanted;
    /** Whether somebody follows the source instead. If nobody follows this one, it can end without a change of threads. */
    private volatile boolean direct;

    private OffloadedFuture(CompletableFuture<T> source, @Nullable Consumer<? super T> unwanted) {
        this.source = source;
        this.unwanted = unwanted;
    }

    /** A future with the same result. Whatever ends it leaves the source as it is. */
    public static <T> CompletableFuture<T> of(CompletableFuture<T> source) {
        return of(source, null);
    }

    /**
     * A future with the result of an attempt, which is cancelled when the application ends the future.
     *
     * @param unwanted receives the result if it comes nevertheless; must not block
     */
    public static <T> CompletableFuture<T> ofAttempt(CompletableFuture<T> source, Consumer<? super T> unwanted) {
        return of(source, unwanted);
    }

    private static <T> CompletableFuture<T> of(CompletableFuture<T> given, @Nullable Consumer<? super T> unwanted) {
        CompletableFuture<T> source = source(given);
        OffloadedFuture<T> handedOver = new OffloadedFuture<>(source, unwanted);
        if (source.isDone()) {
            source.whenComplete(handedOver::finish);
        } else {
            source.whenComplete(handedOver::ended);
        }
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
        if (direct && getNumberOfDependents() == 0) {
            finish(result, failure);
        } else {
            UserThreads.executor().execute(() -> finish(result, failure));
        }
    }

    private void finish(@Nullable T result, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
        } else if (!settle(result) && unwanted != null) {
            unwanted.accept(result);
        }
        source = null;
    }

    @Override
    protected boolean endsWithItsStages() {
        return unwanted != null;
    }

    @Override
    protected void giveUp() {
        CompletableFuture<T> attempt = source;
        if (unwanted != null && attempt != null) {
            attempt.cancel(true);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        CompletableFuture<T> attempt = source;
        if (unwanted == null || attempt == null || isDone()) {
            return super.cancel(mayInterruptIfRunning);
        }
        return attempt.cancel(mayInterruptIfRunning) && (super.cancel(mayInterruptIfRunning) || isCancelled());
    }
}
