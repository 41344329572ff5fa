package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** HTTP responses for locks that were not acquired. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication
@ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "web.problem-details", matchIfMissing = true)
class LockWebConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockProblemDetailAdvice lockProblemDetailAdvice() {
        return new LockProblemDetailAdvice();
    }
}
