package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.SetProperties;
import io.distributionlock.autoconfigure.property.UnknownPropertiesCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Imports the configurations that the properties and the class path ask for. A condition on each of them would have Spring read them
 * all at every start.
 */
class LockConfigurationSelector implements ImportSelector {

    private final Environment environment;
    private final @Nullable ClassLoader classLoader;
    private final boolean configured;

    LockConfigurationSelector(Environment environment, @Nullable ClassLoader classLoader) {
        this.environment = environment;
        this.classLoader = classLoader;
        this.configured = SetProperties.exist(environment);
    }

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        List<Class<?>> selected = new ArrayList<>();
        addExecutor(selected);
        if (configured) {
            selected.add(BoundProperties.class);
            selected.add(UnknownPropertiesCheck.class);
            selected.add(NamedExecutorRegistrar.class);
            selected.add(ElectionRegistrar.class);
        }
        if (is("redis.check-on-start", "true")) {
            selected.add(RedisStartCheckConfiguration.class);
        }
        if (has("org.springframework.http.ProblemDetail")) {
            selected.add(LockWebConfiguration.class);
        }
        if (has("io.micrometer.core.instrument.MeterRegistry")) {
            selected.add(LockMetersConfiguration.class);
        }
        if (has("org.springframework.boot.actuate.endpoint.annotation.Endpoint")
                && has(
                        "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")) {
            selected.add(LockEndpointConfiguration.class);
        }
        String[] names = new String[selected.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = selected.get(i).getName();
        }
        return names;
    }

    private void addExecutor(List<Class<?>> selected) {
        if (is("enabled", "false")) {
            selected.add(UnguardedLockConfiguration.class);
            return;
        }
        switch (property("executor", "redis").toLowerCase(Locale.ROOT)) {
            case "quorum" -> selected.add(QuorumLockConfiguration.class);
            case "local" -> selected.add(LocalLockConfiguration.class);
            default -> {
                // LockBeans has the one in Redis. What is unknown is reported when the properties are bound.
            }
        }
    }

    private boolean has(String type) {
        return ClassUtils.isPresent(type, classLoader);
    }

    private boolean is(String name, String value) {
        return property(name, "").equalsIgnoreCase(value);
    }

    private String property(String name, String otherwise) {
        return configured ? environment.getProperty(LockProperties.PREFIX + "." + name, otherwise) : otherwise;
    }

    @EnableConfigurationProperties(LockProperties.class)
    static class BoundProperties {}
}
