package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.LockObservations;
import io.distributionlock.observation.ObservedLockExecutor;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Creates templates with the properties, customizers and observers of the application. */
class LockTemplateFactory {

    private static final boolean MICROMETER = ClassUtils.isPresent(
            "io.micrometer.observation.ObservationRegistry", LockTemplateFactory.class.getClassLoader());

    private final LockProperties properties;
    private final LockScope scope;
    private final ObjectProvider<LockTemplateCustomizer> customizers;
    private final ObjectProvider<LockObserver> observers;
    private final ListableBeanFactory beanFactory;

    LockTemplateFactory(
            LockProperties properties,
            LockScope scope,
            ObjectProvider<LockTemplateCustomizer> customizers,
            ObjectProvider<LockObserver> observers,
            ListableBeanFactory beanFactory) {
        this.properties = properties;
        this.scope = scope;
        this.customizers = customizers;
        this.observers = observers;
        this.beanFactory = beanFactory;
    }

    LockTemplate create(LockExecutor executor) {
        LockTemplate.Builder template = LockTemplate.builder(guarded(executor))
                .defaults(properties.defaults().toLockDefaults())
                .scope(scope);
        customizers.orderedStream().forEach(customizer -> customizer.customize(template));
        List<LockObserver> watching =
                Stream.concat(observers.orderedStream(), observations()).toList();
        if (!watching.isEmpty()) {
            template.decorate(decorated -> new ObservedLockExecutor(decorated, watching));
        }
        return template.build();
    }

    /** If the application has a registry of observations. */
    private Stream<LockObserver> observations() {
        return MICROMETER ? Micrometer.observations(beanFactory) : Stream.empty();
    }

    /** Touched only when Micrometer is on the class path. */
    private static final class Micrometer {

        static Stream<LockObserver> observations(ListableBeanFactory beanFactory) {
            ObservationRegistry registry =
                    beanFactory.getBeanProvider(ObservationRegistry.class).getIfAvailable();
            return registry == null ? Stream.empty() : Stream.of(new LockObservations(registry));
        }
    }

    /** While locks are disabled, an executor that the application defines is not used either. */
    private LockExecutor guarded(LockExecutor executor) {
        return properties.enabled() || executor instanceof UnguardedLockExecutor
                ? executor
                : new UnguardedLockExecutor();
    }
}
