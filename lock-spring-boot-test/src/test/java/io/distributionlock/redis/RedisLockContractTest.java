package io.distributionlock.redis;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The executor on a real Redis keeps the contract of all executors. */
class RedisLockContractTest extends LockExecutorContract {

    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis);
    }
}
