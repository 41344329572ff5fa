package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;
import java.util.Map;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers an executor and a template for each of {@code distribution-lock.executors}, qualified by its name. They are
 * injected only by that name, beside the default beans. A bean that the application defines under the same name is kept.
 */
class NamedExecutorRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    NamedExecutorRegistrar(Environment environment) {
        this.environment = environment;
    }

    static String connectionsBean(String name) {
        return name + "LockConnections";
    }

    static String executorBean(String name) {
        return name + "LockExecutor";
    }

    static String templateBean(String name) {
        return name + "LockTemplate";
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        Binder binder = Binder.get(environment);
        boolean enabled =
                binder.bind(LockProperties.PREFIX + ".enabled", Boolean.class).orElse(true);
        Map<String, LockProperties.NamedExecutor> executors = binder.bind(
                        LockProperties.PREFIX + ".executors",
                        Bindable.mapOf(String.class, LockProperties.NamedExecutor.class))
                .orElse(Map.of());
        executors.forEach((name, executor) -> {
            // An error here is reported when all properties are bound.
            if (executor.hasType()) {
                register(name, executor, enabled, registry);
            }
        });
    }

    private static void register(
            String name, LockProperties.NamedExecutor executor, boolean enabled, BeanDefinitionRegistry registry) {
        if (!registry.containsBeanDefinition(executorBean(name))) {
            if (executor.needsOwnConnections()) {
                QualifiedBeans.register(
                        registry, connectionsBean(name), definition(name, LockConnections.class, "connections", name));
            }
            RootBeanDefinition made = definition(name, NamedExecutors.typeOf(executor, enabled), "executor", name);
            if (executor.needsOwnConnections()) {
                made.setDependsOn(connectionsBean(name));
            }
            QualifiedBeans.register(registry, executorBean(name), made);
        }
        RuntimeBeanReference reference = new RuntimeBeanReference(executorBean(name));
        QualifiedBeans.register(
                registry, templateBean(name), definition(name, LockTemplate.class, "template", reference));
    }

    private static RootBeanDefinition definition(String name, Class<?> type, String factoryMethod, Object argument) {
        RootBeanDefinition definition =
                QualifiedBeans.definition(name, type, NamedExecutors.class, factoryMethod, argument);
        definition.setDefaultCandidate(false);
        return definition;
    }
}
