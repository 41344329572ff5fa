package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.LONG_LEASE;
import static io.distributionlock.faults.FaultSuite.MAX_TEST_TIME;
import static io.distributionlock.faults.FaultSuite.SOON;
import static io.distributionlock.faults.FaultSuite.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica of a Cluster's node takes over its slots. */
@Tag("server")
@Tag("long")
class ClusterFailoverIT extends TopologySuite {

    private final RedisCluster cluster = RedisCluster.start(RedisBinary.GIVEN, 3, 1);
    private final int slot = cluster.slotOf(ownerKey(name));
    private final RedisProcess master = cluster.ownerOf(slot);
    private final RedisProcess replica = cluster.replicasOf(master).get(0);

    @Override
    Stream<RedisProcess> masters() {
        return cluster.nodes().stream()
                .filter(RedisProcess::isRunning)
                .filter(node -> node.info("replication", "role").equals("master"));
    }

    @Override
    void endServers() {
        cluster.close();
    }

    private void awaitReplicated() {
        await().atMost(SOON)
                .until(() -> Objects.equals(
                        replica.info("replication", "slave_repl_offset"),
                        master.info("replication", "master_repl_offset")));
    }

    @Test
    void aKilledNodeCostsNoLockThatItsReplicaKnew() throws Exception {
        Instance here = newInstance(RedisConnections.withAdaptiveRefreshTo(cluster));
        Instance there = newInstance(RedisConnections.withAdaptiveRefreshTo(cluster));
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(45)));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), master);
        awaitReplicated();

        master.kill();
        await().atMost(MAX_TEST_TIME).ignoreExceptions().until(() -> cluster.ownerOf(slot) == replica);

        awaitRenewal(held);
        assertThat(held.lease().confirm()).isTrue();
        assertThat(waiter).isNotDone();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease next = get(waiter, SOON);
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aNodeThatStepsDownCostsNoLock() throws Exception {
        Instance here = newInstance(RedisConnections.to(cluster));
        Instance there = newInstance(RedisConnections.to(cluster));
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(24)));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), master);

        assertThat(replica.command("CLUSTER", "FAILOVER")).isEqualTo("OK");
        await().atMost(MAX_TEST_TIME).ignoreExceptions().until(() -> cluster.ownerOf(slot) == replica);

        awaitRenewal(held);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(here, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
