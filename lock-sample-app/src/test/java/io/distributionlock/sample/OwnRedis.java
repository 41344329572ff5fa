package io.distributionlock.sample;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Gives the application of a test a Redis that lasts as long as the application. */
final class OwnRedis implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        TestRedis redis = TestRedis.start();
        TestPropertyValues.of("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .applyTo(context);
        // What is registered first ends last: after everything that may still want to talk to Redis.
        ((DefaultListableBeanFactory) context.getBeanFactory()).registerDisposableBean("ownRedis", redis::close);
    }
}
