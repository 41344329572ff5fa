package io.distributionlock.redis;

import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.LockKindsContract;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("boot4")
class RedisLockKindsContractTest extends LockKindsContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis);
    }
}
