package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that were given up while there was no connection: a quorum gives up one after another for as long as a node is away. */
@Tag("server")
@Tag("boot4")
class CancelledCommandsTest {

    private static final long LEASE = 60_000;

    /** It notes every command. */
    private final RedisProcess redis = RedisProcess.start(RedisBinary.GIVEN, "--slowlog-log-slower-than", "0");

    private final TestProcess process = new TestProcess(redis.port(), "host:a");
    private final RedisCommandPort port = process.port;

    @AfterEach
    void end() {
        process.close();
        redis.close();
    }

    /** Only what was asked last is sent, how often ever. */
    @Test
    void noneOfThemIsSentWhenRedisIsBack() {
        cancelDuringAnOutage();
        String locked = new String(LockScript.LOCKED.sha1(), StandardCharsets.US_ASCII);
        assertThat(whatRedisWasAsked())
                .isNotEmpty()
                .allSatisfy(words ->
                        assertThat(words).startsWith("EVALSHA", locked).anyMatch(word -> word.endsWith("{last}")));
    }

    /** Without the question of one key, which a second connection has to answer before it replaces the lost one. */
    private List<List<String>> whatRedisWasAsked() {
        return ((List<?>) Objects.requireNonNull(redis.command("SLOWLOG", "GET", "1000")))
                .stream()
                        .map(entry -> ((List<?>) ((List<?>) entry).get(3))
                                .stream().map(String::valueOf).toList())
                        .filter(words -> Set.of("EVALSHA", "SET").contains(words.get(0))
                                && !words.get(2).equals("1"))
                        .toList();
    }

    private void cancelDuringAnOutage() {
        TestProcess.answer(port.isLocked("name"));
        redis.kill();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> port.explained(new TimeoutException()) instanceof BackendProblemException);

        List<CompletableFuture<?>> commands = new ArrayList<>(List.of(
                port.isLocked("name"),
                port.number("name", "host:a:1", LEASE),
                port.forceRelease("name"),
                port.inspect("name"),
                port.acquire("name", "host:a:1", LEASE, true),
                port.acquireUncontended("name", "host:a:2", LEASE, true),
                port.acquireAll("name", List.of(new HeartbeatEntry("host:a:3", LEASE))),
                port.release("name", "host:a:1", false, 0),
                port.raiseFence("name", "host:a:1", 7, LEASE, 0)));
        commands.addAll(port.renew(List.of(
                TestProcess.renewal("name", "host:a:1", LEASE), TestProcess.renewal("other", "host:a:2", LEASE))));
        commands.addAll(port.renew(List.of(TestProcess.renewal("name", "host:a:r1", LEASE))));
        commands.forEach(command -> command.cancel(false));
        redis.startAgain();

        // Behind the others.
        assertThat(TestProcess.answer(port.isLocked("last"))).isFalse();
    }

    /** Lettuce cancels it: that would look as if its caller had. */
    @Test
    void whatIsUnderWayWhenTheConnectionIsClosedFailsWithAReason() {
        try (TcpProxy proxy = new TcpProxy(redis.port());
                TestProcess behind = new TestProcess(proxy.port(), "host:b")) {
            TestProcess.answer(behind.port.isLocked("name"));
            proxy.stick(TcpProxy.Direction.TO_SERVER);
            List<CompletableFuture<?>> commands = new ArrayList<>(List.of(
                    behind.port.number("name", "host:b:1", LEASE),
                    behind.port.acquire("name", "host:b:1", LEASE, true),
                    behind.port.release("name", "host:b:1", false, 0)));
            commands.addAll(behind.port.renew(List.of(TestProcess.renewal("name", "host:b:1", LEASE))));
            await().atMost(Duration.ofSeconds(20)).until(() -> proxy.holdsBack("{name}"));
            proxy.refuse(true);
            proxy.cut();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> behind.port.explained(new TimeoutException()) instanceof BackendProblemException);
            behind.port.close();

            assertThat(commands).allSatisfy(command -> {
                assertThat(command).failsWithin(Duration.ofSeconds(20));
                assertThat(command.isCancelled()).isFalse();
                assertThatThrownBy(command::join).rootCause().hasMessageContaining("closed");
            });
        }
    }

    @Test
    void whatAnotherStillWaitsForIsSent() {
        TestProcess.answer(port.isLocked("name"));
        redis.kill();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> port.explained(new TimeoutException()) instanceof BackendProblemException);

        var answers = port.renew(List.of(
                TestProcess.renewal("name", "host:a:1", LEASE), TestProcess.renewal("other", "host:a:2", LEASE)));
        answers.get(0).cancel(false);
        redis.startAgain();

        assertThat(TestProcess.answer(answers.get(1)).held()).isFalse();
    }
}
