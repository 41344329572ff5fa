package io.distributionlock.playground.setup;

import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Whether a Redis is named in the settings. If none is, Spring Boot takes the one on this machine. */
final class ConfiguredRedis {

    private ConfiguredRedis() {}

    /** Whether these settings name a server, a Cluster or Sentinels. */
    static boolean isIn(Environment settings) {
        return Stream.of("host", "url", "cluster.nodes", "sentinel.nodes", "masterreplica.nodes")
                .flatMap(place -> Stream.of(place, place + "[0]"))
                .anyMatch(place -> StringUtils.hasText(settings.getProperty("spring.data.redis." + place)));
    }
}
