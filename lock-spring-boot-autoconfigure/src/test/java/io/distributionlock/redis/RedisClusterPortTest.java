package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.CommandPort.Renewal;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisClusterPortTest {

    private static final long LEASE = 20_000;
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final RedisCluster cluster = RedisCluster.start(RedisBinary.EMBEDDED, 3);

    private final TestProcess a = new TestProcess(RedisConnections.to(cluster), "host:a", settings -> settings);
    private final TestProcess b = new TestProcess(RedisConnections.to(cluster), "host:b", settings -> settings);

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @AfterEach
    void end() {
        a.close();
        b.close();
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    @Test
    void locksOfAllNodesAreTakenHandedOverAndReleased() {
        b.port.listen();
        await().atMost(LONG).until(() -> b.told.listening.get() > 0);
        for (int i = 0; i < 30; i++) {
            String name = "{name}" + i;
            long fence = a.acquireOk(name, "host:a:" + i, LEASE).fence();
            assertThat(b.acquireBusy(name, "host:b:" + i, LEASE).fence()).isEqualTo(fence);
            assertThat(a.release(name, "host:a:" + i)).isEqualTo(ReleaseReply.RELEASED);
        }
        await().atMost(LONG).untilAsserted(() -> assertThat(b.told.granted).hasSize(30));
        for (int i = 0; i < 30; i++) {
            assertThat(b.bury("{name}" + i, "host:b:" + i)).isEqualTo(ReleaseReply.RELEASED);
        }
        for (RedisProcess master : cluster.masters()) {
            assertThat((Long) master.command("DBSIZE")).isPositive();
        }
    }

    @Test
    void aBatchOfRenewalsReachesEveryNode() {
        List<Renewal> renewals = new ArrayList<>();
        List<CompletableFuture<AcquireReply>> acquired = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            if (i % 3 != 0) {
                acquired.add(a.port.acquire("name" + i, "host:a:" + i, LEASE, false));
            }
            renewals.add(new Renewal("name" + i, "host:a:" + i, 90_000));
        }
        acquired.forEach(TestProcess::answer);
        for (int round = 0; round < 2; round++) { // in the first, no node knows the script
            List<CompletableFuture<RenewReply>> replies = a.port.renew(renewals);
            for (int i = 0; i < 300; i++) {
                assertThat(TestProcess.answer(replies.get(i)).held())
                        .as("%d", i)
                        .isEqualTo(i % 3 != 0);
            }
        }
    }

    @Test
    void theReturnOfANodeIsTold() {
        for (int i = 0; i < 30; i++) {
            a.acquireOk("name" + i, "host:a:" + i, LEASE);
        }
        cluster.masters().get(1).command("CLIENT", "KILL", "TYPE", "normal");
        await().atMost(LONG).untilAsserted(() -> assertThat(a.told.reconnected).hasPositiveValue());
        assertThat(a.told.reconnected).hasValueLessThan(5);
    }
}
