package io.distributionlock.autoconfigure;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Defines beans by their types, and by the static methods that make those which need others, instead of by {@code @Bean}: of such methods,
 * Spring reads the annotations at every start, evaluates conditions with the types of all beans, and finds out their own types by
 * reflection.
 */
final class MadeBeans {

    private MadeBeans() {}

    /**
     * Registers a lazy bean that a static method of the bean's name makes.
     *
     * @param maker the class of the method, whose parameters are injected
     */
    static RootBeanDefinition register(BeanDefinitionRegistry registry, Class<?> maker, String name, Class<?> type) {
        RootBeanDefinition definition = definition(maker, name, type);
        definition.setLazyInit(true);
        registry.registerBeanDefinition(name, definition);
        return definition;
    }

    static RootBeanDefinition definition(Class<?> maker, String method, Class<?> type) {
        RootBeanDefinition definition = definition(maker);
        definition.setTargetType(type);
        definition.setFactoryMethodName(method);
        definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        return definition;
    }

    /** A bean that its class makes without arguments, unless the definition gets a method that makes it. */
    static RootBeanDefinition definition(Class<?> type) {
        RootBeanDefinition definition = new RootBeanDefinition(type);
        // Otherwise Spring looks for event listeners among the methods of the type, and loads all types they name.
        definition.setAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE, Object.class);
        return definition;
    }

    /** Whether this context or a parent has a bean of this type that can be injected without a qualifier. */
    static boolean has(ConfigurableListableBeanFactory beanFactory, Class<?> type) {
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false)) {
            if (!beanFactory.containsBeanDefinition(name) || isCandidate(beanFactory.getBeanDefinition(name))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCandidate(BeanDefinition definition) {
        return definition.isAutowireCandidate()
                && (!(definition instanceof AbstractBeanDefinition known) || known.isDefaultCandidate());
    }
}
