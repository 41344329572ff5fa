package io.distributionlock.redis;

import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.LockKindsContract;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;

class RedisLockKindsContractTest extends LockKindsContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis);
    }
}
