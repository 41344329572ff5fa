package io.distributionlock.autoconfigure;

import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.RedisLockExecutor;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Makes executors for an application that keeps some of its locks elsewhere, with the settings of {@code distribution-lock.*}. An
 * annotation names the bean:
 *
 * <pre>{@code
 * @Bean(defaultCandidate = false)
 * RedisLockExecutor payments(LockExecutors executors) {
 *     return executors.redis("redis://payments-redis:6379");
 * }
 *
 * @DistributionLock(key = "pay", executor = "payments")
 * public void pay(@DistributionLockParam String order) { ... }
 * }</pre>
 *
 * <p>With {@code defaultCandidate = false}, the bean does not become the executor of the methods that name none. What is made here
 * connects on first use, a quorum in the background; connections that it opens are closed with the application.
 */
public final class LockExecutors {

    private static final Log log = LogFactory.getLog(LockExecutors.class);
    private static final String URI = "'uri' of LockExecutors.redis";

    private final LockProperties properties;
    private final OpenConnections connections;
    private final ObjectProvider<SslBundles> bundles;

    LockExecutors(LockProperties properties, OpenConnections connections, ObjectProvider<SslBundles> bundles) {
        this.properties = properties;
        this.connections = connections;
        this.bundles = bundles;
    }

    /**
     * Locks in the Redis at this address, over connections of their own. Needs Lettuce.
     *
     * @param uri {@code redis://user:password@host:6379/0}, or {@code rediss://} for TLS; of a single server
     */
    public RedisLockExecutor redis(String uri) {
        requireLettuce(URI, "Or pass a StringRedisTemplate of your own.");
        return redis(connections.add(new LockConnections(URI, List.of(uri))).template());
    }

    /** Locks in the Redis of this template, under the key prefix of the properties. */
    public RedisLockExecutor redis(StringRedisTemplate template) {
        return redis(template, properties.redis().keyPrefix());
    }

    /** An executor with another key prefix. Applications that share locks must use the same one. */
    public RedisLockExecutor redis(StringRedisTemplate template, String keyPrefix) {
        log.info("Locks are kept in Redis at " + RedisAddress.of(template.getRequiredConnectionFactory())
                + ", under keys that start with '" + keyPrefix + ":'");
        LockProperties.Redis redis = properties.redis();
        return new RedisLockExecutor(
                template, keyPrefix, properties.toEngineSettings(), redis.toReplicaAcks(), redis.toMessageSettings());
    }

    /**
     * Locks over the servers of {@code distribution-lock.quorum.*}, also where another executor is the default one. Needs Lettuce.
     */
    public QuorumLockExecutor quorum() {
        requireLettuce(LockProperties.Quorum.PREFIX + ".nodes", "");
        LockConnections servers = connections.add(LockConnections.of(properties.quorum(), bundles));
        List<QuorumNode> nodes = servers.templates().entrySet().stream()
                .map(server -> new QuorumNode(server.getKey(), server.getValue()))
                .toList();
        String keyPrefix = properties.redis().keyPrefix();
        log.info("Locks are kept in a quorum of the Redis servers " + servers.places()
                + ", under keys that start with '" + keyPrefix + ":'");
        return new QuorumLockExecutor(
                nodes, properties.quorum().toSettings(), keyPrefix, properties.toEngineSettings());
    }

    private static void requireLettuce(String what, String otherwise) {
        if (!RedisAddress.LETTUCE_PRESENT) {
            throw new BackendProblemException(
                    what + " needs Lettuce, which is not on the class path.",
                    ("Add the dependency io.lettuce:lettuce-core. " + otherwise).trim(),
                    null);
        }
    }
}
