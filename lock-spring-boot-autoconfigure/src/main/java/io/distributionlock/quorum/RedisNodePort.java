package io.distributionlock.quorum;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.redis.RaiseFenceReply;
import io.distributionlock.redis.RedisCommandPort;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends the commands to a Redis. */
final class RedisNodePort implements NodePort {

    private final RedisCommandPort redis;

    RedisNodePort(RedisCommandPort redis) {
        this.redis = redis;
    }

    @Override
    public void attach(CommandListener listener) {
        redis.attach(listener);
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis) {
        return redis.acquire(name, claim, leaseMillis, false);
    }

    @Override
    public CompletableFuture<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
        return redis.raiseFence(name, claim, fence, leaseMillis, leastUptimeSeconds);
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long keepMillis) {
        return redis.release(name, claim, tombstone, keepMillis);
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<CommandPort.Renewal> renewals) {
        return redis.renew(renewals);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return redis.isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return redis.forceRelease(name);
    }

    @Override
    public void listen() {
        redis.listen();
    }

    @Override
    public void close() {
        redis.close();
    }
}
