package io.distributionlock.redis;

import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.LockKindsContract;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisLockKindsContractTest extends LockKindsContract {

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
