package io.distributionlock.autoconfigure;

import io.distributionlock.quorum.QuorumLockExecutor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A quorum beside the default executor, for those who name it. */
@Configuration(proxyBeanMethods = false)
public class SecondQuorum {

    @Bean(defaultCandidate = false)
    QuorumLockExecutor payments(LockExecutors executors) {
        return executors.quorum();
    }
}
