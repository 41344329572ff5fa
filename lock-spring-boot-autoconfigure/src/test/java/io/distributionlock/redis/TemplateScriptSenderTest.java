package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.distributionlock.redis.RedisRenewals.Word;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The way for clients other than Lettuce; it asks nothing of a client but Spring's own interfaces. */
@Tag("server")
@Tag("boot4")
class TemplateScriptSenderTest {

    private static final String SETTINGS = "86400000 3000 3000 30000 300000 p:wake:\n";

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();
    private final LettuceConnectionFactory factory = RedisConnections.to(redis.port());
    private final AtomicInteger reconnected = new AtomicInteger();
    private final TemplateScriptSender sender =
            new TemplateScriptSender(new StringRedisTemplate(factory), reconnected::incrementAndGet, "nowhere");

    @AfterEach
    void end() {
        sender.close();
        factory.destroy();
        redis.close();
        threads.assertNoneLeft();
    }

    @Test
    void everyScriptRunsAlsoAfterRedisForgotIt() {
        for (int i = 0; i < 3; i++) {
            assertThat(TestProcess.answer(sender.send(acquire("name", "c:1")))).isInstanceOf(AcquireReply.Ok.class);
            assertThat(TestProcess.answer(sender.send(acquire("name", "c:2")))).isInstanceOf(AcquireReply.Busy.class);
            assertThat(TestProcess.answer(sender.send(renew("name", "c:1")))).containsExactly(Word.HELD);
            assertThat(TestProcess.answer(sender.send(release("name", "c:1")))).isEqualTo(ReleaseReply.RELEASED);
            assertThat(TestProcess.answer(sender.send(release("name", "c:1")))).isEqualTo(ReleaseReply.NOT_MINE);
            redis.command("SCRIPT", "FLUSH");
        }
        assertThat(redis.calls("eval")).isEqualTo(6);
    }

    @Test
    void callsForOneNameKeepTheirOrder() {
        List<CompletableFuture<ReleaseReply>> released = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String name = "name" + i % 5;
            CompletableFuture<AcquireReply> acquired = sender.send(acquire(name, "c:" + i));
            assertThat(acquired).isNotNull();
            released.add(sender.send(release(name, "c:" + i)));
        }
        released.forEach(reply -> assertThat(TestProcess.answer(reply)).isEqualTo(ReleaseReply.RELEASED));
    }

    @Test
    void answersStandInTheOrderOfTheCalls() {
        TestProcess.answer(sender.send(acquire("name1", "c:1")));
        List<CompletableFuture<List<Word>>> replies =
                sender.sendAll(List.of(renew("name0", "c:0"), renew("name1", "c:1"), renew("name2", "c:2")));
        assertThat(replies.stream().map(TestProcess::answer))
                .containsExactly(List.of(Word.GONE), List.of(Word.HELD), List.of(Word.GONE));
    }

    @Test
    void aConnectionThatCameBackIsTold() {
        TestProcess.answer(sender.send(acquire("name", "c:1")));
        factory.resetConnection();
        redis.kill();
        assertThatThrownBy(() -> sender.send(acquire("name", "c:2")).get(15, TimeUnit.SECONDS))
                .hasMessageContaining("connect");
        assertThat(reconnected).hasValue(0);
        redis.startAgain();
        TestProcess.answer(sender.send(acquire("name", "c:3")));
        assertThat(reconnected).hasValue(1);
    }

    @Test
    void whatIsCancelledBeforeItsTurnIsNotSent() {
        redis.pause();
        CompletableFuture<AcquireReply> first = sender.send(acquire("name", "c:1"));
        CompletableFuture<ReleaseReply> second = sender.send(release("name", "c:1"));
        second.cancel(false);
        redis.resume();
        TestProcess.answer(first);
        assertThat(TestProcess.answer(sender.send(renew("name", "c:1")))).containsExactly(Word.HELD);
    }

    @Test
    void afterClosingCallsFail() {
        sender.close();
        assertThatThrownBy(() -> sender.send(acquire("name", "c:1")).get(15, TimeUnit.SECONDS))
                .hasMessageContaining("closed");
    }

    private static ScriptCall<AcquireReply> acquire(String name, String claim) {
        List<byte[]> parameters = new ArrayList<>();
        LockKeys keys = new LockKeys("p", name);
        keys.addTo(parameters);
        parameters.add(keys.tombstone(claim));
        parameters.addAll(bytes("acquire", SETTINGS + name, claim, "20000"));
        return new ScriptCall<>(LockScript.ACQUIRE, 6, parameters);
    }

    private static ScriptCall<ReleaseReply> release(String name, String claim) {
        List<byte[]> parameters = new ArrayList<>();
        new LockKeys("p", name).addTo(parameters);
        parameters.addAll(bytes("release", SETTINGS + name, claim));
        return new ScriptCall<>(LockScript.RELEASE, 5, parameters);
    }

    private static ScriptCall<List<Word>> renew(String name, String claim) {
        LockKeys keys = new LockKeys("p", name);
        List<byte[]> parameters = new ArrayList<>(List.of(keys.owner(), keys.fence()));
        parameters.addAll(bytes("86400000", "3000", claim, "20000", "numbered"));
        return new ScriptCall<>(LockScript.RENEW, 2, parameters);
    }

    private static List<byte[]> bytes(String... texts) {
        List<byte[]> all = new ArrayList<>();
        for (String text : texts) {
            all.add(text.getBytes(StandardCharsets.UTF_8));
        }
        return all;
    }
}
