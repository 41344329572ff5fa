package io.distributionlock.redis;

import io.distributionlock.internal.FollowingFuture;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a short command, or to a longer one that follows if the first did not do. Cancelling it cancels the one that is under
 * way, and so drops it if it was not sent yet.
 */
final class FollowedCall {

    private FollowedCall() {}

    /**
     * @param enough the answer, or {@code null} if the second command has to follow
     * @param second sends the second command, knowing the first answer
     */
    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> first, Function<A, @Nullable T> enough, Function<A, CompletableFuture<T>> second) {
        FollowingFuture<T> call = new FollowingFuture<>();
        call.passCancelTo(first);
        first.whenComplete((reply, failure) -> {
            if (failure == null) {
                answered(call, reply, enough, second);
            } else {
                call.completeExceptionally(failure);
            }
        });
        return call;
    }

    /** The second command also follows a failure that means that the first was refused. */
    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> first,
            Function<A, @Nullable T> enough,
            Predicate<Throwable> refused,
            Supplier<CompletableFuture<T>> second) {
        FollowingFuture<T> call = new FollowingFuture<>();
        call.passCancelTo(first);
        first.whenComplete((reply, failure) -> {
            if (failure == null) {
                answered(call, reply, enough, unused -> second.get());
            } else if (refused.test(failure)) {
                answered(call, failure, unused -> null, unused -> second.get());
            } else {
                call.completeExceptionally(failure);
            }
        });
        return call;
    }

    private static <A, T> void answered(
            FollowingFuture<T> call,
            A reply,
            Function<A, @Nullable T> enough,
            Function<A, CompletableFuture<T>> second) {
        try {
            T answer = enough.apply(reply);
            if (answer != null) {
                call.complete(answer);
            } else if (!call.isDone()) {
                call.follow(second.apply(reply));
            }
        } catch (RuntimeException | Error e) {
            call.completeExceptionally(e);
        }
    }
}
