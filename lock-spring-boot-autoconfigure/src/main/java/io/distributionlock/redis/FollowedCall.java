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
     * @param second sends the second command, knowing the first answer
     */
    static <A, T> CompletableFuture<T> of(
            CompletableFuture<A> first, Function<A, @Nullable T> enough, Function<A, CompletableFuture<T>> second) {
        FollowedCall<T> call = new FollowedCall<>(first);
        first.whenComplete((reply, failure) -> {
            if (failure == null) {
                call.answered(reply, enough, second);
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
        FollowedCall<T> call = new FollowedCall<>(first);
        first.whenComplete((reply, failure) -> {
            if (failure == null) {
                call.answered(reply, enough, unused -> second.get());
            } else if (refused.test(failure)) {
                call.answered(failure, unused -> null, unused -> second.get());
            } else {
                call.completeExceptionally(failure);
            }
        });
        return call;
    }

    private <A> void answered(A reply, Function<A, @Nullable T> enough, Function<A, CompletableFuture<T>> sender) {
        try {
            T answer = enough.apply(reply);
            if (answer != null) {
                complete(answer);
            } else if (!isDone()) {
                CompletableFuture<T> second = sender.apply(reply);
                underWay = second;
                if (isCancelled()) {
                    second.cancel(false);
                }
                second.whenComplete(this::settle);
            }
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
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
