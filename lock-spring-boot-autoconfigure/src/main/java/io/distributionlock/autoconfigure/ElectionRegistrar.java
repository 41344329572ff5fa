package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.leader.LeaderElection;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link LeaderElection} for each of {@code distribution-lock.leader.elections}, qualified by its name. A bean that the
 * application defines under the same bean name is kept.
 */
class ElectionRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    ElectionRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        List<String> names = Binder.get(environment)
                .bind(LockProperties.Leader.PREFIX + ".elections", Bindable.listOf(String.class))
                .orElse(List.of());
        for (String name : names) {
            String bean = name + "LeaderElection";
            if (!registry.containsBeanDefinition(bean)) {
                registry.registerBeanDefinition(bean, definition(name));
            }
        }
    }

    private static RootBeanDefinition definition(String name) {
        RootBeanDefinition definition = new RootBeanDefinition(ElectionRegistrar.class);
        definition.setTargetType(LeaderElection.class);
        definition.setFactoryMethodName("election");
        definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        return definition;
    }

    static LeaderElection election(String name, LockTemplate locks, LockProperties properties) {
        return new LeaderElection(locks, name, properties.leader().leaseTime());
    }
}
