package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kotlinx.coroutines.Deferred;
import kotlinx.coroutines.future.FutureKt;
import org.jspecify.annotations.Nullable;

/**
 * Converts Kotlin's {@code Deferred} into a stage and back. Spring's adapter would complete on cancellation, while the work is
 * still ending. Not loaded without Kotlin.
 *
 * @hidden
 */
@Internal
public final class KotlinDeferred {

    private KotlinDeferred() {}

    /** Completes when the work has ended, not when it is cancelled. Cancelling the stage cancels the work, and waits for its end. */
    public static CompletionStage<@Nullable Object> stageOf(Object result) {
        Deferred<?> deferred = (Deferred<?>) result;
        CompletableFuture<@Nullable Object> stage = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                deferred.cancel(null);
                return false;
            }
        };
        FutureKt.asCompletableFuture(deferred).whenComplete((value, failure) -> {
            if (failure == null) {
                stage.complete(value);
            } else {
                stage.completeExceptionally(failure);
            }
        });
        return stage;
    }

    /** Completes as the stage does. Cancellation is passed on to the stage. */
    public static Object of(CompletionStage<?> stage) {
        return FutureKt.asDeferred(stage);
    }
}
