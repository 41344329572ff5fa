package io.distributionlock.redis;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.ReplicatedRedis;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** Whose locks count only when a replica has them keeps the same contract. */
@Tag("server")
@Tag("long")
class ReplicatedLockContractTest extends LockExecutorContract {

    private static final ReplicaAcks ONE = new ReplicaAcks(1, Duration.ofSeconds(3));

    @AutoClose
    private static final ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.GIVEN, 1);

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis.master(), ONE);
    }
}
