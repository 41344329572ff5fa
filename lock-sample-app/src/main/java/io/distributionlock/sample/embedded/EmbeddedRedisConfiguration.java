package io.distributionlock.sample.embedded;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Makes Spring Boot connect to the embedded Redis. The connection factory depends on the connection details, and these
 * on the server, so the server starts before any connection and is left after all have been closed.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EmbeddedRedisProperties.class)
@Conditional(NoRedisConfigured.class)
class EmbeddedRedisConfiguration {

    private static final String REMEDY =
            "choose another port by sample.embedded-redis.port, or run a Redis of your own and"
                    + " set spring.data.redis.host";

    @Bean
    EmbeddedRedis embeddedRedis(
            EmbeddedRedisProperties properties, @Value("${sample.data-directory:./data}") Path dataDirectory) {
        return EmbeddedRedis.startOrJoin(properties.port(), dataDirectory, REMEDY);
    }

    @Bean
    RedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedRedis redis) {
        return new RedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return Standalone.of(EmbeddedRedis.HOST, redis.port());
            }
        };
    }
}
