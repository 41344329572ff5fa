package io.distributionlock.autoconfigure;

import io.distributionlock.event.LockEvents;
import io.distributionlock.hold.LockScope;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.interceptor.DistributionLockInterceptor;
import io.distributionlock.interceptor.LockDefinitionValidator;
import io.distributionlock.interceptor.LockMetadataSource;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.interceptor.LockTemplates;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * The advice for annotated methods, which Spring Boot's auto-configuration of proxies applies: an advisor, its interceptor, and what that
 * works with. It has no conditions on beans of parents: without AspectJ, beans are proxied by advisors of their own context only.
 *
 * <p>These are made for the first bean that may be proxied. A search by type would then make factories of the application, and beans that
 * these need, which would be without a lock. So each parameter is called like its bean, which Spring takes without a search, or is an
 * {@link ObjectProvider}, asked later.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LockAdviceConfiguration implements ApplicationContextAware {

    private static final String INTERCEPTOR = "distributionLockInterceptor";

    private @Nullable ConfigurableApplicationContext context;

    @Override
    public void setApplicationContext(ApplicationContext own) {
        context = (ConfigurableApplicationContext) own;
    }

    private ConfigurableApplicationContext context() {
        return Objects.requireNonNull(context);
    }

    private ConfigurableListableBeanFactory beans() {
        return context().getBeanFactory();
    }

    // Before the advisor of the locks, so that its advice is outside of theirs if both have the same order.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyAdvisor distributionLockLeaderOnlyAdvisor() {
        return new LeaderOnlyAdvisor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    DistributionLockAdvisor distributionLockAdvisor(LockMetadataSource distributionLockMetadataSource) {
        // The properties are not bound yet.
        int order = Binder.get(context().getEnvironment())
                .bind(LockProperties.PREFIX + ".advice.order", Integer.class)
                .orElse(DistributionLockAdvisor.DEFAULT_ORDER);
        return DistributionLockAdvisor.of(order, distributionLockMetadataSource, beans(), INTERCEPTOR);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LockMetadataSource distributionLockMetadataSource() {
        return new LockMetadataSource(beans());
    }

    @Bean(INTERCEPTOR)
    @Lazy
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    DistributionLockInterceptor distributionLockInterceptor(
            LockMetadataSource distributionLockMetadataSource,
            LockTemplates distributionLockTemplates,
            ObjectProvider<LockKeyResolver> keyResolver,
            ObjectProvider<LockOverrides> overrides,
            ObjectProvider<LockScope> scope) {
        return new DistributionLockInterceptor(
                distributionLockMetadataSource,
                distributionLockTemplates,
                orStandard(keyResolver),
                overrides,
                scope,
                // By name: a bean of the application that takes this name is to be named when the start fails.
                beans().getBean("distributionLockEvents", LockEvents.class),
                context());
    }

    @Bean
    @Lazy
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LockTemplates distributionLockTemplates(ObjectProvider<LockTemplateConfigurer> configurer) {
        return new LockTemplates(context(), executor -> configurer.getObject().over(executor));
    }

    @Bean
    @Lazy
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LockDefinitionValidator distributionLockDefinitionValidator(
            LockMetadataSource distributionLockMetadataSource,
            LockTemplates distributionLockTemplates,
            ObjectProvider<LockKeyResolver> keyResolver,
            LockOverrides overrides,
            ObjectProvider<LockScope> scope,
            LockProperties properties) {
        return new LockDefinitionValidator(
                beans(),
                distributionLockMetadataSource,
                distributionLockTemplates,
                orStandard(keyResolver),
                overrides,
                scope::getObject,
                properties.validation() == LockProperties.Validation.FAIL);
    }

    private Supplier<LockKeyResolver> orStandard(ObjectProvider<LockKeyResolver> resolver) {
        return SingletonSupplier.of(() -> resolver.getIfAvailable(() -> LockKeyResolver.standard(beans())));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockStart distributionLockStart() {
        return new LockStart();
    }
}
