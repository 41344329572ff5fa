package io.distributionlock.redis;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** A write lock keeps all that a plain one keeps. */
@Tag("long")
class RedisWriteLockContractTest extends LockExecutorContract {

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
        return new SingleKindFixture(LockKind.WRITE, new RedisFixture(redis));
    }
}
