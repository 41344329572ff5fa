package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.hold.LockScope;
import io.distributionlock.local.UnguardedLockExecutor;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.ObservedLockExecutor;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Gives a template what the auto-configured one has: the defaults of the properties, transactions, events, observations and customizers.
 * For applications that declare templates of their own:
 *
 * <pre>{@code
 * @Bean
 * LockTemplate reportLocks(LockExecutor executor, LockTemplateConfigurer configurer) {
 *     return configurer.configure(LockTemplate.builder(executor)).build();
 * }
 * }</pre>
 */
public final class LockTemplateConfigurer {

    private final LockProperties properties;
    private final LockScope scope;
    private final ObjectProvider<LockTemplateCustomizer> customizers;
    private final ObjectProvider<LockObserver> observers;

    LockTemplateConfigurer(
            LockProperties properties,
            LockScope scope,
            ObjectProvider<LockTemplateCustomizer> customizers,
            ObjectProvider<LockObserver> observers) {
        this.properties = properties;
        this.scope = scope;
        this.customizers = customizers;
        this.observers = observers;
    }

    /** Configures the builder of a template. What is called on it afterwards takes precedence. */
    public LockTemplate.Builder configure(LockTemplate.Builder template) {
        scope.applyTo(template.defaults(properties.defaults().toLockDefaults()));
        if (!properties.enabled()) {
            template.decorate(LockTemplateConfigurer::unguarded);
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(template));
        List<LockObserver> watching = observers.orderedStream().toList();
        if (!watching.isEmpty()) {
            template.decorate(decorated -> new ObservedLockExecutor(decorated, watching));
        }
        return template;
    }

    /** A template over this executor with all of that. */
    LockTemplate over(LockExecutor executor) {
        return configure(LockTemplate.builder(executor)).build();
    }

    /** While locks are disabled, an executor that the application defines is not used either. */
    private static LockExecutor unguarded(LockExecutor executor) {
        return executor instanceof UnguardedLockExecutor ? executor : new UnguardedLockExecutor();
    }
}
