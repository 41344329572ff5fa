package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.redis.RedisAcl;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.FreePorts;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RespClient;
import io.distributionlock.testing.RespStub;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A failure to reach the locks says why and what to do: at the start if that is configured, otherwise with the first lock. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class RedisStartCheckContextTest {

    private static final int MAX_HIDDEN = 5;
    private static final String CHECK = "distribution-lock.redis.check-on-start=true";

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start(RedisBinary.GIVEN, "--requirepass", "secret");

    private static ConfigurableApplicationContext start(int port, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + port,
                "spring.data.redis.lettuce.shutdown-timeout=0",
                "distribution-lock.shutdown.timeout=0s",
                "distribution-lock.redis.command-timeout=20s",
                "distribution-lock.quorum.node-timeout=10s"));
        all.addAll(List.of(properties));
        return run(
                List.of(
                        MovedClasses.redisAutoConfiguration(),
                        DistributionLockAutoConfiguration.class,
                        LockStartCheckAutoConfiguration.class,
                        Second.class),
                all);
    }

    private static ConfigurableApplicationContext run(List<Class<?>> sources, List<String> properties) {
        return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    /** What fails is told when the time for a command is over. */
    private static ConfigurableApplicationContext startInVain(int port, String... properties) {
        String[] all = Arrays.copyOf(properties, properties.length + 1);
        all[properties.length] = "distribution-lock.redis.command-timeout=5s";
        return start(port, all);
    }

    private static void assertDoesNotStart(CapturedOutput output, int port, List<String> texts, String... properties) {
        assertThat(reasonToldBy(
                        () -> catchThrowable(() -> startInVain(port, properties).close())))
                .hasStackTraceContaining("BackendProblemException");
        assertThat(output).contains("APPLICATION FAILED TO START").contains(texts);
    }

    /** Now and then Lettuce tells that a connection has ended before it tells that Redis had refused it. */
    private static <T extends Throwable> T reasonToldBy(Supplier<T> attempt) {
        T failure = attempt.get();
        for (int again = 0; again < MAX_HIDDEN && hidesTheReason(failure); again++) {
            failure = attempt.get();
        }
        return failure;
    }

    private static boolean hidesTheReason(Throwable failure) {
        return Throwables.getStackTrace(failure).contains("Connection closed prematurely");
    }

    /** The first connection of a process on a busy machine may take longer than any command later. */
    @Test
    void aFirstAnswerAfterTheTimeOfACommandIsAwaited(CapturedOutput output) {
        redis.pause();
        CompletableFuture<Void> resumed = CompletableFuture.runAsync(() -> {
            try {
                await().atMost(30, TimeUnit.SECONDS).until(() -> output.getOut().contains("are out of service"));
            } finally {
                redis.resume();
            }
        });
        start(redis.port(), CHECK, "spring.data.redis.password=secret", "distribution-lock.redis.command-timeout=200ms")
                .close();
        resumed.join();
    }

    private static LockBackendException firstUse(int port, String... properties) {
        return reasonToldBy(() -> tryFirstUse(port, properties));
    }

    private static LockBackendException tryFirstUse(int port, String... properties) {
        try (ConfigurableApplicationContext application = startInVain(port, properties)) {
            LockTemplate locks = application.getBean(LockTemplate.class);
            try {
                locks.acquire("name").release();
                throw new AssertionError("The lock was got");
            } catch (LockBackendException e) {
                return e;
            }
        }
    }

    @Test
    void whenLocksCanBeAcquiredThenTheApplicationStarts(CapturedOutput output) {
        try (ConfigurableApplicationContext application =
                start(redis.port(), CHECK, "spring.data.redis.password=secret")) {
            assertThat(application.isRunning()).isTrue();
            assertThat(output).doesNotContain("maxmemory-policy");
        }
    }

    @Test
    void whenThePasswordIsWrongThenTheStartSaysSo(CapturedOutput output) {
        assertDoesNotStart(
                output,
                redis.port(),
                List.of("refuses the user name or the password", "Correct spring.data.redis.username"),
                CHECK,
                "spring.data.redis.password=wrong");
    }

    @Test
    void whenASecondExecutorCannotLockThenTheStartNamesIt(CapturedOutput output) {
        assertDoesNotStart(
                output,
                redis.port(),
                List.of("Executor 'payments'", "refuses the user name or the password", "'uri' of LockExecutors.redis"),
                CHECK,
                "spring.data.redis.password=secret",
                "payments=redis://:wrong@127.0.0.1:" + redis.port());
    }

    @Configuration(proxyBeanMethods = false)
    static class Second {

        @Bean(defaultCandidate = false)
        @ConditionalOnProperty("payments")
        RedisLockExecutor payments(LockExecutors executors, @Value("${payments}") String uri) {
            return executors.redis(uri);
        }
    }

    @Test
    void whenNoMajorityOfAQuorumAnswersThenTheStartSaysSo(CapturedOutput output) {
        String node = "redis://:secret@127.0.0.1:" + redis.port();
        assertDoesNotStart(
                output,
                redis.port(),
                List.of("Locks cannot be acquired", "distribution-lock.quorum.nodes"),
                CHECK,
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=%s,redis://127.0.0.1:1,redis://127.0.0.1:2".formatted(node));
    }

    @Test
    void whenAMajorityOfAQuorumAnswersThenTheApplicationStarts() {
        try (RedisProcess second = RedisProcess.start(RedisBinary.GIVEN);
                ConfigurableApplicationContext application = start(
                        redis.port(),
                        CHECK,
                        "distribution-lock.executor=quorum",
                        "distribution-lock.quorum.nodes=redis://:secret@127.0.0.1:%d,redis://127.0.0.1:%d,redis://127.0.0.1:1"
                                .formatted(redis.port(), second.port()))) {
            assertThat(application.isRunning()).isTrue();
        }
    }

    @Tag("long")
    @Test
    void whenThePasswordIsWrongThenTheFirstLockSaysSo() {
        assertThat(firstUse(redis.port(), "spring.data.redis.password=wrong"))
                .hasMessageContaining("lock 'name'")
                .hasMessageContaining("Correct spring.data.redis.username")
                .hasMessageNotContaining("Check that Redis is running")
                .hasCauseInstanceOf(BackendProblemException.class);
    }

    @Tag("long")
    @Test
    void whenThePasswordIsMissingThenTheStartSaysSo(CapturedOutput output) {
        assertDoesNotStart(
                output, redis.port(), List.of("requires a password", "Set spring.data.redis.password"), CHECK);
    }

    @Tag("long")
    @Test
    void whenScriptsAreForbiddenThenTheFirstLockShowsTheRights() throws IOException {
        allow("scriptless", "~* &* +@all -@scripting");
        assertThat(firstUse(redis.port(), "spring.data.redis.username=scriptless", "spring.data.redis.password=pass"))
                .hasMessageContaining(RedisAcl.rule("distribution-lock"));
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"~* &* +@all -@scripting", "~other:* &* +@all", "RULE -set"})
    void whenRightsAreMissingThenTheStartShowsThem(String rights, CapturedOutput output) throws IOException {
        String rule = RedisAcl.rule("distribution-lock");
        allow("lacking", rights.replace("RULE", rule));
        assertDoesNotStart(output, redis.port(), List.of("lacks permissions that locks need", rule), as("lacking"));
    }

    @Tag("long")
    @Test
    void whenTheServerIsAReplicaThenTheStartSaysSo(CapturedOutput output) {
        try (RedisProcess replica =
                RedisProcess.start(RedisBinary.GIVEN, "--replicaof", "127.0.0.1", String.valueOf(redis.port()))) {
            assertDoesNotStart(output, replica.port(), List.of("connected to a replica"), CHECK);
        }
    }

    @Test
    void whenTheUserHasOnlyTheRightsThatAreNeededThenTheApplicationStarts() throws IOException {
        allow("locks", RedisAcl.rule("distribution-lock"));
        try (ConfigurableApplicationContext application = start(redis.port(), as("locks"))) {
            assertThat(application.getBean(LockTemplate.class).execute("name", () -> "locked"))
                    .isEqualTo("locked");
        }
    }

    @Tag("long")
    @Test
    void theRightsAreEnoughForADatabaseOtherThan0() throws IOException {
        allow("elsewhere1", RedisAcl.rule("distribution-lock"));
        List<String> properties = new ArrayList<>(List.of(as("elsewhere1")));
        properties.add("spring.data.redis.database=1");
        try (ConfigurableApplicationContext application = start(redis.port(), properties.toArray(String[]::new))) {
            assertThat(application.getBean(LockTemplate.class).execute("name", () -> "locked"))
                    .isEqualTo("locked");
        }
    }

    @Tag("long")
    @Test
    void theRightsAreEnoughForOtherDatabasesOfAQuorum() throws IOException {
        allow("member", RedisAcl.rule("distribution-lock"));
        try (ConfigurableApplicationContext application = start(
                redis.port(),
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=redis://member:pass@127.0.0.1:" + redis.port() + "/1")) {
            assertThat(application.getBean(LockTemplate.class).execute("name", () -> "locked"))
                    .isEqualTo("locked");
        }
    }

    @Tag("long")
    @Test
    void aDatabaseThatIsNotThereIsNamed() {
        assertThat(firstUse(redis.port(), "spring.data.redis.password=secret", "spring.data.redis.database=99"))
                .hasMessageContaining("Correct spring.data.redis.database")
                .hasMessageNotContaining("Check that Redis is running");
    }

    @Tag("long")
    @Test
    void aHostWhoseNameIsUnknownIsNamed() {
        assertThat(firstUse(redis.port(), "spring.data.redis.host=no-such-host.invalid"))
                .hasMessageContaining("no-such-host.invalid")
                .hasMessageContaining("Correct spring.data.redis.host")
                .hasMessageNotContaining("Check that Redis is running");
    }

    @Tag("long")
    @Test
    void aRedisThatEvictsIsWarnedOfWithItsPolicy(CapturedOutput output) throws IOException {
        try (RedisProcess evicting = RedisProcess.start(
                        RedisBinary.GIVEN, "--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru");
                ConfigurableApplicationContext application = start(evicting.port(), CHECK)) {
            assertThat(application.isRunning()).isTrue();
            assertThat(output).contains("maxmemory-policy is 'volatile-lru'", "Set maxmemory-policy to noeviction");
        }
    }

    private static void allow(String user, String rules) throws IOException {
        String[] words = ("ACL SETUSER " + user + " reset on >pass " + rules).split(" ");
        try (RespClient admin = new RespClient(redis.port())) {
            admin.command("AUTH", "secret");
            assertThat(admin.command(words)).isEqualTo("OK");
        }
    }

    private static String[] as(String user) {
        return new String[] {CHECK, "spring.data.redis.username=" + user, "spring.data.redis.password=pass"};
    }

    @Test
    void whenRedisIsAwayThenTheStartSaysWhere(CapturedOutput output) {
        assertDoesNotStart(
                output,
                FreePorts.next(),
                List.of("Locks cannot be acquired from Redis", "distribution-lock.redis.check-on-start=false"),
                CHECK);
    }

    @Tag("long")
    @Test
    void whenRedisIsTooOldThenTheStartSaysWhichIsNeeded(CapturedOutput output) throws Exception {
        Map<String, String> answers = Map.of(
                "EVALSHA", "$1\r\n0",
                "PING", "+PONG",
                "CLIENT", "+OK",
                "INFO", "$28\r\nredis_version:5.0.14\r\nos:Linux");
        try (RespStub old = RespStub.start(answers)) {
            assertDoesNotStart(
                    output,
                    old.port(),
                    List.of("too old: it is 5.0.14", "locks need 6.2 or later", "Upgrade Redis"),
                    CHECK);
        }
    }

    @Tag("long")
    @Test
    void whenSentinelIsMistakenForRedisThenTheFirstLockSaysSo() throws Exception {
        try (RespStub sentinel = RespStub.start(Map.of("PING", "+PONG", "CLIENT", "+OK"))) {
            assertThat(firstUse(sentinel.port())).hasMessageContaining("spring.data.redis.sentinel.*");
        }
    }

    @Tag("long")
    @Test
    void whenNothingReachesRedisThenTheStartSaysWhatIsMissing(CapturedOutput output) {
        assertThatThrownBy(() -> run(List.of(DistributionLockAutoConfiguration.class, NeedsTemplate.class), List.of()))
                .hasStackTraceContaining("NoSuchBeanDefinitionException");
        assertThat(output)
                .contains(
                        "APPLICATION FAILED TO START",
                        "There is no LockTemplate",
                        "no bean of type StringRedisTemplate or RedisConnectionFactory")
                .contains("distribution-lock.executor=local");
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsTemplate {
        @Bean
        String user(LockTemplate locks) {
            return "uses " + locks;
        }
    }
}
