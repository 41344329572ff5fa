package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** How messages travel in a Cluster of Redis 7, which has sharded channels. A port sends no heartbeats, so what arrives is a message. */
@Tag("server")
@Tag("boot4")
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class ClusterMessagesOnInstalledRedisTest {

    private static final long LEASE = 60_000;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String ALL_LOCKS = "~distribution-lock:* resetchannels &distribution-lock:wake:* +@all";
    private static final String SHARDED_ONLY = ALL_LOCKS + " -publish -subscribe -psubscribe";
    private static final int HANDOVERS = 30;

    private static final RedisCluster cluster = RedisCluster.start(RedisBinary.INSTALLED, 3);

    private final List<TestProcess> processes = new ArrayList<>();

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @AfterEach
    void end() {
        processes.forEach(TestProcess::close);
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    private TestProcess process(String rules, String instance, MessageMode mode) {
        cluster.setUser("locks", "secret", rules);
        TestProcess process = new TestProcess(RedisConnections.to(cluster, "locks", "secret"), instance, mode);
        processes.add(process);
        TestProcess.answer(process.port.isLocked("any"));
        process.port.listen();
        return process;
    }

    private TestProcess listening(String rules, String instance, MessageMode mode) {
        TestProcess process = process(rules, instance, mode);
        await().atMost(LONG).until(() -> process.told.listening.get() > 0);
        return process;
    }

    private static void handOver(TestProcess a, TestProcess b) {
        int before = b.told.granted.size();
        for (int i = 0; i < HANDOVERS; i++) {
            String name = "name" + i;
            a.acquireOk(name, "host:a:" + i, LEASE);
            b.acquireBusy(name, "host:b:" + i, LEASE);
            assertThat(a.release(name, "host:a:" + i)).isEqualTo(ReleaseReply.RELEASED);
        }
        await().atMost(LONG).untilAsserted(() -> assertThat(b.told.granted).hasSize(before + HANDOVERS));
        for (int i = 0; i < HANDOVERS; i++) {
            assertThat(b.release("name" + i, "host:b:" + i)).isEqualTo(ReleaseReply.RELEASED);
        }
    }

    @Test
    void aUserWhoMayNeitherPublishNorSubscribeIsToldOverShardedChannelsAndNothingTravelsOverTheBus() {
        TestProcess a = listening(SHARDED_ONLY, "host:a", MessageMode.AUTO);
        TestProcess b = listening(SHARDED_ONLY, "host:b", MessageMode.AUTO);
        long overBus = cluster.sentOverBus("publish") + cluster.sentOverBus("publishshard");
        handOver(a, b);
        assertThat(cluster.sentOverBus("publish") + cluster.sentOverBus("publishshard"))
                .isEqualTo(overBus);
        assertThat(b.port.pollMillis()).isZero();
    }

    @Test
    void aHandOverCostsOneCommandMore() {
        TestProcess a = listening(SHARDED_ONLY, "host:a", MessageMode.AUTO);
        TestProcess b = listening(SHARDED_ONLY, "host:b", MessageMode.AUTO);
        // Each has tried once whether it may publish.
        await().atMost(LONG).until(() -> cluster.calls("spublish") >= 2);
        cluster.masters().forEach(RedisProcess::resetCalls);
        handOver(a, b);
        assertThat(cluster.calls("spublish")).isEqualTo(HANDOVERS);
        assertThat(cluster.calls("publish")).isZero();
    }

    @Test
    void classicMessagesTravelToEveryNode() {
        TestProcess a = listening(ALL_LOCKS, "host:a", MessageMode.CLASSIC);
        TestProcess b = listening(ALL_LOCKS, "host:b", MessageMode.CLASSIC);
        await().atMost(LONG).until(() -> cluster.calls("publish") >= 2);
        long overBus = cluster.sentOverBus("publish");
        handOver(a, b);
        assertThat(cluster.sentOverBus("publish")).isGreaterThanOrEqualTo(overBus + 2 * HANDOVERS);
    }

    @Test
    void aUserWhoMayNotUseShardedChannelsIsToldOverClassicOnes(CapturedOutput output) {
        String rules = ALL_LOCKS + " -ssubscribe -spublish";
        TestProcess a = listening(rules, "host:a", MessageMode.AUTO);
        TestProcess b = listening(rules, "host:b", MessageMode.AUTO);
        handOver(a, b);
        assertThat(output).contains("Grant +ssubscribe +sunsubscribe +spublish");
    }

    @Test
    void aUserWhoMaySubscribeButNotPublishOverShardedChannelsUsesClassicOnes() {
        String rules = ALL_LOCKS + " -spublish";
        TestProcess a = listening(rules, "host:a", MessageMode.AUTO);
        TestProcess b = listening(rules, "host:b", MessageMode.AUTO);
        await().atMost(LONG).until(() -> a.told.listening.get() > 1 && b.told.listening.get() > 1);
        handOver(a, b);
    }

    @Test
    void aUserWhoMayNotUseAnyChannelPolls(CapturedOutput output) {
        TestProcess a = process(SHARDED_ONLY + " -ssubscribe -spublish", "host:a", MessageMode.AUTO);
        await().atMost(LONG).until(() -> a.port.pollMillis() > 0);
        // Its thread polls first, and then says so.
        await().atMost(LONG).untilAsserted(() -> assertThat(output).contains("distribution-lock.redis.messages=none"));
    }

    @Test
    void permissionsThatAreTakenAwayLaterAreNoticed() {
        TestProcess a = listening(ALL_LOCKS, "host:a", MessageMode.AUTO);
        TestProcess b = listening(ALL_LOCKS, "host:b", MessageMode.AUTO);
        handOver(a, b);
        cluster.setUser("locks", "secret", ALL_LOCKS + " -spublish -publish");
        a.acquireOk("name", "host:a:1", LEASE);
        b.acquireBusy("name", "host:b:1", LEASE);
        a.release("name", "host:a:1");
        await().atMost(LONG).until(() -> a.port.pollMillis() > 0);
    }

    @Test
    void theSubscriptionFollowsItsSlot() {
        TestProcess a = listening(SHARDED_ONLY, "host:a", MessageMode.AUTO);
        TestProcess b = listening(SHARDED_ONLY, "host:b", MessageMode.AUTO);
        int slot = cluster.slotOf("distribution-lock:wake:host:b");
        RedisProcess source = cluster.ownerOf(slot);
        RedisProcess target = cluster.masters().stream()
                .filter(master -> master != source)
                .findFirst()
                .orElseThrow();
        cluster.beginMove(slot, target).finish();
        await().atMost(LONG).until(() -> b.told.listening.get() > 1);
        handOver(a, b);
        cluster.beginMove(slot, source).finish();
        await().atMost(LONG).until(() -> b.told.listening.get() > 2);
        handOver(a, b);
    }

    @Test
    void aLostSubscriptionIsMadeAgain() {
        TestProcess a = listening(SHARDED_ONLY, "host:a", MessageMode.AUTO);
        TestProcess b = listening(SHARDED_ONLY, "host:b", MessageMode.AUTO);
        cluster.masters().forEach(master -> master.command("CLIENT", "KILL", "TYPE", "pubsub"));
        await().atMost(LONG).until(() -> a.told.listening.get() > 1 && b.told.listening.get() > 1);
        handOver(a, b);
    }

    @Test
    void theSubscriptionFollowsToTheReplicaThatReplacesItsNode() {
        try (RedisCluster replicated = RedisCluster.start(RedisBinary.INSTALLED, 3, 1);
                TestProcess a = newProcess(replicated, "host:a");
                TestProcess b = newProcess(replicated, "host:b")) {
            await().atMost(LONG).until(() -> a.told.listening.get() > 0 && b.told.listening.get() > 0);
            RedisProcess node = replicated.ownerOf(replicated.slotOf("distribution-lock:wake:host:b"));
            List<String> elsewhere = new ArrayList<>();
            // A client that is connected to the node notices its end.
            for (int i = 0; i < HANDOVERS; i++) {
                String name = "name" + i;
                a.acquireOk(name, "host:a:" + i, LEASE);
                a.release(name, "host:a:" + i);
                if (replicated.ownerOf(replicated.slotOf("distribution-lock:{" + name + "}")) != node) {
                    elsewhere.add(name);
                }
            }
            int before = b.told.listening.get();
            node.kill();
            await().atMost(LONG).until(() -> b.told.listening.get() > before);
            // The first messages may still be sent to the former node.
            AtomicInteger claims = new AtomicInteger(HANDOVERS);
            await().atMost(LONG).until(() -> {
                String name = elsewhere.get(claims.incrementAndGet() % elsewhere.size());
                a.acquireOk(name, "host:a:" + claims, LEASE);
                b.acquireBusy(name, "host:b:" + claims, LEASE);
                a.release(name, "host:a:" + claims);
                b.release(name, "host:b:" + claims);
                return !b.told.granted.isEmpty();
            });
        }
    }

    private static TestProcess newProcess(RedisCluster servers, String instance) {
        TestProcess process =
                new TestProcess(RedisConnections.withAdaptiveRefreshTo(servers), instance, MessageMode.AUTO);
        TestProcess.answer(process.port.isLocked("any"));
        process.port.listen();
        return process;
    }

    @Test
    void jedisTellsOverShardedChannelsAndPolls() throws Exception {
        cluster.setUser("locks", "secret", SHARDED_ONLY);
        RedisClusterConfiguration servers = new RedisClusterConfiguration(cluster.masters().stream()
                .map(master -> "127.0.0.1:" + master.port())
                .toList());
        servers.setUsername("locks");
        servers.setPassword("secret");
        cluster.masters().forEach(RedisProcess::resetCalls);
        JedisConnectionFactory jedis = new JedisConnectionFactory(servers);
        jedis.afterPropertiesSet();
        jedis.start();
        LettuceConnectionFactory lettuce = RedisConnections.to(cluster, "locks", "secret");
        try (RedisLockExecutor polling = executor(jedis);
                RedisLockExecutor told = executor(lettuce)) {
            await().atMost(LONG).until(() -> cluster.nodesListenedAt() > 0);
            passOn(polling, told);
            assertThat(cluster.calls("spublish")).isPositive();
            passOn(told, polling);
            assertThat(cluster.calls("publish")).isZero();
        } finally {
            jedis.destroy();
            lettuce.destroy();
        }
    }

    private static RedisLockExecutor executor(RedisConnectionFactory factory) {
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory), "distribution-lock", TestProcess.patient(InstanceName.create()));
        // The first acquire begins to listen.
        await().atMost(LONG)
                .ignoreExceptions()
                .until(() -> lease(attempt(executor, "first")).release() == ReleaseResult.RELEASED);
        return executor;
    }

    private static void passOn(RedisLockExecutor from, RedisLockExecutor to) {
        Lease held = lease(attempt(from, "name"));
        CompletableFuture<LockOutcome> waiting = attempt(to, "name");
        RedisProcess node = cluster.ownerOf(cluster.slotOf("distribution-lock:{name}"));
        await().atMost(LONG)
                .until(() -> Long.valueOf(1).equals(node.command("EXISTS", "distribution-lock:{name}:queue")));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease(waiting).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    private static CompletableFuture<LockOutcome> attempt(RedisLockExecutor executor, String name) {
        return executor.acquire(LockRequest.named(name).tryLockTime(LONG).build(), LockOwner.unique());
    }

    private static Lease lease(CompletableFuture<LockOutcome> attempt) {
        return ((LockOutcome.Acquired) TestProcess.answer(attempt)).lease();
    }

    @Test
    void withoutMessagesNobodySubscribes() {
        TestProcess a = process(ALL_LOCKS, "host:a", MessageMode.NONE);
        TestProcess b = process(ALL_LOCKS, "host:b", MessageMode.NONE);
        cluster.masters().forEach(RedisProcess::resetCalls);
        a.acquireOk("name", "host:a:1", LEASE);
        b.acquireBusy("name", "host:b:1", LEASE);
        a.release("name", "host:a:1");
        assertThat(b.acquireOk("name", "host:b:1", LEASE).fence()).isPositive();
        for (String command : List.of("publish", "spublish", "subscribe", "ssubscribe")) {
            assertThat(cluster.calls(command)).as(command).isZero();
        }
    }

    @Test
    void theDocumentedPermissionsAreEnough() {
        TestProcess a = listening(RedisAcl.ruleOfCluster("distribution-lock"), "host:a", MessageMode.AUTO);
        TestProcess b = listening(RedisAcl.ruleOfCluster("distribution-lock"), "host:b", MessageMode.AUTO);
        cluster.masters().forEach(RedisProcess::resetCalls);
        handOver(a, b);
        assertThat(cluster.calls("publish")).isZero();
    }
}
