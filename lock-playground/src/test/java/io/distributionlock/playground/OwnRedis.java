package io.distributionlock.playground;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Gives the application of a test its own Redis, with the same lifetime. */
public final class OwnRedis implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        TestRedis redis = TestRedis.start();
        TestPropertyValues.of("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .applyTo(context);
        // Registered first, closed last: after everything that may still use Redis.
        ((DefaultListableBeanFactory) context.getBeanFactory()).registerDisposableBean("ownRedis", redis::close);
    }
}
