package io.distributionlock.redis;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** The contract is kept over the connections of Jedis. */
@Tag("boot4")
@Tag("long")
class JedisLockContractTest extends LockExecutorContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis, () -> JedisConnections.to(redis.port()));
    }
}
