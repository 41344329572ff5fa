package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract is kept on a Cluster by a user who may do no more than {@link RedisAcl} says, over sharded channels. */
@Tag("server")
@Tag("boot4")
@Tag("long")
class ShardedLockContractTest extends LockExecutorContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.start(RedisBinary.INSTALLED, 3);
        cluster.setUser("locks", "secret", RedisAcl.ruleOfCluster("distribution-lock"));
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @AfterEach
    void nothingWasRefusedOrWentToEveryNode() {
        assertThat(cluster.masters())
                .allSatisfy(master -> assertThat(master.refusals()).isEmpty());
        assertThat(cluster.calls("publish")).isZero();
    }

    @Override
    protected LockFixture newFixture() {
        return new RedisFixture(cluster, () -> RedisConnections.to(cluster, "locks", "secret"));
    }
}
