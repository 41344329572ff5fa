package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.LockProperties.OuterTransaction;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.interceptor.SpringLockScope;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import io.distributionlock.observation.LockEventPublisher;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The beans of an application that do not depend on where its locks are kept. Each is made by the static method of its name.
 */
class LockBeans implements ImportBeanDefinitionRegistrar {

    private final ConfigurableListableBeanFactory beanFactory;
    private final Environment environment;

    LockBeans(BeanFactory beanFactory, Environment environment) {
        this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        registerInfrastructure(registry);
        if (MadeBeans.has(beanFactory, LockExecutor.class) && !MadeBeans.has(beanFactory, LockTemplate.class)) {
            register(registry, "lockTemplate", LockTemplate.class);
        }
        if (!inParent("lockSurroundings")) {
            // Gives way to a scope of the application when one is looked up.
            register(registry, "lockSurroundings", SpringLockScope.class).setFallback(true);
        }
        if (!inParent("lockOverrides")) {
            register(registry, "lockOverrides", LockOverrides.class);
        }
        if (!inParent("lockEventPublisher") && publishesEvents()) {
            register(registry, "lockEventPublisher", LockEventPublisher.class);
        }
    }

    private void registerInfrastructure(BeanDefinitionRegistry registry) {
        if (!inParent("distributionLockAdvisor")) {
            registerInfrastructure(registry, "distributionLockAdvisor", DistributionLockAdvisor.class);
            registerInfrastructure(registry, "lockStart", LockStart.class);
        }
        registerInfrastructure(registry, "leaderOnlyAdvisor", LeaderOnlyAdvisor.class);
        registerInfrastructure(registry, "lockExecutorLifecycle", LockExecutorLifecycle.class);
    }

    private static void registerInfrastructure(BeanDefinitionRegistry registry, String name, Class<?> type) {
        RootBeanDefinition definition = register(registry, name, type);
        definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        // Nothing of it concerns a post-processor, and each would look at all of its methods.
        definition.setSynthetic(true);
        definition.setLazyInit(false);
    }

    private static RootBeanDefinition register(BeanDefinitionRegistry registry, String name, Class<?> type) {
        return MadeBeans.register(registry, LockBeans.class, name, type);
    }

    private boolean publishesEvents() {
        return !"false".equalsIgnoreCase(environment.getProperty(LockProperties.PREFIX + ".events.enabled"));
    }

    private boolean inParent(String name) {
        BeanFactory parent = beanFactory.getParentBeanFactory();
        return parent != null && parent.containsBean(name);
    }

    static DistributionLockAdvisor distributionLockAdvisor() {
        return new DistributionLockAdvisor();
    }

    static LeaderOnlyAdvisor leaderOnlyAdvisor() {
        return new LeaderOnlyAdvisor();
    }

    static LockStart lockStart() {
        return new LockStart();
    }

    static LockExecutorLifecycle lockExecutorLifecycle() {
        return new LockExecutorLifecycle();
    }

    static LockTemplate lockTemplate(LockExecutor executor, ListableBeanFactory beanFactory) {
        return new LockTemplateFactory(beanFactory).create(executor);
    }

    static LockOverrides lockOverrides(LockProperties properties) {
        return properties.toLockOverrides();
    }

    static SpringLockScope lockSurroundings(LockProperties properties) {
        boolean refuse = properties.transactions().outer() == OuterTransaction.REFUSE;
        return new SpringLockScope(() -> refuse);
    }

    static LockEventPublisher lockEventPublisher(ConfigurableApplicationContext context) {
        return new LockEventPublisher(context);
    }
}
