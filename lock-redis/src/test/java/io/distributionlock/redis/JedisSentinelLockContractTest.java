package io.distributionlock.redis;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisSentinels;
import io.distributionlock.testing.ReplicatedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract is kept by write locks with the master that Sentinels name to Jedis. */
@Tag("long")
class JedisSentinelLockContractTest extends LockExecutorContract {

    private static ReplicatedRedis redis;
    private static RedisSentinels sentinels;

    @BeforeAll
    static void startSentinels() {
        redis = ReplicatedRedis.start(RedisBinary.GIVEN, 1);
        sentinels = RedisSentinels.start(RedisBinary.GIVEN, redis);
    }

    @AfterAll
    static void stopSentinels() {
        sentinels.close();
        redis.close();
    }

    @Override
    protected LockFixture newFixture() {
        return new SingleKindFixture(
                LockKind.WRITE, new RedisFixture(redis.master(), () -> JedisConnections.to(sentinels)));
    }
}
