package io.distributionlock.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A future for a result that one stage after another is under way to. Cancelling it cancels the stage that is under way; the stages that
 * depend on it are ordinary futures.
 *
 * @hidden
 */
@Internal
public final class FollowingFuture<T> extends CompletableFuture<T> {

    private volatile @Nullable CompletableFuture<?> underWay;

    /** From now on, this stage is under way; it does not give the result. */
    public void passCancelTo(CompletableFuture<?> stage) {
        underWay = stage;
        if (isCancelled()) {
            stage.cancel(true);
        }
    }

    /** From now on, this stage is under way and gives the result. */
    public void follow(CompletableFuture<? extends T> stage) {
        passCancelTo(stage);
        stage.whenComplete(this::complete);
    }

    /** Completes with the failure, or with the value if there is none. */
    @SuppressWarnings("NullAway") // null is a valid result
    public void complete(@Nullable T value, @Nullable Throwable failure) {
        if (failure == null) {
            complete(value);
        } else {
            completeExceptionally(failure);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        CompletableFuture<?> present = underWay;
        if (cancelled && present != null) {
            present.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
