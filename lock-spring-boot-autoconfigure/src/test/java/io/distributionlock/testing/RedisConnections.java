package io.distributionlock.testing;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories with the options that Spring Boot sets by default. */
public final class RedisConnections {

    private RedisConnections() {}

    /** A started factory; to be ended by its {@code destroy()}. */
    public static LettuceConnectionFactory to(int port) {
        LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                .clientOptions(ClientOptions.builder()
                        .timeoutOptions(TimeoutOptions.enabled())
                        .socketOptions(SocketOptions.builder()
                                .connectTimeout(Duration.ofSeconds(10))
                                .build())
                        .build())
                .shutdownTimeout(Duration.ZERO)
                .shutdownQuietPeriod(Duration.ZERO)
                .build();
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port), client);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
