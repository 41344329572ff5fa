package io.distributionlock.autoconfigure;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Enables proxies, so that annotated methods are locked even with {@code spring.aop.auto=false} or without AspectJ. Does nothing if the
 * application has configured proxies itself.
 */
class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    AutoProxyRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        boolean chosenAlready = registry.containsBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME);
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (!chosenAlready && environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
