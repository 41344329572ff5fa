package io.distributionlock.redis;

import io.distributionlock.LockKind;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.test.contract.SingleKindFixture;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** The contract is kept by single permits in a Cluster over the connections of Jedis. */
@Tag("long")
class JedisClusterLockContractTest extends LockExecutorContract {

    @AutoClose
    private static final RedisCluster cluster = RedisCluster.start(RedisBinary.GIVEN, 3);

    @Override
    protected LockFixture newFixture() {
        return new SingleKindFixture(LockKind.PERMIT, new RedisFixture(cluster, () -> JedisConnections.to(cluster)));
    }
}
