package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@Tag("server")
@Tag("boot4")
class RedisClusterPortTest {

    private static final long LEASE = 20_000;
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final RedisCluster cluster = RedisCluster.start(RedisBinary.GIVEN, 3);

    private final TestProcess a = new TestProcess(RedisConnections.to(cluster), "host:a");
    private final TestProcess b = new TestProcess(RedisConnections.to(cluster), "host:b");

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
    void theCheckAtTheStartPassesAndWarnsOfAClientThatDoesNotLookForNewMasters() {
        List<String> warnings = warningsDuring(RedisClusterPortTest::checkAtTheStart);
        assertThat(warnings).hasSize(looksByItself() ? 0 : 1);
    }

    private static void checkAtTheStart() {
        LettuceConnectionFactory connections = RedisConnections.to(cluster);
        StringRedisTemplate template = new StringRedisTemplate(connections);
        try (RedisLockExecutor executor =
                new RedisLockExecutor(template, "distribution-lock", EngineSettings.standard("host:checking"))) {
            new RedisStartupCheck("", executor, "spring.data.redis.*", LONG).run();
        } finally {
            connections.destroy();
        }
    }

    @Test
    void locksOfAllNodesCanBeInspected() {
        for (String name : List.of("a", "b", "c", "订单 1/2", "{x}y")) {
            a.acquireOk(name, "host:a:1", LEASE);
            assertThat(TestProcess.answer(b.port.inspect(name)).inside())
                    .singleElement()
                    .satisfies(inside -> assertThat(inside.claim()).isEqualTo("host:a:1"));
            a.release(name, "host:a:1");
        }
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
            assertThat(b.tombstone("{name}" + i, "host:b:" + i)).isEqualTo(ReleaseReply.RELEASED);
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
    void theClaimsOfASlotAreRenewedByOneScript() {
        List<Renewal> renewals = heldInOneSlot(20);
        assertHeld(a.port.renew(renewals)); // The node learns the script.
        RedisProcess node = ownerOf(renewals);
        node.resetCalls();

        assertHeld(a.port.renew(renewals));

        assertThat(node.calls("evalsha")).isOne();
    }

    @Test
    void theClaimsOfASlotThatMovesAreRenewedOneByOne() {
        List<Renewal> renewals = heldInOneSlot(4);
        assertHeld(a.port.renew(renewals));
        RedisProcess source = ownerOf(renewals);
        RedisProcess target = cluster.masters().get((cluster.masters().indexOf(source) + 1) % 3);
        RedisCluster.Move move = cluster.beginMove(slotOf(renewals.get(0)), target);
        for (Renewal renewal : renewals.subList(0, 2)) {
            source.command(
                    "MIGRATE", "127.0.0.1", String.valueOf(target.port()), ownerKey(renewal.name()), "0", "10000");
        }
        assertHeld(a.port.renew(renewals));
        move.finish();
        // The client does not know yet that the slot has moved.
        assertHeld(a.port.renew(renewals));
        assertThat(TestProcess.answer(a.port.renew(List.of(new Renewal("gone", "host:a:1", LEASE), renewals.get(0)))
                        .get(1)))
                .isEqualTo(new RenewReply(true, 0));
    }

    private List<Renewal> heldInOneSlot(int count) {
        int slot = ClusterSlotHashUtil.calculateSlot(ownerKey("first"));
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "name" + i)
                .filter(name -> ClusterSlotHashUtil.calculateSlot(ownerKey(name)) == slot)
                .limit(count)
                .peek(name -> a.port.acquireUncontended(name, "host:a:" + name, LEASE, true)
                        .join())
                .map(name -> new Renewal(name, "host:a:" + name, LEASE, false, false))
                .toList();
    }

    private static void assertHeld(List<CompletableFuture<RenewReply>> replies) {
        assertThat(replies.stream().map(TestProcess::answer)).containsOnly(new RenewReply(true, 0));
    }

    private static RedisProcess ownerOf(List<Renewal> renewals) {
        return cluster.ownerOf(slotOf(renewals.get(0)));
    }

    private static int slotOf(Renewal renewal) {
        return cluster.slotOf(ownerKey(renewal.name()));
    }

    private static String ownerKey(String name) {
        return TestProcess.PREFIX + ":{" + name + "}";
    }

    /** Classic channels would send each message to every node. */
    @Test
    void whereShardedChannelsAreAskedForAndThereAreNoneWaitersPoll() {
        assumeTrue(
                cluster.masters().get(0).command("COMMAND", "INFO", "ssubscribe") instanceof List<?> known
                        && known.get(0) == null,
                "this Redis has sharded channels");
        try (TestProcess sharded = new TestProcess(RedisConnections.to(cluster), "host:c", MessageMode.SHARDED)) {
            assertThat(TestProcess.answer(sharded.port.isLocked("any"))).isFalse();
            sharded.port.listen();
            await().atMost(LONG).until(() -> sharded.port.pollMillis() > 0);
            sharded.acquireOk("name", "host:c:1", LEASE);
            a.acquireBusy("name", "host:a:1", LEASE);
            cluster.masters().forEach(RedisProcess::resetCalls);
            assertThat(sharded.release("name", "host:c:1")).isEqualTo(ReleaseReply.RELEASED);
            assertThat(cluster.calls("publish")).isZero();
        }
    }

