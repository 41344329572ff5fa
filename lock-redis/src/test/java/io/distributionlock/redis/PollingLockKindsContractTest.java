package io.distributionlock.redis;

import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.LockKindsContract;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** The kinds of locks, without a message. */
@Tag("long")
class PollingLockKindsContractTest extends LockKindsContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis, MessageMode.NONE);
    }
}
