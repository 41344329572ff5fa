package io.distributionlock.sample.embedded;

import java.util.stream.Stream;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if no Redis is configured. */
class NoRedisConfigured implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        return Stream.of("host", "url", "cluster.nodes", "cluster.nodes[0]", "sentinel.nodes", "sentinel.nodes[0]")
                .noneMatch(place -> environment.containsProperty("spring.data.redis." + place));
    }
}
