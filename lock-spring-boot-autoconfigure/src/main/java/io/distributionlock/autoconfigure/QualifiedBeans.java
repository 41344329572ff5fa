package io.distributionlock.autoconfigure;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Registers beans whose names the properties give, each qualified by its name. */
final class QualifiedBeans {

    private QualifiedBeans() {}

    /**
     * A bean that a static method makes.
     *
     * @param factory the class of the method
     * @param argument its first argument; the others are injected
     */
    static RootBeanDefinition definition(
            String name, Class<?> type, Class<?> factory, String factoryMethod, Object argument) {
        RootBeanDefinition definition = new RootBeanDefinition(factory);
        definition.setTargetType(type);
        definition.setFactoryMethodName(factoryMethod);
        definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, argument);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        return definition;
    }

    /** Keeps a bean that the application defines under the same name. */
    static void register(BeanDefinitionRegistry registry, String bean, RootBeanDefinition definition) {
        if (!registry.containsBeanDefinition(bean)) {
            registry.registerBeanDefinition(bean, definition);
        }
    }
}
