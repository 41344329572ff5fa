package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of an attempt. Whether it can still be cancelled is decided under the engine's lock, so never both. */
final class Attempt extends CompletableFuture<LockOutcome> {

    private final LockEngine engine;
    private final String name;
    private @Nullable Waiter waiter;

    Attempt(LockEngine engine, String name) {
        this.engine = engine;
        this.name = name;
    }

    void standsFor(Waiter waiter) {
        this.waiter = waiter;
    }

    /** Whether this very hold is what it came to. */
    boolean hasGot(Hold hold) {
        return isDone()
                && !isCompletedExceptionally()
                && getNow(null) instanceof LockOutcome.Acquired acquired
                && acquired.lease() instanceof EngineLease lease
                && lease.hold() == hold;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        Waiter mine = waiter;
        return mine != null && engine.leave(name, mine) && super.cancel(mayInterruptIfRunning);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        // What is derived from an attempt is an ordinary future: cancelling it does not cancel the attempt.
        return new CompletableFuture<>();
    }
}