    static List<String> names() {
        return RedisCommandPortTest.names();
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("names")
    void anyNameIsALockOfItsOwnAndComesBackInItsMessage(String name) {
        b.port.listen();
        await().atMost(LONG).until(() -> b.told.listening.get() > 0);
        a.acquireOk(name, "host:a:1", LEASE);
        for (String other : names()) {
            if (!other.equals(name)) {
                assertThat(TestProcess.answer(a.port.isLocked(other))).as(other).isFalse();
            }
        }
        b.acquireBusy(name, "host:b:1", LEASE);
        assertThat(a.release(name, "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        await().atMost(LONG).untilAsserted(() -> assertThat(b.told.granted).hasSize(1));
        assertThat(b.told.granted.get(0).name()).isEqualTo(name);
        assertThat(b.renew(name, "host:b:1", LEASE)).isEqualTo(new RenewReply(true, 0));
        assertThat(b.release(name, "host:b:1")).isEqualTo(ReleaseReply.RELEASED);
    }

    @Test
    void aNodeThatDoesNotAnswerHoldsUpNoRenewalAtTheOthers() {
        List<Renewal> renewals = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            a.acquireOk("name" + i, "host:a:" + i, LEASE);
            renewals.add(new Renewal("name" + i, "host:a:" + i, 90_000));
        }
        RedisProcess mute = cluster.masters().get(2);
        String atMute = nameAt(mute);
        String atAnother = nameAt(cluster.masters().get(1));
        try (TestProcess fresh = new TestProcess(RedisConnections.to(cluster), "host:a")) {
            // It knows the Cluster, and has no connection to the node that is mute from now on.
            TestProcess.answer(fresh.port.isLocked(nameAt(cluster.masters().get(0))));
            mute.pause();
            try {
                List<CompletableFuture<RenewReply>> replies = fresh.port.renew(renewals);
                assertThat(TestProcess.answer(replies.get(number(atAnother))).held())
                        .isTrue();
                assertThat(replies.get(number(atMute))).isNotDone();
            } finally {
                mute.resume();
            }
        }
    }

    private static String nameAt(RedisProcess master) {
        for (int i = 0; i < 30; i++) {
            if (cluster.ownerOf(cluster.slotOf("distribution-lock:{name" + i + "}")) == master) {
                return "name" + i;
            }
        }
        throw new AssertionError("None of 30 names is at " + master);
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring("name".length()));
    }

    @Test
    void aClientThatDoesNotLookForNewMastersIsWarnedOf() {
        List<String> warnings = warningsOf(RedisConnections.to(cluster));
        assertThat(warnings).hasSize(looksByItself() ? 0 : 1);
        assertThat(warnings).allMatch(warning -> warning.contains("lettuce.cluster.refresh.adaptive=true"));
    }

    /** From Lettuce 7 on, a client looks unless it is told not to. */
    private static boolean looksByItself() {
        return !ClusterClientOptions.create()
                .getTopologyRefreshOptions()
                .getAdaptiveRefreshTriggers()
                .isEmpty();
    }

    @Test
    void aClientThatLooksForNewMastersIsNotWarnedOf() {
        assertThat(warningsOf(RedisConnections.withAdaptiveRefreshTo(cluster))).isEmpty();
    }

    private static List<String> warningsOf(LettuceConnectionFactory factory) {
        return warningsDuring(() -> new TestProcess(factory, "host:c").close());
    }

    private static List<String> warningsDuring(Runnable action) {
        Logger log = (Logger) LoggerFactory.getLogger(LettuceFactories.class);
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Level before = log.getLevel();
        log.setLevel(Level.WARN);
        log.addAppender(told);
        try {
            action.run();
        } finally {
            log.detachAppender(told);
            log.setLevel(before);
        }
        return told.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void replicasCannotBeAskedOfACluster() {
        assertThatThrownBy(() -> new RedisCommandPort(
                        new StringRedisTemplate(a.factory),
                        RedisPortSettings.of("p", "i"),
                        new ReplicaAcks(1, Duration.ofMillis(100)),
                        MessageSettings.STANDARD))
                .isInstanceOf(BackendProblemException.class)
                .hasMessageContaining("distribution-lock.redis.min-replicas-to-ack is 1")
                .hasMessageContaining("to a Cluster");
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
