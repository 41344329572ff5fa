package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNode;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Creates quorum executors from their properties. */
final class QuorumExecutors {

    private static final Log log = LogFactory.getLog(QuorumExecutors.class);

    private QuorumExecutors() {}

    /** @param prefix the name of the properties up to {@code .nodes} */
    static LockConnections connections(String prefix, LockProperties.Quorum quorum) {
        if (quorum.nodes().isEmpty()) {
            throw new BackendProblemException(
                    prefix + ".nodes is empty.",
                    "List the Redis servers of the quorum, better three or five, such as redis://redis-1:6379.",
                    null);
        }
        return new LockConnections(prefix + ".nodes", quorum.nodes());
    }

    static QuorumLockExecutor executor(
            LockConnections connections, LockProperties.Quorum quorum, String keyPrefix, LockProperties properties) {
        List<QuorumNode> nodes = connections.templates().entrySet().stream()
                .map(server -> new QuorumNode(server.getKey(), server.getValue()))
                .toList();
        log.info("Locks are kept in a quorum of the Redis servers " + connections.places()
                + ", under keys that start with '" + keyPrefix + ":'");
        return new QuorumLockExecutor(nodes, quorum.toSettings(), keyPrefix, properties.toEngineSettings());
    }
}
