package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.ObservedLockExecutor;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/** Creates templates with the properties, customizers and observers of the application. */
class LockTemplateFactory {

    private final LockProperties properties;
    private final LockScope scope;
    private final ObjectProvider<LockTemplateCustomizer> customizers;
    private final ObjectProvider<LockObserver> observers;

    LockTemplateFactory(
            LockProperties properties,
            LockScope scope,
            ObjectProvider<LockTemplateCustomizer> customizers,
            ObjectProvider<LockObserver> observers) {
        this.properties = properties;
        this.scope = scope;
        this.customizers = customizers;
        this.observers = observers;
    }

    LockTemplate create(LockExecutor executor) {
        LockTemplate.Builder template = LockTemplate.builder(guarded(executor))
                .defaults(properties.defaults().toLockDefaults())
                .scope(scope);
        customizers.orderedStream().forEach(customizer -> customizer.customize(template));
        List<LockObserver> watching = observers.orderedStream().toList();
        if (!watching.isEmpty()) {
            template.decorate(decorated -> new ObservedLockExecutor(decorated, watching));
        }
        return template.build();
    }

    /** While locks are disabled, an executor that the application defines is not used either. */
    private LockExecutor guarded(LockExecutor executor) {
        return properties.enabled() || executor instanceof UnguardedLockExecutor
                ? executor
                : new UnguardedLockExecutor();
    }
}
