package io.distributionlock.internal;

import java.lang.ref.WeakReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future in the hands of an application. However its holder ends it, be it by a cancellation or a timeout, what it stands for is
 * given up first. The library ends it by {@link #settle} and {@link #fail}.
 *
 * <p>The JDK skips a stage that was ended before its source, and nobody would release the lock that the source then brings. So an
 * attempt whose stages have all been ended by their holders is given up as well.
 *
 * <p>Asynchronous stages run on {@link UserThreads}, and not on a pool whose threads would run other tasks while they wait for this: see
 * {@link Await}.
 *
 * @hidden
 */
@Internal
public class UserFuture<T> extends CompletableFuture<T> {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<UserFuture> STATE =
            AtomicIntegerFieldUpdater.newUpdater(UserFuture.class, "state");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<UserFuture> ENDED_STAGES =
            AtomicIntegerFieldUpdater.newUpdater(UserFuture.class, "endedStages");

    private static final int OPEN = 0;
    private static final int GIVEN_UP = 1;
    private static final int SETTLED = 2;

    /** What this is a stage of, if anything. What can still bring a result is held by what brings it; a stage must not keep the others. */
    private @Nullable WeakReference<UserFuture<?>> source;

    private volatile int state;

    /** How many of the stages have been ended by their holders. */
    private volatile int endedStages;

    protected UserFuture() {}

    /** Gives up what this stands for, without ending this. Called once at most, when nobody waits for the result any more. */
    protected void giveUp() {}

    /** Whether this is given up when all its stages are. */
    protected boolean endsWithItsStages() {
        return source != null;
    }

    protected final boolean isGivenUp() {
        return state == GIVEN_UP;
    }

    /**
     * The result has come.
     *
     * @return {@code false} if nobody takes it: the holder has ended this
     */
    @SuppressWarnings("NullAway") // null is a valid result
    protected final boolean settle(@Nullable T result) {
        return STATE.compareAndSet(this, OPEN, SETTLED) && super.complete(result);
    }

    /** Ends this future with a failure. */
    protected final boolean fail(Throwable failure) {
        return STATE.compareAndSet(this, OPEN, SETTLED) && super.completeExceptionally(failure);
    }

    // ------------------------------------------------------------------ what a holder does

    @Override
    public boolean complete(T value) {
        return end(() -> super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return end(() -> super.completeExceptionally(failure));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return end(() -> super.cancel(mayInterruptIfRunning));
    }

    @Override
    public void obtrudeValue(T value) {
        end(() -> {
            super.obtrudeValue(value);
            return true;
        });
    }

    @Override
    public void obtrudeException(Throwable failure) {
        end(() -> {
            super.obtrudeException(failure);
            return true;
        });
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            if (!isDone()) {
                try {
                    complete(supplier.get());
                } catch (Throwable e) {
                    completeExceptionally(e);
                }
            }
        });
        return this;
    }

    @Override
    public CompletableFuture<T> orTimeout(long time, TimeUnit unit) {
        if (!isDone()) {
            super.orTimeout(time, unit);
            hasStageOfItsOwn();
        }
        return this;
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long time, TimeUnit unit) {
        if (!isDone()) {
            super.completeOnTimeout(value, time, unit);
            hasStageOfItsOwn();
        }
        return this;
    }

    /** The JDK adds a stage that cancels the timer. Nobody waits for it. */
    private void hasStageOfItsOwn() {
        ENDED_STAGES.incrementAndGet(this);
    }

    /** Gives up before it ends: the stages that then run may block. */
    private boolean end(BooleanSupplier how) {
        if (isDone()) {
            return how.getAsBoolean();
        }
        giveUpOnce();
        boolean ended = how.getAsBoolean();
        endSourceIfGivenUp();
        return ended;
    }

    private void giveUpOnce() {
        if (STATE.compareAndSet(this, OPEN, GIVEN_UP)) {
            giveUp();
            UserFuture<?> present = source();
            if (present != null) {
                present.stageEnded();
            }
        }
    }

    private @Nullable UserFuture<?> source() {
        return source == null ? null : source.get();
    }

    private void stageEnded() {
        while (state == SETTLED && !isDone()) {
            // The result is about to come: let it reach the stage before that ends.
            Thread.yield();
        }
        if (ENDED_STAGES.incrementAndGet(this) == getNumberOfDependents() && !isDone()) {
            giveUpOnce();
        }
    }

    private void endSourceIfGivenUp() {
        UserFuture<?> present = source();
        if (present != null && present.isGivenUp() && !present.isDone()) {
            present.endGivenUp();
        }
    }

    private void endGivenUp() {
        super.completeExceptionally(
                new CancellationException("The attempt was given up, because every stage that depended on it was"
                        + " cancelled or timed out. To keep it, attach such a stage to a copy() of the future."));
        endSourceIfGivenUp();
    }

    // ------------------------------------------------------------------ stages

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        UserFuture<U> stage = new UserFuture<>();
        if (endsWithItsStages()) {
            stage.source = new WeakReference<>(this);
        }
        return stage;
    }

    /** Completing the copy does not complete this future. */
    @Override
    public CompletableFuture<T> copy() {
        UserFuture<T> copy = (UserFuture<T>) super.copy();
        copy.source = null;
        return copy;
    }

    @Override
    public Executor defaultExecutor() {
        return UserThreads.executor();
    }
}
