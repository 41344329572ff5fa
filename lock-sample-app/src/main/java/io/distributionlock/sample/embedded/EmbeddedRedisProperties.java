package io.distributionlock.sample.embedded;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code sample.embedded-redis.*}.
 *
 * @param port its port, on the loopback interface only
 */
@ConfigurationProperties("sample.embedded-redis")
record EmbeddedRedisProperties(@DefaultValue("6399") int port) {

    EmbeddedRedisProperties {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("sample.embedded-redis.port is " + port
                    + ", but must be between 1 and 65535: every instance must" + " know it to join the same Redis");
        }
    }
}
