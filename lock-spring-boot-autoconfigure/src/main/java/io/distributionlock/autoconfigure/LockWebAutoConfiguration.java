package io.distributionlock.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;

/** Auto-configuration for HTTP responses to requests whose lock was not acquired. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnWebApplication
@ConditionalOnSwitch(value = "web.problem-details", defaultValue = true)
public class LockWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockProblemDetailAdvice lockProblemDetailAdvice() {
        return new LockProblemDetailAdvice();
    }
}
