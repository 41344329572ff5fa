package io.distributionlock.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A future for a result that one stage after another is under way to. When its holder ends it, the stage that is under way is cancelled.
 *
 * @hidden
 */
@Internal
public final class FollowingFuture<T> extends UserFuture<T> {

    private volatile @Nullable CompletableFuture<?> underWay;

    /** From now on, this stage is under way; it does not give the result. */
    public void passCancelTo(CompletableFuture<?> stage) {
        underWay = stage;
        if (isGivenUp()) {
            stage.cancel(true);
        }
    }

    /** From now on, this stage is under way and gives the result. */
    public void follow(CompletableFuture<? extends T> stage) {
        passCancelTo(stage);
        stage.whenComplete(this::finish);
    }

    /** Ends with the failure, or with the value if there is none, unless the holder has ended this. */
    public void finish(@Nullable T value, @Nullable Throwable failure) {
        if (failure == null) {
            settle(value);
        } else {
            fail(failure);
        }
    }

    @Override
    protected void giveUp() {
        CompletableFuture<?> present = underWay;
        if (present != null) {
            present.cancel(true);
        }
    }
}
