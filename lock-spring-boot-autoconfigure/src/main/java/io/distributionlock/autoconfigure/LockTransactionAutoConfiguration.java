package io.distributionlock.autoconfigure;

import io.distributionlock.transaction.CommitGuards;
import io.distributionlock.transaction.FencedCommits;
import io.distributionlock.transaction.ReactiveCommitGuard;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.config.TransactionManagementConfigUtils;
import reactor.core.publisher.Mono;

/** Auto-configuration that makes all transactions check the locks around them before they commit. */
@AutoConfiguration(
        afterName = {
            // The names before and since Spring Boot 4. After them, so that the reactive guard stands inside of their
            // advice of equal order.
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
        })
@ConditionalOnClass(ConfigurableTransactionManager.class)
public final class LockTransactionAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuards distributionLockCommitGuards(ObjectProvider<FencedCommits> fenced) {
        return new CommitGuards(fenced::getIfAvailable);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    @ConditionalOnBean(name = TransactionManagementConfigUtils.TRANSACTION_ADVISOR_BEAN_NAME)
    static class Reactive {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ReactiveCommitGuard distributionLockReactiveCommitGuard() {
            return new ReactiveCommitGuard();
        }
    }
}
