package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.redis.RedisAcl;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RespStub;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The check at the start names what each node of a quorum lacks, and fails only if too few nodes are left. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class QuorumStartCheckTest {

    private static final String AWAY = "redis://127.0.0.1:1";
    private static final String RIGHTS = RedisAcl.rule("distribution-lock");

    @AutoClose
    private static final RedisProcess one = RedisProcess.start();

    @AutoClose
    private static final RedisProcess two = RedisProcess.start();

    @AutoClose
    private static final RedisProcess three = RedisProcess.start();

    @AfterEach
    void forgetUsers() {
        Stream.of(one, two, three).forEach(node -> node.command("ACL", "DELUSER", "locks"));
    }

    private static void start(String... nodes) {
        start(Duration.ZERO, nodes);
    }

    private static void start(Duration restartDelay, String... nodes) {
        run(
                "distribution-lock.executor=quorum",
                "distribution-lock.quorum.nodes=" + String.join(",", nodes),
                "distribution-lock.quorum.restart-delay=" + restartDelay);
    }

    private static void run(String... properties) {
        run(List.of(), properties);
    }

    private static void run(List<Class<?>> configurations, String... properties) {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
                        MovedClasses.redisAutoConfiguration(),
                        DistributionLockAutoConfiguration.class,
                        LockStartCheckAutoConfiguration.class)
                .sources(configurations.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .properties(
                        "distribution-lock.redis.check-on-start=true",
                        "distribution-lock.redis.command-timeout=20s",
                        "distribution-lock.quorum.node-timeout=10s",
                        "distribution-lock.shutdown.timeout=0s")
                .properties(properties)
                .run()) {
            assertThat(application.isRunning()).isTrue();
        }
    }

    private static String uri(RedisProcess node) {
        return "redis://127.0.0.1:" + node.port();
    }

    /** As a user with these rights. */
    private static String uri(RedisProcess node, String rights) {
        String[] words = ("ACL SETUSER locks reset on >pass " + rights).split(" ");
        assertThat(node.command(words)).isEqualTo("OK");
        return "redis://locks:pass@127.0.0.1:" + node.port();
    }

    private static String place(RedisProcess node) {
        return place(node.port());
    }

    private static String place(int port) {
        return "Node 127.0.0.1:" + port + " of the quorum: ";
    }

    /** What is said of the nodes, but that the tests may run on an old server. */
    private static String withoutAge(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> !line.contains(" is older than "))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aNodeThatLacksARightIsNamedWithIt(CapturedOutput output) {
        start(uri(one), uri(two, RIGHTS + " -hset"), uri(three));
        assertThat(withoutAge(output))
                .containsOnlyOnce(
                        place(two) + "The Redis user of the application lacks permissions that locks need: HSET (")
                .contains("ACL SETUSER <user> " + RIGHTS)
                .doesNotContain(place(one), place(three));
    }

    @Test
    void withoutAMajorityThatHasTheRightsTheApplicationDoesNotStart(CapturedOutput output) {
        String lacking = RIGHTS + " -hset";
        List<String> nodes = List.of(uri(one, lacking), uri(two), uri(three, lacking));
        assertThatThrownBy(() -> start(nodes.toArray(String[]::new)))
                .hasStackTraceContaining("BackendProblemException");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(place(one) + "The Redis user", place(three) + "The Redis user", "HSET (", "Grant them: ");
    }

    @Test
    void aNodeThatIsNeededBecauseAnotherIsAwayMustHaveTheRights(CapturedOutput output) {
        List<String> nodes = List.of(uri(one), uri(two, RIGHTS + " -evalsha"), AWAY);
        assertThatThrownBy(() -> start(nodes.toArray(String[]::new)))
                .hasStackTraceContaining("BackendProblemException");
        assertThat(output).contains("APPLICATION FAILED TO START", place(two), "evalsha");
    }

    @Test
    void aNodeThatIsAwayIsNamedOnce(CapturedOutput output) {
        start(uri(one), uri(two), AWAY);
        assertThat(withoutAge(output))
                .containsOnlyOnce("Node 127.0.0.1:1 of the quorum does not answer")
                .doesNotContain("of the quorum: ");
    }

    @Test
    void aNodeThatEvictsIsNamed(CapturedOutput output) {
        try (RedisProcess evicting =
                RedisProcess.start(RedisBinary.GIVEN, "--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru")) {
            start(uri(one), uri(two), uri(evicting));
            assertThat(withoutAge(output))
                    .contains(place(evicting) + "Redis may evict held locks")
                    .doesNotContain(place(one), place(two));
        }
    }

    @Test
    void onlyWithARestartDelayANodeMustTellItsAge(CapturedOutput output) {
        start(uri(one), uri(two), uri(three, RIGHTS));
        assertThat(output).doesNotContain("lacks permissions");
        await().until(() -> Stream.of(one, two).allMatch(QuorumStartCheckTest::isOldEnough));
        start(Duration.ofMillis(1), uri(one), uri(two), uri(three, RIGHTS));
        assertThat(output)
                .contains(place(three) + "The Redis user of the application lacks permissions that locks need: INFO (");
    }

    /** Uptimes are in whole seconds, so that any delay takes two. */
    private static boolean isOldEnough(RedisProcess node) {
        return Long.parseLong(node.info("server", "uptime_in_seconds")) >= 2;
    }

    @Test
    void ofASecondExecutorTheNodeIsNamedToo(CapturedOutput output) {
        run(
                List.of(SecondQuorum.class),
                "distribution-lock.executor=local",
                "distribution-lock.quorum.nodes="
                        + String.join(",", uri(one), uri(two), uri(three, RIGHTS + " -hset")));
        assertThat(output).containsOnlyOnce("Executor 'payments': " + place(three) + "The Redis user");
    }

    @Tag("long")
    @Test
    void aNodeThatIsTooOldIsNamed(CapturedOutput output) throws Exception {
        Map<String, String> answers = Map.of(
                "EVALSHA", "$1\r\n0",
                "PING", "+PONG",
                "CLIENT", "+OK",
                "INFO", "$28\r\nredis_version:5.0.14\r\nos:Linux");
        try (RespStub old = RespStub.start(answers)) {
            start(uri(one), uri(two), "redis://127.0.0.1:" + old.port());
            assertThat(output).contains(place(old.port()) + "The version of Redis is too old: it is 5.0.14");
        }
    }
}
