package io.distributionlock.quorum;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.redis.RaiseFenceReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The commands to one node, by the rules of {@link CommandPort}. */
interface NodePort extends AutoCloseable {

    void attach(CommandListener listener);

    /** Tries to acquire a lock once, without queueing. */
    CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis);

    CompletableFuture<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds);

    CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long keepMillis);

    List<CompletableFuture<RenewReply>> renew(List<CommandPort.Renewal> renewals);

    CompletableFuture<Boolean> isLocked(String name);

    CompletableFuture<Boolean> forceRelease(String name);

    void listen();

    @Override
    void close();
}
