package io.distributionlock.contract;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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

    private record Executor(LockKind kind, LockExecutor executor) implements LockExecutor {

        @Override
        public Set<LockKind> kinds() {
            return executor.kinds();
        }

        @Override
        public CompletableFuture<LockOutcome> acquire(LockRequest asked, LockOwner owner) {
            return executor.acquire(asked.toBuilder().kind(kind).build(), owner);
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
        public void stop(Duration timeout) {
            executor.stop(timeout);
        }
    }
}
