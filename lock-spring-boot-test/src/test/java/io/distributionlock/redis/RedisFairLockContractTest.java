package io.distributionlock.redis;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A fair lock keeps all that a plain one keeps. */
class RedisFairLockContractTest extends LockExecutorContract {

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
        return new SingleKindFixture(LockKind.FAIR, new RedisFixture(redis));
    }
}
