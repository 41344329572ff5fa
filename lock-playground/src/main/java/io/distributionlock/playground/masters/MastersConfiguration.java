package io.distributionlock.playground.masters;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.LockExecutors;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Starts the servers before the executor connects to them, and leaves them after it has disconnected. */
@Configuration(proxyBeanMethods = false)
class MastersConfiguration {

    @Bean
    Masters masters(MastersProperties properties, @Value("${playground.data-directory:./data}") Path dataDirectory) {
        return Masters.start(properties, dataDirectory);
    }

    /** Without nodes in the Redis of all other locks. */
    @Bean(defaultCandidate = false)
    @DependsOn("masters")
    LockExecutor invoiceLocks(LockExecutors executors, MastersProperties properties, StringRedisTemplate main) {
        return properties.nodes().isEmpty() ? executors.redis(main) : executors.quorum();
    }
}
