package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNodeState;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** One application can keep its locks in several places. */
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
    void whenAMethodNamesAnExecutorThenItsLockIsKeptThere() {
        runner(nodes("distribution-lock.executors.payments.quorum"))
                .withPropertyValues(
                        "distribution-lock.executor=local",
                        "distribution-lock.executors.payments.type=quorum",
                        "distribution-lock.executors.payments.quorum.mode=all",
                        "distribution-lock.executors.jobs.type=local")
                .withUserConfiguration(Shop.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    awaitNodesOf(context.getBean("paymentsLockExecutor", QuorumLockExecutor.class));
                    ShopService shop = context.getBean(ShopService.class);
                    assertThat(shop.browse("x")).isZero();
                    assertThat(shop.pay("x")).isEqualTo(2);
                    assertThat(shop.job()).isZero();
                    assertThat(context.getBean(LockExecutor.class)).isInstanceOf(LocalLockExecutor.class);
                    assertThat(context.getBean("paymentsLockExecutor")).isInstanceOf(QuorumLockExecutor.class);
                    Injected injected = context.getBean(Injected.class);
                    assertThat(injected.byDefault).isSameAs(context.getBean("distributionLockTemplate"));
                    assertThat(injected.payments).isSameAs(context.getBean("paymentsLockTemplate"));
                });
    }

    @Test
    void whenAnExecutorHasItsOwnUrlThenLocksAreKeptThereUnderItsPrefix() {
        runner().withPropertyValues(
                        "distribution-lock.executor=local",
                        "distribution-lock.executors.payments.type=redis",
                        "distribution-lock.executors.payments.url=redis://127.0.0.1:"
                                + servers.get(0).port(),
                        "distribution-lock.executors.payments.key-prefix=pay",
                        "distribution-lock.redis.command-timeout=20s")
                .run(context -> {
                    assertThat(context.getBean("paymentsLockExecutor")).isInstanceOf(RedisLockExecutor.class);
                    LockTemplate template = context.getBean("paymentsLockTemplate", LockTemplate.class);
                    try (Lease lease = template.acquire("where")) {
                        assertThat(lease.isValid()).isTrue();
                        assertThat(servers.get(0).command("EXISTS", "pay:{where}"))
                                .isEqualTo(1L);
                    }
                });
    }

    @Test
    void whenAnExecutorNamesAConnectionFactoryThenItIsUsed() {
        runner().withBean(
                        "second",
                        RedisConnectionFactory.class,
                        () -> RedisConnections.to(servers.get(1).port()))
                .withPropertyValues(
                        "distribution-lock.executor=local",
                        "distribution-lock.executors.payments.type=redis",
                        "distribution-lock.executors.payments.connection-factory=second",
                        "distribution-lock.redis.command-timeout=20s")
                .run(context -> {
                    LockTemplate template = context.getBean("paymentsLockTemplate", LockTemplate.class);
                    try (Lease lease = template.acquire("where")) {
                        assertThat(lease.isValid()).isTrue();
                        assertThat(servers.get(1).command("EXISTS", "distribution-lock:{where}"))
                                .isEqualTo(1L);
                    }
                });
    }

    @Test
    void whenAMethodNamesAnExecutorThatIsNotThereThenTheStartFailsAndNamesBoth() {
        runner("distribution-lock.executor=local", "distribution-lock.executors.jobs.type=local")
                .withUserConfiguration(ShopOnly.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("ShopService.pay")
                        .hasMessageContaining("\"payments\"")
                        .hasMessageContaining("jobs")
                        .hasMessageContaining("distribution-lock.executors.payments"));
    }

    @Test
    void whenOnlyNamedExecutorsAreThereThenMethodsThatNameNoneStopTheStart() {
        runner("distribution-lock.executors.payments.type=local", "distribution-lock.executors.jobs.type=local")
                .withUserConfiguration(ShopOnly.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("no LockTemplate"));
    }

    @Test
    void whenAMethodWantsAKindThatItsExecutorHasNotThenTheStartFails() {
        runner(nodes("distribution-lock.executors.payments.quorum"))
                .withPropertyValues(
                        "distribution-lock.executor=local", "distribution-lock.executors.payments.type=quorum")
                .withBean(FairService.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("FairService.pay")
                        .hasMessageContaining("kind = FAIR")
                        .hasMessageContaining("executor 'payments' has only [REENTRANT]")
                        .hasMessageNotContaining("FairService.browse"));
    }

    @Test
    void whenAMethodWantsPermitsThatItsExecutorHasNotThenTheStartFailsAndSpeaksOfPermits() {
        runner(nodes("distribution-lock.executors.payments.quorum"))
                .withPropertyValues(
                        "distribution-lock.executor=local", "distribution-lock.executors.payments.type=quorum")
                .withBean(PermitService.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining(
                                "PermitService.pay() has permits = 3, but executor 'payments' has only [REENTRANT].")
                        .hasMessageContaining("Leave 'permits' out")
                        .hasMessageContaining("a quorum has none")
                        .hasMessageNotContaining("kind = "));
    }

    @Test
    void whenTheLocksOfOneMethodNameDifferentExecutorsThenTheStartFails() {
        runner("distribution-lock.executor=local", "distribution-lock.executors.jobs.type=local")
                .withBean(MixedService.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("MixedService.both")
                        .hasMessageContaining("'', 'jobs'"));
    }

    @Test
    void whenTheApplicationHasAnExecutorOfItsOwnUnderTheNameThenThatIsUsed() {
        ScriptedLockExecutor own = new ScriptedLockExecutor();
        runner("distribution-lock.executor=local", "distribution-lock.executors.payments.type=local")
                .withBean(
                        "paymentsLockExecutor",
                        ScriptedLockExecutor.class,
                        () -> own,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .run(context -> {
                    context.getBean("paymentsLockTemplate", LockTemplate.class).execute("x", () -> 1);
                    assertThat(own.names()).containsExactly("x");
                    assertThat(context.getBean("distributionLockTemplate", LockTemplate.class))
                            .isNotNull();
                });
    }

    @Test
    void whenTheApplicationHasATemplateOfItsOwnThenAMethodCanNameIt() {
        ScriptedLockExecutor own = new ScriptedLockExecutor();
        runner("distribution-lock.executor=local", "distribution-lock.executors.jobs.type=local")
                .withBean(
                        "payments",
                        LockTemplate.class,
                        () -> new LockTemplate(own, LockDefaults.STANDARD),
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .withUserConfiguration(ShopOnly.class)
                .run(context -> {
                    context.getBean(ShopService.class).pay("7");
                    assertThat(own.names()).containsExactly("pay:7");
                });
    }

    @Test
    void whenItStopsThenEveryExecutorStops() {
        LockTemplate[] template = new LockTemplate[1];
        runner("distribution-lock.executor=local", "distribution-lock.executors.jobs.type=local")
                .run(context -> template[0] = context.getBean("jobsLockTemplate", LockTemplate.class));
        assertThat(template[0].attempt(LockRequest.named("x").build())).isInstanceOf(LockOutcome.BackendFailed.class);
    }

    @Test
    void whenAPropertyOfAnExecutorIsWrongThenTheStartFailsAndSaysWhatToDo() {
        assertFails("distribution-lock.quorum.nodes is empty", "distribution-lock.executor=quorum");
        assertFails(
                "distribution-lock.quorum.nodes[0] is not the URI of a Redis: it is 'redis-1:6379'.",
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=redis-1:6379");
        assertFails(
                "distribution-lock.executors.payments.quorum.nodes[1] is not the URI of a Redis: it is blank.",
                "distribution-lock.executor=local",
                "distribution-lock.executors.payments.type=quorum",
                "distribution-lock.executors.payments.quorum.nodes[0]=redis://localhost:1",
                "distribution-lock.executors.payments.quorum.nodes[1]=");
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
        assertFails(
                "type is not set",
                "distribution-lock.executor=local",
                "distribution-lock.executors.payments.url=redis://localhost");
        assertFails(
                "both set",
                "distribution-lock.executor=local",
                "distribution-lock.executors.payments.type=redis",
                "distribution-lock.executors.payments.connection-factory=x",
                "distribution-lock.executors.payments.url=redis://localhost");
        assertFails(
                "is for type 'redis'",
                "distribution-lock.executor=local",
                "distribution-lock.executors.payments.type=local",
                "distribution-lock.executors.payments.url=redis://localhost");
        assertFails(
                "distribution-lock.executors.payments.quorum.nodes is empty",
                "distribution-lock.executor=local",
                "distribution-lock.executors.payments.type=quorum");
        assertFails(
                "distribution-lock.executors.payments.url is not the URI of a Redis",
                "distribution-lock.executor=local",
                "distribution-lock.executors.payments.type=redis",
                "distribution-lock.executors.payments.url=localhost:6379");
    }

    private static void assertFails(String message, String... properties) {
        runner(properties)
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
            assertThat(context.getBean(LockProperties.class).executors()).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        ShopService shopService() {
            return new ShopService();
        }

        @Bean
        Injected injected(LockTemplate byDefault, @Qualifier("payments") LockTemplate payments) {
            return new Injected(byDefault, payments);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ShopOnly {

        @Bean
        ShopService shopService() {
            return new ShopService();
        }
    }

    record Injected(LockTemplate byDefault, LockTemplate payments) {}

    /** Says at how many of the servers the lock "where" is held while it runs. */
    public static class ShopService {

        @DistributionLock(key = "browse")
        public long browse(@DistributionLockParam String article) {
            return keysOnServers();
        }

        @DistributionLock(key = "pay", executor = "payments")
        public long pay(@DistributionLockParam String order) {
            return servers.stream()
                    .filter(server -> Long.valueOf(1).equals(server.command("EXISTS", "distribution-lock:{pay:x}")))
                    .count();
        }

        @ScheduledLock(name = "job", executor = "jobs")
        public Integer job() {
            return (int) keysOnServers();
        }
    }

    public static class FairService {

        @DistributionLock(key = "browse", kind = LockKind.FAIR)
        public void browse() {}

        @DistributionLock(key = "pay", kind = LockKind.FAIR, executor = "payments")
        public void pay() {}
    }

    public static class PermitService {

        @DistributionLock(key = "pay", permits = 3, executor = "payments")
        public void pay() {}
    }

    public static class MixedService {

        @DistributionLock(key = "a")
        @DistributionLock(key = "b", executor = "jobs")
        public void both() {}
    }
}
