package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The way for clients other than Lettuce, which only have calls that block. */
@Tag("server")
@Tag("boot4")
class JedisPortTest {

    private static final long LEASE = 60_000;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();
    private final RedisConnectionFactory factory = Client.JEDIS.to(redis.port());
    private final RecordingListener told = new RecordingListener();
    private final RedisCommandPort port =
            new RedisCommandPort(new StringRedisTemplate(factory), TestProcess.settings("host:a"));

    JedisPortTest() {
        port.attach(told);
    }

    @AfterEach
    void end() {
        port.close();
        Client.end(factory);
        redis.close();
        threads.assertNoneLeft();
    }

    @Test
    void callsForOneNameKeepTheirOrder() {
        List<CompletableFuture<ReleaseReply>> released = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            assertThat(acquire("name" + i % 5, i)).isNotNull();
            released.add(port.release("name" + i % 5, "host:a:" + i, false, 0));
        }
        released.forEach(reply -> assertThat(TestProcess.answer(reply)).isEqualTo(ReleaseReply.RELEASED));
    }

    @Test
    void answersStandInTheOrderOfTheCalls() {
        TestProcess.answer(acquire("name1", 1));
        List<Renewal> renewals = Stream.of("name0", "name1", "name2")
                .map(name -> new Renewal(name, "host:a:1", LEASE))
                .toList();
        assertThat(port.renew(renewals).stream().map(TestProcess::answer).map(RenewReply::held))
                .containsExactly(false, true, false);
    }

    @Test
    void whatIsCancelledBeforeItsTurnIsNotSent() {
        redis.pause();
        CompletableFuture<AcquireReply> acquired = acquire("name", 1);
        port.release("name", "host:a:1", false, 0).cancel(false);
        redis.resume();
        TestProcess.answer(acquired);
        // In order after what was cancelled.
        assertThat(TestProcess.answer(port.renew(List.of(new Renewal("name", "host:a:1", LEASE)))
                                .get(0))
                        .held())
                .isTrue();
    }

    @Test
    void aConnectionThatCameBackIsTold() {
        TestProcess.answer(acquire("name", 1));
        redis.kill();
        assertThatThrownBy(() -> acquire("name", 2).get(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(told.reconnected).hasValue(0);
        redis.startAgain();
        // The pool may lend connections that ended with the server.
        await().atMost(LONG).ignoreExceptions().until(() -> acquire("name", 3).get(60, TimeUnit.SECONDS) != null);
        assertThat(told.reconnected).hasPositiveValue();
    }

    @Test
    void afterClosingCallsFail() {
        port.close();
        assertThatThrownBy(() -> acquire("name", 1).get(60, TimeUnit.SECONDS)).hasMessageContaining("closed");
    }

    private CompletableFuture<AcquireReply> acquire(String name, int number) {
        return port.acquire(name, "host:a:" + number, LEASE, true);
    }
}
