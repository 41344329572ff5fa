package io.distributionlock.quorum;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.CommandListener;
import io.distributionlock.engine.CommandPort;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
import io.distributionlock.redis.RaiseReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The commands to one node, by the rules of {@link CommandPort}. */
interface NodePort extends AutoCloseable {

    void attach(CommandListener listener);

    /** Tries to acquire a lock once, without queueing. */
    CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis);

    CompletableFuture<RaiseReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds);

    CompletableFuture<ReleaseReply> release(String name, String claim, boolean bury, long keepMillis);

    List<CompletableFuture<RenewReply>> renew(List<CommandPort.Renewal> renewals);

    CompletableFuture<Boolean> isLocked(String name);

    CompletableFuture<Boolean> forceRelease(String name);

    void listen();

    @Override
    void close();
}
