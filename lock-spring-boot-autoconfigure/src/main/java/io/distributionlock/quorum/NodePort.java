package io.distributionlock.quorum;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.redis.RaiseFenceReply;
import java.util.concurrent.CompletableFuture;

/** The commands to one node. */
interface NodePort extends CommandPort {

    CompletableFuture<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds);
}
