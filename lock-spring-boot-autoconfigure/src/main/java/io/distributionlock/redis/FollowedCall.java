package io.distributionlock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a short command, or to a longer one that follows if the first did not do. Cancelling it cancels the one that is under
 * way, and so drops it if it was not sent yet.
 */
final class FollowedCall<T> extends CompletableFuture<T> {

    private volatile CompletableFuture<?> underWay;

    private FollowedCall(CompletableFuture<?> first) {
        this.underWay = first;
    }

    /**
     * @param enough the answer, or {@code null} if the second command has to follow
     * @param second sends the second command
     */
    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> first, Function<A, @Nullable T> enough, Supplier<CompletableFuture<T>> second) {
        return of(first, enough, failure -> false, second);
    }

    /** @param refused whether a failure means that the second command has to follow */
    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> first,
            Function<A, @Nullable T> enough,
            Predicate<Throwable> refused,
            Supplier<CompletableFuture<T>> second) {
        FollowedCall<T> call = new FollowedCall<>(first);
        first.whenComplete((reply, failure) -> {
            T answer = failure == null ? enough.apply(reply) : null;
            if (answer != null || failure != null && !refused.test(failure)) {
                call.settle(answer, failure);
            } else if (!call.isDone()) {
                call.follow(second);
            }
        });
        return call;
    }

    private void follow(Supplier<CompletableFuture<T>> sender) {
        CompletableFuture<T> second;
        try {
            second = sender.get();
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
            return;
        }
        underWay = second;
        if (isCancelled()) {
            second.cancel(false);
        }
        second.whenComplete(this::settle);
    }

    private void settle(@Nullable T answer, @Nullable Throwable failure) {
        if (failure == null) {
            complete(answer);
        } else {
            completeExceptionally(failure);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        underWay.cancel(mayInterruptIfRunning);
        return cancelled;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
