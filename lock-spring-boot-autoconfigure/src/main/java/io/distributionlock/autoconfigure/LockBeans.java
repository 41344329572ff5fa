package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.LockProperties.OuterTransaction;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.interceptor.MethodReached;
import io.distributionlock.interceptor.SpringLockScope;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.LockEventPublisher;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * The beans of every application, and the executor of its Redis unless it has another one. What injects other beans is made by a static
 * method.
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
        enableProxies(registry);
        registerProperties(registry);
        registerInfrastructure(registry);
        if ((MadeBeans.has(beanFactory, LockExecutor.class) || registerRedisExecutor(registry))
                && !MadeBeans.has(beanFactory, LockTemplate.class)) {
            register(registry, "lockTemplate", LockTemplate.class);
        }
        if (!inParent("lockSurroundings")) {
            // Gives way to a scope of the application when one is looked up.
            register(registry, "lockSurroundings", LockScope.class).setFallback(true);
        }
        if (!inParent("lockOverrides")) {
            register(registry, "lockOverrides", LockOverrides.class);
        }
        if (!inParent("lockEventPublisher") && publishesEvents()) {
            register(registry, "lockEventPublisher", LockObserver.class);
        }
    }

    /** So that annotated methods are locked even with {@code spring.aop.auto=false} or without AspectJ. */
    private void enableProxies(BeanDefinitionRegistry registry) {
        boolean chosenAlready = registry.containsBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME);
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (!chosenAlready && environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }

    /** Where Spring Boot has not, because none is set: it would load the types of all properties at every start. */
    private static void registerProperties(BeanDefinitionRegistry registry) {
        String nameBySpringBoot = LockProperties.PREFIX + "-" + LockProperties.class.getName();
        if (!registry.containsBeanDefinition(nameBySpringBoot)) {
            RootBeanDefinition definition =
                    MadeBeans.definition(LockBeans.class, "lockProperties", LockProperties.class);
            definition.setLazyInit(true);
            // Its maker binds it, so no post-processor has to.
            definition.setSynthetic(true);
            registry.registerBeanDefinition(nameBySpringBoot, definition);
        }
    }

    private boolean registerRedisExecutor(BeanDefinitionRegistry registry) {
        return "redis".equalsIgnoreCase(environment.getProperty(LockProperties.PREFIX + ".executor", "redis"))
                && isPresent("org.springframework.data.redis.core.StringRedisTemplate")
                && RedisExecutorBean.register(registry, beanFactory);
    }

    private void registerInfrastructure(BeanDefinitionRegistry registry) {
        // Before the advisor of the locks, so that its advice is outside of theirs if both have the same order.
        registerInfrastructure(registry, "leaderOnlyAdvisor", LeaderOnlyAdvisor.class);
        // Also where a parent has one: without AspectJ, beans are proxied by advisors of their own context only.
        registerInfrastructure(
                registry,
                "distributionLockAdvisor",
                MadeBeans.definition(LockBeans.class, "distributionLockAdvisor", DistributionLockAdvisor.class));
        registerInfrastructure(registry, "lockedMethodReached", MethodReached.class);
        registerInfrastructure(registry, "lockStart", LockStart.class);
        registerInfrastructure(registry, "lockExecutorLifecycle", LockExecutorLifecycle.class);
        if (isPresent("org.springframework.transaction.ConfigurableTransactionManager")) {
            registerInfrastructure(registry, "lockCommitGuards", CommitGuards.class);
        }
    }

    private static void registerInfrastructure(BeanDefinitionRegistry registry, String name, Class<?> type) {
        registerInfrastructure(registry, name, MadeBeans.definition(type));
    }

    private static void registerInfrastructure(
            BeanDefinitionRegistry registry, String name, RootBeanDefinition definition) {
        definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        // Nothing of it concerns a post-processor, and each would look at all of its methods.
        definition.setSynthetic(true);
        registry.registerBeanDefinition(name, definition);
    }

    private static RootBeanDefinition register(BeanDefinitionRegistry registry, String name, Class<?> type) {
        return MadeBeans.register(registry, LockBeans.class, name, type);
    }

    private boolean publishesEvents() {
        return !"false".equalsIgnoreCase(environment.getProperty(LockProperties.PREFIX + ".events.enabled"));
    }

    private boolean isPresent(String type) {
        return ClassUtils.isPresent(type, beanFactory.getBeanClassLoader());
    }

    private boolean inParent(String name) {
        BeanFactory parent = beanFactory.getParentBeanFactory();
        return parent != null && parent.containsBean(name);
    }

    static LockProperties lockProperties(Environment environment) {
        return Binder.get(environment).bindOrCreate(LockProperties.PREFIX, LockProperties.class);
    }

    /** Made before the properties are bound, for the first bean that may be proxied. */
    static DistributionLockAdvisor distributionLockAdvisor(Environment environment) {
        return DistributionLockAdvisor.of(Binder.get(environment)
                .bind(LockProperties.PREFIX + ".advice.order", Integer.class)
                .orElse(Ordered.HIGHEST_PRECEDENCE));
    }

    static LockTemplate lockTemplate(LockExecutor executor, ListableBeanFactory beanFactory) {
        return new LockTemplateFactory(beanFactory).create(executor);
    }

    static LockOverrides lockOverrides(LockProperties properties) {
        return properties.toLockOverrides();
    }

    static LockScope lockSurroundings(LockProperties properties) {
        boolean refuse = properties.transactions().outer() == OuterTransaction.REFUSE;
        return new SpringLockScope(() -> refuse);
    }

    static LockObserver lockEventPublisher(ConfigurableApplicationContext context) {
        return new LockEventPublisher(context);
    }
}
