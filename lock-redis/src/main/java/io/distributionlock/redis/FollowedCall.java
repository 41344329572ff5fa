package io.distributionlock.redis;

import io.distributionlock.internal.Failures;
import io.distributionlock.internal.FollowingFuture;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a command that another may follow. Cancelling it cancels the one that is under way, and so drops it if it was not sent
 * yet.
 */
final class FollowedCall {

    private FollowedCall() {}

    /**
     * One command after the other, in a loop: each sent by the answer to the one before, thousands would complete one inside the other.
     *
     * @param next sends the next command; its answer says whether another follows
     * @return the answer to the last one
     */
    static CompletableFuture<Boolean> repeated(Supplier<CompletableFuture<Boolean>> next) {
        FollowingFuture<Boolean> all = new FollowingFuture<>();
        repeat(next, all);
        return all;
    }

    private static void repeat(Supplier<CompletableFuture<Boolean>> next, FollowingFuture<Boolean> all) {
        CompletableFuture<Boolean> one = Failures.caught(next);
        all.passCancelTo(one);
        one.whenComplete((another, failure) -> {
            if (failure == null && another && !all.isDone()) {
                repeat(next, all);
            } else {
                all.follow(one);
            }
        });
    }

    /** Converts the answer. */
    static <A, T> CompletableFuture<T> as(CompletableFuture<A> first, Function<A, T> form) {
        return of(first, answer -> CompletableFuture.completedFuture(form.apply(answer)));
    }

    /** @param next gives the result, or sends the command that does, knowing the first answer */
    static <A, T> CompletableFuture<T> of(CompletableFuture<A> first, Function<A, CompletableFuture<T>> next) {
        return of(
                first,
                (answer, failure) -> failure == null ? next.apply(answer) : CompletableFuture.failedFuture(failure));
    }

    /** @param next the same, also after a failure of the first command */
    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> first, BiFunction<A, @Nullable Throwable, CompletableFuture<T>> next) {
        FollowingFuture<T> call = new FollowingFuture<>();
        call.passCancelTo(first);
        first.whenComplete((answer, failure) -> {
            if (call.isDone()) {
                return;
            }
            try {
                call.follow(next.apply(answer, failure));
            } catch (RuntimeException | Error e) {
                call.completeExceptionally(e);
            }
        });
        return call;
    }
}
