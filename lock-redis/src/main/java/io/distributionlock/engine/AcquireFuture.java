package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.UserFuture;
import io.distributionlock.state.Hold;
import io.distributionlock.state.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The future of an attempt, which leaves its queue when its holder ends this. The engine's lock decides whether it can still be cancelled,
 * so it is never both cancelled and granted.
 *
 * @hidden
 */
@Internal
public final class AcquireFuture extends UserFuture<LockOutcome> {

    private final LockEngine engine;
    private final String name;

    /** Cleared with the outcome, because an application may keep very many futures. */
    private volatile @Nullable Waiter waiter;

    /** The hold that was granted, while its fencing number is being drawn. */
    private volatile @Nullable Hold unnumbered;

    AcquireFuture(LockEngine engine, String name) {
        this.engine = engine;
        this.name = name;
    }

    void standsFor(Waiter waiter) {
        this.waiter = waiter;
    }

    /** The hold is the outcome as soon as it has its fencing number, unless the attempt is cancelled before. */
    void awaitsNumber(Hold hold) {
        unnumbered = hold;
    }

    /**
     * The outcome has come.
     *
     * @return {@code false} if nobody takes it
     */
    boolean decide(LockOutcome outcome) {
        boolean taken = settle(outcome);
        waiter = null;
        unnumbered = null;
        return taken;
    }

    /** The engine failed. Should it grant the lock nevertheless, nobody takes it. */
    boolean decideBy(Throwable failure) {
        return fail(failure);
    }

    @Override
    protected void giveUp() {
        leaveQueue();
        waiter = null;
    }

    /** Whether nothing was decided before. */
    private boolean leaveQueue() {
        Waiter mine = waiter;
        return mine != null && engine.cancel(name, mine);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (leaveQueue()) {
            return super.cancel(mayInterruptIfRunning);
        }
        Hold granted = unnumbered;
        if (granted != null && super.cancel(mayInterruptIfRunning)) {
            engine.release(name, granted);
            return true;
        }
        return false;
    }
}
