package io.distributionlock.benchmarks.micro;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Gives the lock of one name to the only thread that asks for it, at once and without making an object, so that what is measured
 * around it is the advice alone.
 */
final class GrantingExecutor implements LockExecutor {

    private final String name;
    private final CompletableFuture<LockOutcome> granted;

    GrantingExecutor(String name) {
        this.name = name;
        this.granted = CompletableFuture.completedFuture(new LockOutcome.Acquired(new FreeLease(name)));
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        if (!request.name().equals(name)) {
            throw new IllegalArgumentException(
                    "The benchmark has only the lock '" + name + "', not '" + request.name() + "'.");
        }
        return granted;
    }

    @Override
    public int holdCount(String asked, LockOwner owner) {
        return 0;
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String asked) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public void stop(Duration timeout) {}

    private record FreeLease(String name) implements Lease {

        @Override
        public long fencingToken() {
            return 1;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(1);
        }

        @Override
        public boolean confirm() {
            return true;
        }

        @Override
        public boolean extend(Duration holdLockTime) {
            return true;
        }

        @Override
        public void onLost(Consumer<? super Lease> listener) {}

        @Override
        public ReleaseResult release() {
            return ReleaseResult.RELEASED;
        }
    }
}
