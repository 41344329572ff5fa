package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.LONG_LEASE;
import static io.distributionlock.faults.FaultSuite.SOON;
import static io.distributionlock.faults.FaultSuite.eventually;
import static io.distributionlock.faults.FaultSuite.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ReplicatedRedis;
import io.distributionlock.testing.TcpProxy;
import io.distributionlock.testing.TcpProxy.Direction;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica was promoted while the old master goes on, so both grant locks. Only the tokens tell who is to be refused. */
@Tag("long")
class SplitMastersIT extends TopologySuite {

    private final ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.GIVEN, 1);
    private final RedisProcess oldMaster = redis.master();
    private final RedisProcess newMaster = redis.replicas().get(0);
    private final TcpProxy toOld = new TcpProxy(oldMaster.port());
    private final TcpProxy toNew = new TcpProxy(newMaster.port());

    @Override
    Stream<RedisProcess> masters() {
        return Stream.of(oldMaster, newMaster);
    }

    @Override
    void endServers() {
        toOld.close();
        toNew.close();
        redis.close();
    }

    private void promote() {
        redis.detach(newMaster);
        newMaster.command("REPLICAOF", "NO", "ONE");
        dataWillBeLost();
    }

    private Instance over(TcpProxy network) {
        return newInstance(RedisConnections.to(network.port()));
    }

    @Test
    void whoIsGivenTheLockAfterATokenWasKnownHasAGreaterOneHoweverLongAgoItWasAskedFor() throws Exception {
        promote();
        Instance here = over(toOld);
        Instance there = over(toNew);
        toNew.stick(Direction.TO_SERVER);
        CompletableFuture<Lease> asked = start(() -> there.locks().acquire(renewed(LONG_LEASE)));
        eventually().until(() -> toNew.holdsBack(name));
        ObservedLease known = acquire(here, renewed(LONG_LEASE));
        assertThat(known.token()).isPositive();

        toNew.flow();
        try (Lease given = get(asked, SOON)) {
            assertThat(given.fencingToken()).isGreaterThan(known.token());
        }
        known.release();
    }

    @Test
    void aTokenThatIsDrawnLateCountsFromThenOn() throws Exception {
        Instance here = over(toOld);
        try (Lease lease = here.locks().acquire(renewed(LONG_LEASE))) {
            promote();
            toOld.stick(Direction.TO_SERVER);
            CompletableFuture<Long> late = lease.fencingTokenAsync();
            eventually().until(() -> toOld.holdsBack(name));
            newMaster.command("FLUSHALL");
            Instance there = over(toNew);
            ObservedLease successor = acquire(there, renewed(LONG_LEASE));

            toOld.flow();
            long token = get(late, SOON);
            // Both were under way at the same time, so either may be the greater one; whoever comes now has a greater
            // one than both.
            long later = successor.token();
            successor.release();
            ObservedLease next = acquire(there, renewed(LONG_LEASE));
            assertThat(next.token()).isGreaterThan(Math.max(token, later));
            next.release();
        }
    }
}
