package io.distributionlock.redis;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** The executor on a real Redis keeps the contract of all executors. */
@Tag("server")
@Tag("threads")
@Tag("boot4")
class RedisLockContractTest extends LockExecutorContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis);
    }
}
