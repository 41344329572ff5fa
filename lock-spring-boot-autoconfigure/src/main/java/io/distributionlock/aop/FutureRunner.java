package io.distributionlock.aop;

import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.MultiLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the locks until the future that the method returns has ended. Does not block while it waits: if the locks are free, the
 * method runs on the caller's thread, else later on a thread of the executor.
 *
 * <p>A method with {@code @Async} is on a thread of its own already, which waits.
 */
final class FutureRunner implements CallRunner {

    private final FailureAnswers answers;
    private final LockEvents events;
    private final Supplier<Executor> executor;

    FutureRunner(FailureAnswers answers, LockEvents events, Supplier<Executor> executor) {
        this.answers = answers;
        this.events = events;
        this.executor = executor;
    }

    @Override
    public @Nullable Object run(LockedCall call) throws Throwable {
        if (call.method().async()) {
            return resultOf(call, LockTaker.take(call.locks(), call.template()));
        }
        CompletableFuture<MultiLock.Outcome> taking =
                LockTaker.takeAsync(call.locks(), call.template(), ownerFor(call), executor.get());
        return taking.isDone()
                ? resultOf(call, LockTaker.taking(taking.join(), call.locks()))
                : resultLater(call, taking);
    }

    /** A thread that holds the lock already enters it again; otherwise the work owns it, whatever thread it runs on. */
    private LockOwner ownerFor(LockedCall call) {
        boolean heldByThread = call.locks().stream()
                .anyMatch(lock -> call.template().lock(lock.name()).isHeldByCurrentThread());
        return heldByThread ? LockOwner.currentThread() : LockOwner.unique();
    }

    private CompletableFuture<@Nullable Object> resultLater(
            LockedCall call, CompletableFuture<MultiLock.Outcome> taking) {
        GuardedFuture result = new GuardedFuture();
        result.passCancelTo(taking);
        taking.whenComplete((taken, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            executor.get().execute(() -> {
                try {
                    Object own = resultOf(call, LockTaker.taking(taken, call.locks()));
                    if (own instanceof CompletionStage<?> stage) {
                        result.follow(stage);
                    } else {
                        result.complete(own);
                    }
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
        });
        return result;
    }

    private @Nullable Object resultOf(LockedCall call, Taking taking) throws Throwable {
        if (taking instanceof Taking.Refused refused) {
            return answerFor(call, refused);
        }
        HeldLocks held = new HeldLocks(call, ((Taking.Taken) taking).leases(), events);
        Object own;
        try {
            own = held.proceed();
        } catch (Throwable e) {
            held.release();
            throw e;
        }
        if (own instanceof CompletionStage<?> stage) {
            return releasedAfter(stage, held);
        }
        held.release();
        return own;
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

    /** The same result, given once the locks are free again, so that whoever sees it finds them free. */
    private CompletableFuture<@Nullable Object> releasedAfter(CompletionStage<?> own, HeldLocks held) {
        GuardedFuture result = new GuardedFuture();
        result.passCancelTo(own.toCompletableFuture());
        Thread caller = Thread.currentThread();
        own.whenComplete((value, failure) -> {
            if (Thread.currentThread() == caller) {
                finish(result, held, value, failure);
            } else {
                // Giving back may block, and this may be an event loop.
                executor.get().execute(() -> finish(result, held, value, failure));
            }
        });
        return result;
    }

    private static void finish(
            GuardedFuture result, HeldLocks held, @Nullable Object value, @Nullable Throwable failure) {
        LockLostException loss = held.releaseAndFindLoss();
        if (loss != null) {
            if (failure != null) {
                loss.addSuppressed(failure);
            }
            result.completeExceptionally(loss);
        } else if (failure != null) {
            result.completeExceptionally(failure);
        } else {
            result.complete(value);
        }
    }

    /**
     * What the caller gets. Cancelling it is passed on, but frees nothing by itself, since the work may go on; the locks are
     * given back when the method's own future has ended.
     */
    private static final class GuardedFuture extends CompletableFuture<@Nullable Object> {

        private volatile @Nullable CompletableFuture<?> behind;

        void passCancelTo(CompletableFuture<?> future) {
            behind = future;
            if (isCancelled()) {
                future.cancel(true);
            }
        }

        void follow(CompletionStage<?> stage) {
            passCancelTo(stage.toCompletableFuture());
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
