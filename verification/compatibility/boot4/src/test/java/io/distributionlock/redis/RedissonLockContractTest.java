package io.distributionlock.redis;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

/** The contract is kept over Redisson's connection factory. */
class RedissonLockContractTest extends LockExecutorContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis, RedissonLockContractTest::connect);
    }

    private static RedissonConnectionFactory connect() {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + redis.port())
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        RedissonConnectionFactory factory = new RedissonConnectionFactory(config);
        try {
            factory.afterPropertiesSet();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return factory;
    }
}
