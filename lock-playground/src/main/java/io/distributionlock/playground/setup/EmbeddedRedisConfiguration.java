package io.distributionlock.playground.setup;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.Assert;

/**
 * Makes Spring Boot connect to the embedded Redis. The connection factory depends on the connection details, and these
 * on the server, so the server starts before any connection and is left after all have been closed.
 */
@Configuration(proxyBeanMethods = false)
@Profile("dev")
@ConditionalOnClass(name = "redis.embedded.core.ExecutableProvider")
@Conditional(EmbeddedRedisConfiguration.NoRedisConfigured.class)
class EmbeddedRedisConfiguration {

    private static final String REMEDY =
            "choose another port by playground.embedded-redis.port, or run a Redis of your own and"
                    + " set spring.data.redis.host";

    @Bean
    EmbeddedRedis embeddedRedis(
            @Value("${playground.embedded-redis.port:6399}") int port,
            @Value("${playground.data-directory:./data}") Path dataDirectory) {
        Assert.isTrue(port > 0 && port < 65536, () -> "playground.embedded-redis.port is " + port + ": " + REMEDY);
        return EmbeddedRedis.startOrJoin(port, dataDirectory, REMEDY);
    }

    @Bean
    DataRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedis redis) {
        return new DataRedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return Standalone.of(EmbeddedRedis.HOST, redis.port());
            }
        };
    }

    static class NoRedisConfigured implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !ConfiguredRedis.isIn(context.getEnvironment());
        }
    }
}
