package io.distributionlock;

import io.distributionlock.testing.HeldLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Answers only when a number of commands have been sent: then all of them at once. Its locks are always free. */
public final class GatheringExecutor implements LockExecutor {

    private final int size;
    private final boolean onlyBlocking;
    private final List<Runnable> answers = new ArrayList<>();
    private int roundTrips;

    public GatheringExecutor(int size) {
        this(size, false);
    }

    /** @param onlyBlocking whether its leases have no asynchronous release of their own */
    GatheringExecutor(int size, boolean onlyBlocking) {
        this.size = size;
        this.onlyBlocking = onlyBlocking;
    }

    /** How often all commands were answered. */
    public synchronized int roundTrips() {
        return roundTrips;
    }

    private synchronized <T> CompletableFuture<T> answerWithTheOthers(T value) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        answers.add(() -> answer.complete(value));
        if (answers.size() == size) {
            roundTrips++;
            List<Runnable> due = List.copyOf(answers);
            answers.clear();
            due.forEach(Runnable::run);
        }
        return answer;
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return answerWithTheOthers(new LockOutcome.Acquired(
                onlyBlocking ? new OnlyBlocking(request.name()) : new Gathered(request.name())));
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return 0;
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return CompletableFuture.completedFuture(false);
    }

    private final class Gathered extends HeldLease {

        Gathered(String name) {
            super(name);
        }

        @Override
        public ReleaseResult release() {
            return releaseAsync().join();
        }

        @Override
        public CompletableFuture<ReleaseResult> releaseAsync() {
            return answerWithTheOthers(ReleaseResult.RELEASED);
        }
    }

    private final class OnlyBlocking extends HeldLease {

        OnlyBlocking(String name) {
            super(name);
        }

        @Override
        public ReleaseResult release() {
            return answerWithTheOthers(ReleaseResult.RELEASED).join();
        }
    }
}
