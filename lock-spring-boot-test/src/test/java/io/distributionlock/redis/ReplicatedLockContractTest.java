package io.distributionlock.redis;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.ReplicatedRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Whose locks count only when a replica has them keeps the same contract. */
@Tag("long")
class ReplicatedLockContractTest extends LockExecutorContract {

    private static final ReplicaAcks ONE = new ReplicaAcks(1, Duration.ofSeconds(3));

    private static ReplicatedRedis redis;

    @BeforeAll
    static void startRedis() {
        redis = ReplicatedRedis.start(RedisBinary.EMBEDDED, 1);
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(redis.master(), ONE);
    }
}
