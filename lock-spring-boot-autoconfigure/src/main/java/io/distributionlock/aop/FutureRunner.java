package io.distributionlock.aop;

import io.distributionlock.Await;
import io.distributionlock.HeldLocks;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.LockSurroundings;
import io.distributionlock.LockSurroundings.Surrounding;
import io.distributionlock.MultiLock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the locks until the future that the method returns has ended, and the transaction that the caller is in. Does not block while it waits: if the locks are free, the
 * method runs on the caller's thread, else later on a thread of the executor, or on one of the library's own if that takes no task.
 *
 * <p>A method with {@code @Async} is on a thread of its own already, which waits.
 */
final class FutureRunner implements CallRunner {

    private final FailureAnswers answers;
    private final Supplier<LockSurroundings> surroundings;
    private final Executor elsewhere;

    FutureRunner(FailureAnswers answers, Supplier<LockSurroundings> surroundings, Supplier<Executor> executor) {
        this.answers = answers;
        this.surroundings = surroundings;
        this.elsewhere = new ElsewhereExecutor(executor);
    }

    @Override
    public @Nullable Object run(LockedCall call) throws Throwable {
        Object result = start(call);
        return call.method().returnShape() == ReturnShape.DEFERRED && result instanceof CompletionStage<?> stage
                ? KotlinDeferred.of(stage)
                : result;
    }

    private @Nullable Object start(LockedCall call) throws Throwable {
        AsyncEntry entry = enter(call);
        if (call.method().async()) {
            return resultOf(call, LockTaker.take(call.toTake(), call.template(), entry.owner()), entry);
        }
        CompletableFuture<MultiLock.Outcome> taking = LockTaker.takeAsync(call.toTake(), call.template(), entry);
        return taking.isDone() && !taking.isCompletedExceptionally()
                ? resultOf(call, LockTaker.taking(Await.uninterruptibly(taking), call.toTake()), entry)
                : resultLater(call, taking, entry);
    }

    /** A thread that holds the lock already enters it again, while it is inside; otherwise the work owns it, whatever thread it runs on. */
    private AsyncEntry enter(LockedCall call) {
        Surrounding surrounding = surroundings.get().current(call);
        Set<Surrounding> all = surrounding == null ? Set.of() : Set.of(surrounding);
        boolean byThread = call.method().async()
                || call.namesToTake().stream()
                        .anyMatch(name -> call.template().holdCount(name, LockOwner.currentThread()) > 0);
        return byThread ? AsyncEntry.ofThread(all) : AsyncEntry.of(call.namesToTake(), Map.of(), all);
    }

    private CompletableFuture<@Nullable Object> resultLater(
            LockedCall call, CompletableFuture<MultiLock.Outcome> taking, AsyncEntry entry) {
        GuardedFuture result = new GuardedFuture();
        result.passCancelTo(taking);
        taking.whenComplete((taken, failure) -> {
            elsewhere.execute(() -> {
                if (failure != null) {
                    entry.over();
                    result.completeExceptionally(failure);
                    return;
                }
                try {
                    Object own = resultOf(call, LockTaker.taking(taken, call.toTake()), entry);
                    CompletionStage<?> stage = stageOf(own, call);
                    if (stage == null) {
                        result.completeExceptionally(call.nothingReturned());
                    } else {
                        result.follow(stage);
                    }
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
        });
        return result;
    }

    private @Nullable Object resultOf(LockedCall call, Taking taking, AsyncEntry entry) throws Throwable {
        if (taking instanceof Taking.Refused refused) {
            entry.over();
            return answerFor(call, refused);
        }
        HeldLocks held = call.holding(((Taking.Taken) taking).leases(), surroundings.get());
        Object own;
        try {
            entry.got(held);
            own = held.run(() -> call.proceed(held));
        } catch (Throwable e) {
            held.release();
            entry.over();
            throw e;
        }
        CompletionStage<?> stage = stageOf(own, call);
        if (stage != null) {
            entry.goesOn(held);
            return releasedAfter(stage, call, held, entry);
        }
        held.release();
        entry.over();
        call.method().requireFinished(own);
        return own;
    }

    private static @Nullable CompletionStage<?> stageOf(@Nullable Object own, LockedCall call) {
        if (own instanceof CompletionStage<?> stage) {
            return stage;
        }
        return own != null && call.method().returnShape() == ReturnShape.DEFERRED ? KotlinDeferred.stageOf(own) : null;
    }

    private @Nullable Object answerFor(LockedCall call, Taking.Refused refused) throws Throwable {
        if (answers.proceedsWithoutLock(call, refused)) {
            return call.invocation().proceed();
        }
        try {
            return answers.answer(call, refused);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The same result, given once the call has let go of its locks, so that whoever sees it finds them free, or, in a
     * transaction, may enter them again.
     */
    private CompletableFuture<@Nullable Object> releasedAfter(
            CompletionStage<?> own, LockedCall call, HeldLocks held, AsyncEntry entry) {
        GuardedFuture result = new GuardedFuture();
        Thread caller = Thread.currentThread();
        try {
            own.whenComplete((value, failure) -> {
                if (Thread.currentThread() == caller) {
                    finish(result, call, held.releaseAndFindLoss(), entry, value, failure);
                } else {
                    // Whoever waits for the locks must not wait for a thread here; whoever sees the result may block.
                    held.releaseAndFindLossAsync()
                            .whenComplete((loss, unused) ->
                                    elsewhere.execute(() -> finish(result, call, loss, entry, value, failure)));
                }
            });
        } catch (Throwable e) {
            // The stage will never tell when it has ended.
            finish(result, call, held.releaseAndFindLoss(), entry, null, e);
        }
        result.passCancelTo(own);
        return result;
    }

    private static void finish(
            GuardedFuture result,
            LockedCall call,
            @Nullable LockLostException loss,
            AsyncEntry entry,
            @Nullable Object value,
            @Nullable Throwable failure) {
        entry.over();
        if (loss != null) {
            if (failure != null) {
                loss.addSuppressed(failure);
            }
            result.completeExceptionally(loss);
        } else if (failure != null) {
            result.completeExceptionally(failure);
        } else {
            complete(result, value, call);
        }
    }

    private static void complete(GuardedFuture result, @Nullable Object value, LockedCall call) {
        try {
            call.method().requireFinished(value);
            result.complete(value);
        } catch (InvalidLockDefinitionException e) {
            result.completeExceptionally(e);
        }
    }

    /**
     * What the caller gets. Cancelling it is passed on, but frees nothing by itself, since the work may go on; the locks are
     * given back when the method's own future has ended.
     */
    private static final class GuardedFuture extends CompletableFuture<@Nullable Object> {

        private volatile @Nullable CompletableFuture<?> behind;

        void passCancelTo(CompletionStage<?> stage) {
            CompletableFuture<?> future = cancellable(stage);
            behind = future;
            if (future != null && isCancelled()) {
                future.cancel(true);
            }
        }

        /** A stage need not be convertible; then there is nothing to cancel. */
        private static @Nullable CompletableFuture<?> cancellable(CompletionStage<?> stage) {
            try {
                return stage.toCompletableFuture();
            } catch (RuntimeException e) {
                return null;
            }
        }

        void follow(CompletionStage<?> stage) {
            passCancelTo(stage);
            stage.whenComplete((value, failure) -> {
                if (failure != null) {
                    completeExceptionally(failure);
                } else {
                    complete(value);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<?> next = behind;
            if (cancelled && next != null) {
                next.cancel(mayInterruptIfRunning);
            }
            return cancelled;
        }
    }
}
