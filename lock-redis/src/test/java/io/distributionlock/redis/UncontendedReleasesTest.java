package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Who releases a lock that nobody waits for: the server's own command where there is one, otherwise a script. */
@Tag("server")
@Tag("boot4")
class UncontendedReleasesTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long LEASE = 60_000;
    private static final String OWNER = "distribution-lock:{order}";

    private final RedisProcess redis = RedisProcess.start();
    private RedisConnectionFactory factory;
    private @Nullable RedisCommandPort port;

    private void use(RedisConnectionFactory connections) {
        factory = connections;
        port = new RedisCommandPort(new StringRedisTemplate(connections), TestProcess.settings("host:a"));
        port.attach(new RecordingListener());
        // The first section connects, tells Redis the scripts and tries the commands.
        assertThat(section("order", 0)).isEqualTo(ReleaseReply.RELEASED);
        // In order after what was tried last.
        assertThat(section("order", 1)).isEqualTo(ReleaseReply.RELEASED);
    }

    @AfterEach
    void end() {
        if (port != null) {
            port.close();
            Client.end(factory);
        }
        redis.close();
    }

    private ReleaseReply section(String name, long number) {
        acquire(name, number);
        return release(name, number);
    }

    private void acquire(String name, long number) {
        assertThat(TestProcess.answer(port.acquireUncontended(name, "host:a:" + number, LEASE, true)))
                .isEqualTo(new AcquireReply.Ok(0, 0));
    }

    private ReleaseReply release(String name, long number) {
        return TestProcess.answer(port.releaseUncontended(name, "host:a:" + number));
    }

    private String commandOfThisServer() {
        Optional<String> command = redis.compareAndDelete();
        assumeTrue(
                command.isPresent(),
                "this Redis cannot compare and delete; CI also runs it on the newest Redis and Valkey");
        return command.get();
    }

    @ParameterizedTest
    @EnumSource
    void aSectionRunsTwoCommandsWhereTheServerComparesItself(Client client) {
        String command = commandOfThisServer();
        use(client.to(redis.port()));
        redis.resetCalls();
        LongStream.range(2, 12).forEach(i -> assertThat(section("order", i)).isEqualTo(ReleaseReply.RELEASED));
        assertThat(redis.calls(command)).isEqualTo(10);
        assertThat(redis.calls()).isEqualTo(20);
        assertThat(redis.command("DBSIZE")).isEqualTo(0L);
    }

    @ParameterizedTest
    @EnumSource
    void aServerWithoutTheCommandIsAskedForItOnceForEachConnection(Client client) {
        assumeTrue(
                redis.compareAndDelete().isEmpty(), "this Redis compares and deletes; CI also runs it on older ones");
        assertScriptsReleaseWithoutAnotherRefusal(client);
    }

    /** As after an update. The server has another command by that name, which deletes as well. */
    @ParameterizedTest
    @EnumSource
    void aServerThatTakesItsPlaceIsAskedForItsOwnCommand(Client client) {
        assumeTrue(redis.compareAndDelete().isEmpty(), "this Redis has the command itself");
        try (RedisProcess next = RedisProcess.start(RedisBinary.GIVEN, "--rename-command", "UNLINK", "DELEX");
                TcpProxy proxy = new TcpProxy(redis.port())) {
            use(client.to(proxy.port()));
            proxy.leadTo(next.port());
            proxy.cut();
            AtomicLong number = new AtomicLong(2);
            await().atMost(LONG).ignoreExceptions().untilAsserted(() -> {
                assertThat(section("order", number.getAndIncrement())).isEqualTo(ReleaseReply.RELEASED);
                assertThat(next.calls("unlink")).as("the first only tries it").isGreaterThan(1);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aUserWithoutTheRightIsRefusedOnceForEachConnection(Client client) {
        String command = commandOfThisServer();
        redis.command("ACL", "SETUSER", "default", "-" + command);
        assertScriptsReleaseWithoutAnotherRefusal(client);
    }

    private void assertScriptsReleaseWithoutAnotherRefusal(Client client) {
        use(client.to(redis.port()));
        redis.resetCalls();
        LongStream.range(2, 12).forEach(i -> assertThat(section("order", i)).isEqualTo(ReleaseReply.RELEASED));
        assertThat(redis.info("stats", "total_error_replies")).isEqualTo("0");
        assertThat(redis.calls("evalsha")).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void theScriptReleasesWhatTheUserMayNoLongerReleaseOtherwise(Client client) {
        String command = commandOfThisServer();
        use(client.to(redis.port()));
        acquire("order", 2);
        redis.command("ACL", "SETUSER", "default", "-" + command);
        redis.resetCalls();
        assertThat(release("order", 2)).isEqualTo(ReleaseReply.RELEASED);
        assertThat(section("order", 3)).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.info("errorstats", "errorstat_NOPERM"))
                .as("the second was not tried")
                .isEqualTo("count=1");
        assertThat(redis.calls("get")).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void eachNodeOfAClusterIsAskedForItsOwnLocks(Client client) {
        try (RedisCluster cluster = RedisCluster.start(RedisBinary.GIVEN, 3)) {
            use(client.to(cluster));
            LongStream.range(2, 32).forEach(i -> section("order" + i, i));
            cluster.masters().forEach(RedisProcess::resetCalls);
            LongStream.range(2, 32)
                    .forEach(i -> assertThat(section("order" + i, i)).isEqualTo(ReleaseReply.RELEASED));
            assertThat(cluster.calls("set")).isEqualTo(30);
            assertThat(cluster.calls(redis.compareAndDelete().orElse("evalsha")))
                    .isEqualTo(30);
            assertThat(cluster.masters()).allSatisfy(master -> {
                assertThat(master.command("DBSIZE")).isEqualTo(0L);
                assertThat(master.info("stats", "total_error_replies")).isEqualTo("0");
            });
        }
    }
}
