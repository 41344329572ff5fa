package io.distributionlock.playground.comparison;

import io.distributionlock.LockTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ComparisonConfiguration {

    @Bean
    LockTemplateCustomizer withoutLock() {
        return template -> template.decorate(WithoutLock::new);
    }
}
