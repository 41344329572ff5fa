package io.distributionlock.interceptor;

import io.distributionlock.LockLostException;
import io.distributionlock.MultiLock;
import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.hold.LockScope.EnclosingTransaction;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.FollowingFuture;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the locks until the future that the method returns has completed, and the caller's transaction has ended. Does not block:
 * if the locks are held when the attempt returns, the method runs on the caller's thread; otherwise it runs later, with the caller's
 * context, on a thread of the executor.
 *
 * <p>Cancelling the result ends the attempt, but not the method's own future: the completion of one that was cancelled does not say
 * whether its work has ended, and only that may release the locks.
 *
 * <p>A method with {@code @Async} already runs on a separate thread, which waits.
 */
final class FutureRunner extends CallRunner {

    private final Executor executor;

    FutureRunner(FailureAnswers answers, Supplier<LockScope> scope, Executor executor) {
        super(answers, scope);
        this.executor = executor;
    }

    @Override
    @Nullable
    Object run(LockInvocationContext call) throws Throwable {
        EnclosingTransaction transaction = scope().enclosingTransaction(call);
        AsyncLockScope entry =
                AsyncLockScope.of(call, CurrentLocks.all(), transaction == null ? Set.of() : Set.of(transaction));
        if (call.method().async()) {
            return resultOf(call, AttemptResult.acquire(call, entry::ownerOf), entry);
        }
        long start = System.nanoTime();
        CompletableFuture<MultiLock.Outcome> attempt = AttemptResult.acquireAsync(call, entry::ownerOf);
        return attempt.isDone() && !attempt.isCompletedExceptionally()
                ? resultOf(call, AttemptResult.of(Await.uninterruptibly(attempt), call, start), entry)
                : resultLater(call, attempt, entry, start);
    }

    private CompletableFuture<@Nullable Object> resultLater(
            LockInvocationContext call,
            CompletableFuture<MultiLock.Outcome> attempt,
            AsyncLockScope entry,
            long start) {
        FollowingFuture<@Nullable Object> result = new FollowingFuture<>();
        result.passCancelTo(attempt);
        Executor asCaller = CallerContext.captured().on(executor);
        attempt.whenComplete((outcome, failure) -> {
            asCaller.execute(() -> {
                if (failure != null) {
                    result.finish(null, failure);
                    return;
                }
                try {
                    Object own = resultOf(call, AttemptResult.of(outcome, call, start), entry);
                    if (own instanceof CompletionStage<?> stage) {
                        stage.whenComplete(result::finish);
                    } else {
                        result.finish(null, call.nothingReturned());
                    }
                } catch (Throwable e) {
                    result.finish(null, e);
                }
            });
        });
        return result;
    }

    private @Nullable Object resultOf(LockInvocationContext call, AttemptResult attempted, AsyncLockScope entry)
            throws Throwable {
        AttemptResult.Failed refused = attempted.refused();
        if (refused != null) {
            return answerFor(call, refused);
        }
        HeldLocks held = call.holding(attempted.leases(), scope());
        Object own;
        try {
            entry.acquired(held);
            own = held.run(() -> call.proceed(held));
            awaitEndOfAsync(own, call);
        } catch (Throwable e) {
            held.failed();
            held.release();
            throw e;
        }
        if (own instanceof CompletionStage<?> stage) {
            return releasedAfter(stage, held);
        }
        held.release();
        return own;
    }

    /**
     * Waits as the advice of {@code @Async} does next, which takes the value out of the future. Cancelling what that advice returned
     * interrupts the thread, but not the work of the future.
     */
    private static void awaitEndOfAsync(@Nullable Object own, LockInvocationContext call) {
        if (!call.method().async() || !(own instanceof Future<?> future) || own instanceof CompletionStage) {
            return;
        }
        boolean interrupted = false;
        while (!future.isDone()) {
            try {
                future.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException | CancellationException e) {
                // The advice reports it.
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Object answerFor(LockInvocationContext call, AttemptResult.Failed refused) throws Throwable {
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
     * Returns the result, completed after the release: code that sees it finds the locks free, unless a transaction keeps them.
     */
    private CompletableFuture<@Nullable Object> releasedAfter(CompletionStage<?> own, HeldLocks held) {
        FollowingFuture<@Nullable Object> result = new FollowingFuture<>();
        Thread caller = Thread.currentThread();
        try {
            own.whenComplete((value, failure) -> {
                if (failure != null) {
                    held.failed();
                }
                if (Thread.currentThread() == caller) {
                    finish(result, held.releaseAndFindLoss(), value, failure);
                } else {
                    // The release must not wait for a thread; stages of the result may block, and see what they would
                    // without a lock.
                    Executor asHere = CallerContext.captured().on(executor);
                    held.releaseAndFindLossAsync()
                            .whenComplete((loss, unused) -> asHere.execute(() -> finish(result, loss, value, failure)));
                }
            });
        } catch (Throwable e) {
            // The stage will never report its end.
            held.failed();
            finish(result, held.releaseAndFindLoss(), null, e);
        }
        return result;
    }

    private static void finish(
            FollowingFuture<@Nullable Object> result,
            @Nullable LockLostException loss,
            @Nullable Object value,
            @Nullable Throwable failure) {
        if (loss != null && failure != null) {
            loss.addSuppressed(failure);
        }
        result.finish(value, loss == null ? failure : loss);
    }
}
