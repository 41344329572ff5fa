package io.distributionlock.contract;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.testing.RedisProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks another executor for locks of one kind only, so that what holds for plain locks can be tried with that kind. */
public final class AskingFor implements LockFixture {

    private final LockKind kind;
    private final LockFixture fixture;

    public AskingFor(LockKind kind, LockFixture fixture) {
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
    public List<RedisProcess> servers() {
        return fixture.servers();
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
            return super.acquire(request.toBuilder().kind(kind).build(), owner);
        }
    }
}
