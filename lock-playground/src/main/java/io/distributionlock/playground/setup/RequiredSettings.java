package io.distributionlock.playground.setup;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/**
 * Refuses to start without a configured Redis and database. Otherwise Spring Boot would take the Redis on this machine and an empty
 * database in memory: instances on two machines would neither exclude each other nor see the same orders.
 */
@Component
class RequiredSettings implements BeanFactoryPostProcessor {

    private static final MissingSettingsException.Setting REDIS = new MissingSettingsException.Setting(
            "No Redis is configured. Instances that each use the Redis of their own machine do not exclude each other.",
            "Set spring.data.redis.host or spring.data.redis.url. If there is only one process,"
                    + " distribution-lock.executor=local needs no Redis.");

    private static final MissingSettingsException.Setting DATABASE = new MissingSettingsException.Setting(
            "No database is configured.", "Set spring.datasource.url, and add the driver to pom.xml.");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Environment settings = beans.getBean(Environment.class);
        List<MissingSettingsException.Setting> missing = new ArrayList<>();
        if (locksAreInRedis(settings)
                && isMadeOfSettings("redisConnectionDetails", beans)
                && !ConfiguredRedis.isIn(settings)) {
            missing.add(REDIS);
        }
        if (isMadeOfSettings("jdbcConnectionDetails", beans)
                && !StringUtils.hasText(settings.getProperty("spring.datasource.url"))) {
            missing.add(DATABASE);
        }
        if (!missing.isEmpty()) {
            throw new MissingSettingsException(missing);
        }
    }

    private static boolean locksAreInRedis(Environment settings) {
        return settings.getProperty("distribution-lock.executor", "redis").equalsIgnoreCase("redis");
    }

    /** Whether this is up to the settings. The embedded Redis, Testcontainers and Docker Compose bring details of their own. */
    private static boolean isMadeOfSettings(String detailsBySpringBoot, ConfigurableListableBeanFactory beans) {
        return beans.containsBeanDefinition(detailsBySpringBoot);
    }
}
