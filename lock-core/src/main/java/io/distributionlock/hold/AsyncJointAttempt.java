package io.distributionlock.hold;

import io.distributionlock.MultiLock;
import java.util.concurrent.CompletableFuture;

/** A {@link JointAttempt} that no thread waits for: begins each round when the one before is answered. */
final class AsyncJointAttempt extends CompletableFuture<MultiLock.Outcome> {

    private final JointAttempt attempt;

    AsyncJointAttempt(JointAttempt attempt) {
        this.attempt = attempt;
    }

    void proceed() {
        boolean goesOn = true;
        while (goesOn) {
            CompletableFuture<?> answered = attempt.beginRound();
            if (isDone()) {
                attempt.cancelRound();
            }
            if (!answered.isDone()) {
                answered.whenComplete((unused, failure) -> {
                    if (settle()) {
                        proceed();
                    }
                });
                return;
            }
            goesOn = settle();
        }
    }

    /** @return whether another round is needed */
    private boolean settle() {
        try {
            attempt.settleRound();
        } catch (RuntimeException e) {
            completeExceptionally(e);
            return false;
        }
        MultiLock.Outcome outcome = attempt.outcome();
        if (outcome == null && !isDone()) {
            return true;
        }
        if (outcome == null || !complete(outcome)) {
            // Cancelled meanwhile.
            attempt.releaseAll();
        }
        return false;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            attempt.cancelRound();
        }
        return cancelled;
    }
}
