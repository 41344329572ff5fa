package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.local.UnguardedLockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.RedisLockExecutor;
import java.util.List;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Creates the beans of one of {@code distribution-lock.executors}, for {@link NamedExecutorRegistrar}. */
final class NamedExecutors {

    private static final Log log = LogFactory.getLog(NamedExecutors.class);

    private NamedExecutors() {}

    static LockConnections connections(String name, LockProperties properties, ObjectProvider<SslBundles> bundles) {
        LockProperties.NamedExecutor named = named(name, properties);
        String prefix = LockProperties.executorPrefix(name);
        boolean quorum = named.type() == LockProperties.Executor.QUORUM;
        if (!RedisAddress.LETTUCE_PRESENT) {
            throw new BackendProblemException(
                    prefix + (quorum ? ".quorum.nodes" : ".url") + " needs Lettuce, which is not on the class path.",
                    "Add the dependency io.lettuce:lettuce-core"
                            + (quorum
                                    ? "."
                                    : ", or name a connection factory of your own in " + prefix
                                            + ".connection-factory instead."),
                    null);
        }
        return quorum
                ? LockConnections.of(prefix + ".quorum", named.quorum(), bundles)
                : new LockConnections(prefix + ".url", List.of(Objects.requireNonNull(named.url())));
    }

    /** The type that {@link #executor} returns, for conditions that are evaluated before. */
    static Class<? extends LockExecutor> typeOf(LockProperties.NamedExecutor named, boolean enabled) {
        return enabled ? typeOf(named.type()) : UnguardedLockExecutor.class;
    }

    static Class<? extends LockExecutor> typeOf(LockProperties.Executor kind) {
        return switch (kind) {
            case LOCAL -> LocalLockExecutor.class;
            case REDIS -> RedisLockExecutor.class;
            case QUORUM -> QuorumLockExecutor.class;
        };
    }

    static LockExecutor executor(String name, LockProperties properties, BeanFactory beans) {
        if (!properties.enabled()) {
            return new UnguardedLockExecutor();
        }
        LockProperties.NamedExecutor named = named(name, properties);
        String ownPrefix = named.keyPrefix();
        String keyPrefix = ownPrefix != null ? ownPrefix : properties.redis().keyPrefix();
        return switch (named.type()) {
            case LOCAL -> new LocalLockExecutor(properties.toEngineSettings(), new LocalBackend());
            case REDIS -> {
                StringRedisTemplate template = redisTemplate(name, named, beans, properties);
                log.info("Executor '" + name + "' keeps its locks in Redis at "
                        + RedisAddress.of(template.getRequiredConnectionFactory()) + ", under keys that start with '"
                        + keyPrefix + ":'");
                yield new RedisLockExecutor(
                        template,
                        keyPrefix,
                        properties.toEngineSettings(),
                        properties.redis().toReplicaAcks(),
                        properties.redis().toMessageSettings());
            }
            case QUORUM ->
                LockExecutorConfigurations.Quorum.executor(
                        ownConnections(name, beans), named.quorum(), keyPrefix, properties);
        };
    }

    private static StringRedisTemplate redisTemplate(
            String name, LockProperties.NamedExecutor named, BeanFactory beans, LockProperties properties) {
        if (named.url() != null) {
            return ownConnections(name, beans).template();
        }
        @Nullable String factory = named.connectionFactory();
        return new StringRedisTemplate(
                factory != null
                        ? LockConnectionFactory.named(
                                beans, LockProperties.executorPrefix(name) + ".connection-factory", factory)
                        : LockConnectionFactory.of(beans, properties.redis().connectionFactory()));
    }

    private static LockConnections ownConnections(String name, BeanFactory beans) {
        return beans.getBean(NamedExecutorRegistrar.connectionsBean(name), LockConnections.class);
    }

    static LockTemplate template(LockExecutor executor, LockTemplateConfigurer configurer) {
        return configurer.configure(LockTemplate.builder(executor)).build();
    }

    private static LockProperties.NamedExecutor named(String name, LockProperties properties) {
        return Objects.requireNonNull(properties.executors().get(name), name);
    }
}
