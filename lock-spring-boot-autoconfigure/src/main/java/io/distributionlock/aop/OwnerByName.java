package io.distributionlock.aop;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Takes each lock for an owner of its own, where a {@link io.distributionlock.MultiLock} names one for all. */
record OwnerByName(LockTemplate template, Function<String, LockOwner> owners) implements LockExecutor {

    @Override
    public Set<LockKind> kinds() {
        return template.kinds();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner forAll) {
        return template.acquireAsyncForWork(request, owners.apply(request.name()));
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        throw new UnsupportedOperationException("This is for attempts only.");
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        throw new UnsupportedOperationException("This is for attempts only.");
    }
}
