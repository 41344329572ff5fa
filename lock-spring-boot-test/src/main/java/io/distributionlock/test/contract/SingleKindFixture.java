package io.distributionlock.test.contract;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Acquires every lock as one kind, whichever kind a test requests. With it, {@link LockExecutorContract} proves of fair and of
 * write locks what it proves of plain ones.
 */
public final class SingleKindFixture implements LockFixture {

    private final LockKind kind;
    private final LockFixture fixture;

    /**
     * Acquires the locks of another fixture as this kind.
     *
     * @param kind an exclusive kind that the executors of the fixture support
     */
    public SingleKindFixture(LockKind kind, LockFixture fixture) {
        this.kind = kind;
        this.fixture = fixture;
    }

    @Override
    public LockExecutor newProcess() {
        return new Executor(kind, fixture.newProcess());
    }

    @Override
    public List<String> traces(String name) {
        return fixture.traces(name);
    }

    @Override
    public List<Probe> openProbes() {
        return fixture.openProbes();
    }

    @Override
    public void close() {
        fixture.close();
    }

    private record Executor(LockKind kind, LockExecutor executor) implements LockExecutor {

        @Override
        public Set<LockKind> kinds() {
            return executor.kinds();
        }

        @Override
        public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
            // A kind that the executor does not support has to reach it, to be refused.
            boolean supported = executor.kinds().contains(request.kind());
            return executor.acquire(supported ? request.toBuilder().kind(kind).build() : request, owner);
        }

        @Override
        public Object backend() {
            return executor.backend();
        }

        @Override
        public int holdCount(String name, LockOwner owner) {
            return executor.holdCount(name, owner, kind);
        }

        @Override
        public CompletableFuture<Boolean> isLocked(String name) {
            return executor.isLocked(name);
        }

        @Override
        public CompletableFuture<Boolean> forceRelease(String name) {
            return executor.forceRelease(name);
        }

        @Override
        public void start() {
            executor.start();
        }

        @Override
        public void stop(Duration timeout) {
            executor.stop(timeout);
        }
    }
}
