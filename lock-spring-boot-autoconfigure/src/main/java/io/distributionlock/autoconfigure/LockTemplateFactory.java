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
import org.springframework.util.ClassUtils;

/**
 * Creates templates with the properties, customizers and observers of the application. Not a bean, because each one costs at every
 * start, templates or not.
 */
class LockTemplateFactory {

    private static final boolean MICROMETER = ClassUtils.isPresent(
            "io.micrometer.observation.ObservationRegistry", LockTemplateFactory.class.getClassLoader());

    private final ListableBeanFactory beanFactory;

    LockTemplateFactory(ListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    LockTemplate create(LockExecutor executor) {
        LockProperties properties = beanFactory.getBean(LockProperties.class);
        LockTemplate.Builder template = LockTemplate.builder(guarded(executor, properties))
                .defaults(properties.defaults().toLockDefaults())
                .scope(beanFactory.getBean(LockScope.class));
        beans(LockTemplateCustomizer.class).forEach(customizer -> customizer.customize(template));
        List<LockObserver> watching =
                Stream.concat(beans(LockObserver.class), observations()).toList();
        if (!watching.isEmpty()) {
            template.decorate(decorated -> new ObservedLockExecutor(decorated, watching));
        }
        return template.build();
    }

    private <T> Stream<T> beans(Class<T> type) {
        return beanFactory.getBeanProvider(type).orderedStream();
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
    private static LockExecutor guarded(LockExecutor executor, LockProperties properties) {
        return properties.enabled() || executor instanceof UnguardedLockExecutor
                ? executor
                : new UnguardedLockExecutor();
    }
}
