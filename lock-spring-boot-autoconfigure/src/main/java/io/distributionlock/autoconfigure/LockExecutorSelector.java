package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Imports the configuration of the executor that the properties ask for. A condition on each of them would have Spring read them all at
 * every start.
 */
class LockExecutorSelector implements ImportSelector {

    private final Environment environment;

    LockExecutorSelector(Environment environment) {
        this.environment = environment;
    }

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        List<Class<?>> selected = new ArrayList<>(executor());
        if (is("redis.check-on-start", "true")) {
            selected.add(RedisStartCheckConfiguration.class);
        }
        return selected.stream().map(Class::getName).toArray(String[]::new);
    }

    private List<Class<?>> executor() {
        if (is("enabled", "false")) {
            return List.of(UnguardedLockConfiguration.class);
        }
        return switch (property("executor", "redis").toLowerCase(Locale.ROOT)) {
            case "redis" -> List.of(RedisLockConfiguration.class);
            case "quorum" -> List.of(QuorumLockConfiguration.class);
            case "local" -> List.of(LocalLockConfiguration.class);
            // Reported when the properties are bound.
            default -> List.of();
        };
    }

    private boolean is(String name, String value) {
        return property(name, "").equalsIgnoreCase(value);
    }

    private String property(String name, String otherwise) {
        return environment.getProperty(LockProperties.PREFIX + "." + name, otherwise);
    }
}
