package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNodeState;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the properties say of the default executor, in memory or over several servers. */
@Tag("boot4")
class ExecutorsTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static List<RedisProcess> servers;
    private static RedisProcess guarded;

    @BeforeAll
    static void startServers() {
        guarded = RedisProcess.start(RedisBinary.GIVEN, "--requirepass", "p@ss");
        servers = Stream.generate(RedisProcess::start).limit(2).toList();
    }

    @AfterAll
    static void stopServers() {
        guarded.close();
        servers.forEach(RedisProcess::close);
    }

    private static ApplicationContextRunner runner(String... properties) {
        return LockContextRunner.plain()
                .withPropertyValues("distribution-lock.defaults.try-lock-time=20s")
                .withPropertyValues(properties);
    }

    private static String[] nodes(String prefix) {
        return new String[] {
            prefix + ".nodes[0]=redis://:p%40ss@127.0.0.1:" + guarded.port() + "/3",
            prefix + ".nodes[1]=redis://127.0.0.1:" + servers.get(0).port(),
            prefix + ".nodes[2]=redis://127.0.0.1:" + servers.get(1).port(),
            prefix + ".restart-delay=0s",
            prefix + ".node-timeout=2s"
        };
    }

    /** On a loaded machine a first connection may take longer than an attempt. */
    private static void awaitNodesOf(QuorumLockExecutor executor) {
        await().atMost(LONG).untilAsserted(() -> assertThat(executor.nodes()).allMatch(QuorumNodeState::reachable));
    }

    private static long keysOnServers() {
        return servers.stream()
                .filter(server -> ((List<?>) server.command("KEYS", "*"))
                        .stream().anyMatch(key -> String.valueOf(key).endsWith("{where}")))
                .count();
    }

    @Test
    void whenTheExecutorIsQuorumThenLocksAreKeptOverItsNodes() {
        runner(nodes("distribution-lock.quorum"))
                .withPropertyValues("distribution-lock.executor=quorum", "distribution-lock.quorum.mode=all")
                .run(context -> {
                    assertThat(context).hasSingleBean(QuorumLockExecutor.class);
                    awaitNodesOf(context.getBean(QuorumLockExecutor.class));
                    try (Lease lease = context.getBean(LockTemplate.class).acquire("where")) {
                        assertThat(lease.isValid()).isTrue();
                        assertThat(keysOnServers()).isEqualTo(2);
                    }
                    QuorumLockExecutor executor = context.getBean(QuorumLockExecutor.class);
                    assertThat(executor.nodesNeeded()).isEqualTo(3);
                    assertThat(executor.checkNodes()).succeedsWithin(LONG);
                    assertThat(executor.nodes()).allSatisfy(node -> {
                        assertThat(node.label()).startsWith("127.0.0.1:").doesNotContain("p@ss");
                        assertThat(node.reachable()).isTrue();
                        assertThat(node.sinceAnswer()).isNotNull();
                        assertThat(node.failure()).isNull();
                    });
                });
    }

    @Test
    void whenANodeIsAwayThenItsStateSaysSo() {
        int nobody = FreePorts.next();
        runner(nodes("distribution-lock.quorum"))
                .withPropertyValues(
                        "distribution-lock.executor=quorum",
                        "distribution-lock.quorum.nodes[0]=redis://127.0.0.1:" + nobody)
                .run(context -> {
                    QuorumLockExecutor executor = context.getBean(QuorumLockExecutor.class);
                    await().atMost(LONG)
                            .untilAsserted(() -> assertThat(executor.checkNodes())
                                    .succeedsWithin(LONG)
                                    .satisfies(states -> {
                                        assertThat(states)
                                                .extracting(QuorumNodeState::reachable)
                                                .containsExactly(false, true, true);
                                        assertThat(states.get(0).failure()).isNotNull();
                                    }));
                    assertThat(executor.nodesNeeded()).isEqualTo(2);
                });
    }

    @Test
    void whenAKindIsRequestedThatAQuorumDoesNotOfferThenTheAttemptFailsAndSaysSo() {
        runner(nodes("distribution-lock.quorum"))
                .withPropertyValues("distribution-lock.executor=quorum")
                .run(context -> {
                    LockTemplate template = context.getBean(LockTemplate.class);
                    assertThat(template.kinds()).containsExactly(LockKind.REENTRANT);
                    LockRequest fair =
                            LockRequest.named("where").kind(LockKind.FAIR).build();
                    assertThat(context.getBean(LockExecutor.class).acquire(fair, LockOwner.unique()))
                            .failsWithin(Duration.ofSeconds(20))
                            .withThrowableThat()
                            .havingRootCause()
                            .isInstanceOf(IllegalArgumentException.class)
                            .withMessageContainingAll("'where'", "FAIR", "REENTRANT");
                });
    }

    @Test
    void whenAPropertyOfAnExecutorIsWrongThenTheStartFailsAndSaysWhatToDo() {
        assertFails("distribution-lock.quorum.nodes is empty", "distribution-lock.executor=quorum");
        assertFails(
                "distribution-lock.quorum.nodes[0] is not the URI of a Redis: it is 'redis-1:6379'.",
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=redis-1:6379");
        assertFails(
                "distribution-lock.quorum.nodes[1] is not the URI of a Redis: it is blank.",
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes[0]=redis://localhost:1",
                "distribution-lock.quorum.nodes[1]=");
        assertFails(
                "distribution-lock.quorum.nodes[1] repeats the server localhost:1",
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=redis://localhost:1,redis://LOCALHOST:1/2");
        assertFails(
                "distribution-lock.quorum.nodes[1] is not the URI of a Redis",
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=redis://localhost:1,http://secret@host");
        assertFails(
                "distribution-lock.quorum.nodes[0] does not name a single server",
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=redis-sentinel://localhost:1#master,redis://b");
    }

    private static void assertFails(String message, String... properties) {
        runner(properties)
                .withBean(Locked.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(message)
                        .satisfies(failure -> {
                            assertThat(failure).hasMessageNotContaining("secret");
                            assertThat(MessageRules.faults(failure.getMessage()))
                                    .isEmpty();
                        }));
    }

    @Test
    void whenNothingIsSetThenTheDefaultsOfAQuorumAreThoseOfTheLibrary() {
        runner("distribution-lock.executor=local").run(context -> {
            LockProperties.Quorum quorum = context.getBean(LockProperties.class).quorum();
            assertThat(quorum.toSettings()).isEqualTo(QuorumSettings.STANDARD);
            assertThat(quorum.mode()).isEqualTo(QuorumMode.MAJORITY);
        });
    }

    static class Locked {

        @DistributionLock(key = "where")
        public void run() {}
    }
}
