package io.distributionlock.test.contract;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Acquires every lock as one kind, whichever kind a test requests. With it, {@link LockExecutorContract} proves of fair locks, of
 * write locks and of a single permit what it proves of re-entrant locks.
 */
public final class SingleKindFixture implements LockFixture {

    private final LockKind kind;
    private final LockFixture fixture;

    /**
     * Acquires the locks of another fixture as this kind.
     *
     * @param kind an exclusive kind, or {@link LockKind#PERMIT} for a single one, that the executors of the fixture support
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
    public boolean tellsLossReasons() {
        return fixture.tellsLossReasons();
    }

    @Override
    public void close() {
        fixture.close();
    }

    private static final class Executor extends DelegatingLockExecutor {

        private final LockKind kind;

        Executor(LockKind kind, LockExecutor executor) {
            super(executor);
            this.kind = kind;
        }

        @Override
        public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
            // A kind that the executor does not support has to reach it, to be refused.
            boolean supported = kinds().contains(request.kind());
            return super.acquire(supported ? asKind(request.toBuilder()).build() : request, owner);
        }

        private LockRequest.Builder asKind(LockRequest.Builder request) {
            return request.kind(kind).permits(kind == LockKind.PERMIT ? 1 : 0);
        }
    }
}
