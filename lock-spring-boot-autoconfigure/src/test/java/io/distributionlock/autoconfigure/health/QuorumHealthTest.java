package io.distributionlock.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.SecondQuorum;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RunningApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** What the actuator reports about the servers of a quorum, on real servers, and when it reports nothing. */
@Tag("boot4")
class QuorumHealthTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String BEAN = "distributionLockHealthContributor";
    private static final String PATH = "/actuator/health/distributionLock";

    private final List<RedisProcess> servers = Stream.generate(
                    () -> RedisProcess.start(RedisBinary.GIVEN, "--requirepass", "top-secret"))
            .limit(3)
            .toList();

    @AfterEach
    void end() {
        servers.forEach(RedisProcess::close);
    }

    private String[] with(String prefix, String... properties) {
        Stream<String> nodes = IntStream.range(0, servers.size())
                .mapToObj(i -> prefix + ".nodes[" + i + "]=redis://:top-secret@127.0.0.1:"
                        + servers.get(i).port());
        Stream<String> endpoint =
                Stream.of("management.endpoint.health.show-details=always", "management.health.redis.enabled=false");
        return Stream.of(nodes, endpoint, Stream.of(properties))
                .flatMap(each -> each)
                .toArray(String[]::new);
    }

    /** The answer that has them. */
    private static DocumentContext awaitStatus(RunningApplication application, int status, int answering) {
        AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
        await().atMost(LONG).untilAsserted(() -> {
            HttpResponse<String> response = application.get(PATH);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            assertThat(quorum(response).<Integer>read("$.details.answering"))
                    .as(response.body())
                    .isEqualTo(answering);
            answer.set(response);
        });
        assertThat(answer.get().body()).doesNotContain("top-secret");
        return quorum(answer.get());
    }

    private static DocumentContext quorum(HttpResponse<String> response) {
        return JsonPath.parse(JsonPath.parse(response.body()).<Object>read("$.components.distributionLockExecutor"));
    }

    private static String node(RedisProcess server) {
        return "$.details.nodes['127.0.0.1:" + server.port() + "']";
    }

    @Test
    void itIsUpWhileEnoughNodesAnswerAndNamesThoseThatDoNot() throws Exception {
        try (RunningApplication application = RunningApplication.start(
                Application.class,
                with(
                        "distribution-lock.quorum",
                        "distribution-lock.executor=quorum",
                        "distribution-lock.quorum.node-timeout=3s",
                        "distribution-lock.defaults.try-lock-time=60s",
                        "distribution-lock.redis.command-timeout=20s"))) {
            DocumentContext whole = awaitStatus(application, 200, 3);
            assertThat(whole.<Integer>read("$.details.needed")).isEqualTo(2);
            assertThat(whole.<List<String>>read("$.details.nodes.*.status")).containsExactly("UP", "UP", "UP");

            servers.get(1).kill();
            DocumentContext oneAway = awaitStatus(application, 200, 2);
            assertThat(oneAway.<String>read("$.status")).isEqualTo("UP");
            assertThat(oneAway.<String>read(node(servers.get(0)) + ".status")).isEqualTo("UP");
            assertThat(oneAway.<String>read(node(servers.get(1)) + ".status")).isEqualTo("DOWN");
            assertThat(oneAway.<String>read(node(servers.get(1)) + ".error")).isNotBlank();
            assertThat(oneAway.<Integer>read(node(servers.get(1)) + ".silentForMillis"))
                    .isNotNegative();
            application.getBean(LockTemplate.class).acquire("order:1").release();

            servers.get(2).kill();
            assertThat(awaitStatus(application, 503, 1).<String>read("$.status"))
                    .isEqualTo("DOWN");
            assertThat(application.get("/actuator/health").statusCode()).isEqualTo(503);

            servers.get(1).startAgain();
            awaitStatus(application, 200, 2);
        }
    }

    @Tag("long")
    @Test
    void itDoesNotWaitForMuteNodesLongerThanForACommand() throws Exception {
        try (RunningApplication application = RunningApplication.start(
                Application.class,
                with(
                        "distribution-lock.quorum",
                        "distribution-lock.executor=quorum",
                        "distribution-lock.quorum.node-timeout=10m",
                        "distribution-lock.redis.command-timeout=300ms"))) {
            awaitStatus(application, 200, 3);
            servers.forEach(RedisProcess::pause);
            // The client of this test gives up before a node would.
            assertThat(application.get(PATH).body()).contains("distributionLockExecutor");
            servers.forEach(RedisProcess::resume);
        }
    }

    @Tag("long")
    @Test
    void itReportsASecondExecutorUnderItsName() {
        try (RunningApplication application = RunningApplication.start(
                List.of(Application.class, SecondQuorum.class),
                beans -> {},
                with("distribution-lock.quorum", "distribution-lock.executor=local"))) {
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(application.get(PATH + "/payments").body())
                                    .contains("\"answering\":3"));
        }
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.health.distribution-lock.enabled=false",
                "management.health.defaults.enabled=false",
                "distribution-lock.enabled=false"
            })
    void itIsNotThereIfItIsSwitchedOffOrNoExecutorIsAQuorum(String property) {
        assertThatThereIsNone(besideQuorum().withPropertyValues(property));
        assertThatThereIsNone(runner("distribution-lock.executor=local"));
    }

    private static void assertThatThereIsNone(ApplicationContextRunner application) {
        application.run(context -> assertThat(context)
                .hasNotFailed()
                .hasBean("distributionLockTemplate")
                .doesNotHaveBean(BEAN));
    }

    @Tag("long")
    @Test
    void itIsThereOtherwiseAndOfTheApplicationIfThatHasItsOwn() {
        besideQuorum().run(context -> assertThat(context).hasNotFailed().hasBean(BEAN));
        besideQuorum()
                .withBean(BEAN, String.class, () -> "own")
                .run(context -> assertThat(context).getBean(BEAN).isEqualTo("own"));
    }

    @Tag("long")
    @Test
    void withoutTheClassesForHealthThereIsNone() {
        besideQuorum()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate.health", "org.springframework.boot.health.contributor"))
                .run(context ->
                        assertThat(context).hasNotFailed().hasBean("payments").doesNotHaveBean(BEAN));
    }

    /** An application whose second executor is a quorum. */
    private ApplicationContextRunner besideQuorum() {
        return runner(with("distribution-lock.quorum", "distribution-lock.executor=local"))
                .withUserConfiguration(SecondQuorum.class);
    }

    private static ApplicationContextRunner runner(String... properties) {
        return LockContextRunner.plain()
                .withConfiguration(AutoConfigurations.of(LockHealthAutoConfiguration.class))
                .withPropertyValues(properties);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
