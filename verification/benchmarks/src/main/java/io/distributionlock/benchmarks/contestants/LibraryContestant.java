package io.distributionlock.benchmarks.contestants;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This library, with the executor on Redis and the renewed lease that an application gets by default. */
final class LibraryContestant implements Contestant {

    private final SpringRedis redis;
    private final LockTemplate locks;
    private final LockKind kind;

    LibraryContestant(int port, LockKind kind) {
        this.redis = SpringRedis.withLibrary(port);
        this.locks = redis.bean(LockTemplate.class);
        this.kind = kind;
    }

    @Override
    public @Nullable Held acquire(String name) {
        Optional<Lease> lease = locks.tryAcquire(locks.request(name).kind(kind).build());
        return lease.isPresent() ? lease.get()::close : null;
    }

    @Override
    public SentCommands sent() {
        return redis.sent();
    }

    @Override
    public void close() {
        redis.close();
    }
}
