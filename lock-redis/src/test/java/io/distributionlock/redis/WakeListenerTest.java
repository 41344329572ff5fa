package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("server")
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class WakeListenerTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    /** Less than a client takes to connect, more than a machine stands still. */
    private static final Duration AT_ONCE = Duration.ofSeconds(8);

    /** The subscription has 1.5 s to end; a command of Lettuce would wait for a minute. */
    private static final Duration MAX_CLOSE = Duration.ofSeconds(8);

    private static final String CHANNEL = "distribution-lock:wake:host:a";

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();

    @AfterEach
    void end() {
        redis.close();
        threads.assertNoneLeft();
    }

    @Test
    void oneSubscriptionIsMadeHoweverOftenItIsAskedFor() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            for (int i = 0; i < 100; i++) {
                process.port.listen();
            }
            awaitListening(process, 1);
            assertThat(redis.command("PUBLISH", CHANNEL, "granted\nhost:a:1\nname"))
                    .isEqualTo(1L);
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.granted)
                            .containsExactly(new RecordingListener.Granted("name", "host:a:1")));
            assertThat(process.told.listening).hasValue(1);
        }
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(redis.command("PUBLISH", CHANNEL, "granted\nhost:a:1\nname"))
                        .isEqualTo(0L));
    }

    @Test
    void aSubscriptionComesBackWithARestartedServer() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.port.listen();
            awaitListening(process, 1);
            redis.kill();
            redis.startAgain();
            awaitListening(process, 2);
            assertThat(redis.command("PUBLISH", CHANNEL, "granted\nhost:a:1\nname"))
                    .isEqualTo(1L);
        }
    }

    @Test
    void listeningThatWasAskedForWhileRedisIsDownBeginsWhenItIsBack(CapturedOutput output) {
        redis.kill();
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            long start = System.nanoTime();
            process.port.listen();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
            await().atMost(LONG).untilAsserted(() -> assertThat(output).contains("Cannot subscribe"));
            assertThat(process.told.listening).hasValue(0);

            redis.startAgain();

            awaitListening(process, 1);
            assertThat(redis.command("PUBLISH", CHANNEL, "granted\nhost:a:1\nname"))
                    .isEqualTo(1L);
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(process.told.granted).hasSize(1));
        }
    }

    /** A factory that had a connection fails later, and otherwise, than one that cannot connect at all. */
    @Test
    void listeningThatIsAskedForAfterRedisHasDiedIsTriedByThisClassAloneUntilItIsBack(CapturedOutput output) {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.acquireOk("name", "host:a:1", 20_000);
            redis.kill();
            process.port.listen();
            await().atMost(LONG).untilAsserted(() -> assertThat(output).contains("Cannot subscribe"));

            redis.startAgain();

            awaitListening(process, 1);
            assertThat(redis.command("PUBLISH", CHANNEL, "granted\nhost:a:1\nname"))
                    .isEqualTo(1L);
        }
    }

    @Test
    void listeningThatWasAskedForWhileRedisIsMuteBeginsWhenItAnswers() {
        try (TcpProxy proxy = new TcpProxy(redis.port());
                TestProcess process = new TestProcess(proxy.port(), "host:a")) {
            proxy.stick(TcpProxy.Direction.values());
            process.port.listen();
            CompletableFuture<AcquireReply> reply = process.port.acquire("name", "host:a:1", 1_000, true);
            assertThat(reply).isNotDone();
            proxy.flow();
            awaitListening(process, 1);
            assertThat(TestProcess.answer(reply)).isInstanceOf(AcquireReply.Ok.class);
        }
    }

    @Test
    void closingIsBoundedInTimeWhileRedisIsMute() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.acquireOk("name", "host:a:1", 20_000);
            process.port.listen();
            awaitListening(process, 1);
            redis.pause();
            assertClosesInTime(process);
            // The client would wait for a minute.
            threads.assertNoneLeft();
            redis.kill();
        }
    }

    @Test
    void closingIsBoundedInTimeWhileSubscribingGetsNoAnswer() {
        redis.pause();
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.port.listen();
            assertClosesInTime(process);
            threads.assertNoneLeft();
            redis.kill();
        }
    }

    @Test
    void closingIsBoundedInTimeWhileRedisIsDown() {
        try (TestProcess process = new TestProcess(redis.port(), "host:a")) {
            process.port.listen();
            awaitListening(process, 1);
            redis.kill();
            assertClosesInTime(process);
        }
    }

    private static void assertClosesInTime(TestProcess process) {
        long start = System.nanoTime();
        process.port.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(MAX_CLOSE);
    }

    private static void awaitListening(TestProcess process, int leastTimes) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(process.told.listening).hasValueGreaterThanOrEqualTo(leastTimes));
    }
}
