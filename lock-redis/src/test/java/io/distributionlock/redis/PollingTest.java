package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Processes that are not notified of a release. */
@Tag("server")
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class PollingTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final RedisProcess redis = RedisProcess.start();
    private final List<RedisLockExecutor> executors = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    @AfterEach
    void end() {
        executors.forEach(RedisLockExecutor::close);
        factories.forEach(LettuceConnectionFactory::destroy);
        redis.close();
    }

    private RedisLockExecutor process(String forbidden, MessageMode mode) {
        String rule = "ACL SETUSER locks reset on >secret ~* &* +@all" + forbidden;
        assertThat(redis.command(rule.split(" "))).isEqualTo("OK");
        LettuceConnectionFactory factory = RedisConnections.to(redis.port(), "locks", "secret");
        factories.add(factory);
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory),
                "distribution-lock",
                TestProcess.patient(InstanceName.create()),
                ReplicaAcks.NONE,
                new MessageSettings(mode, MessageSettings.MAX_INTERVAL));
        executors.add(executor);
        await().atMost(LONG)
                .ignoreExceptions()
                .until(() -> !executor.isLocked("not yet").join());
        return executor;
    }

    private static CompletableFuture<LockOutcome> attempt(RedisLockExecutor executor, LockKind kind) {
        return executor.acquire(
                LockRequest.named("name")
                        .kind(kind)
                        .tryLockTime(LONG)
                        .holdLockTime(Duration.ofMinutes(5))
                        .build(),
                LockOwner.unique());
    }

    private static Lease lease(CompletableFuture<LockOutcome> attempt) {
        return ((LockOutcome.Acquired) TestProcess.answer(attempt)).lease();
    }

    private void passOn(RedisLockExecutor here, RedisLockExecutor there, LockKind kind) {
        Lease held = lease(attempt(here, kind));
        List<CompletableFuture<LockOutcome>> waiting = List.of(attempt(there, kind), attempt(there, kind));
        await().atMost(LONG)
                .until(() -> Long.valueOf(1).equals(redis.command("EXISTS", "distribution-lock:{name}:queue")));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        waiting.forEach(each -> assertThat(lease(each).release()).isEqualTo(ReleaseResult.RELEASED));
    }

    private void assertNoMessages() {
        for (String command : List.of("publish", "subscribe")) {
            assertThat(redis.calls(command)).as(command).isZero();
        }
    }

    @Test
    void aReleasedLockIsPassedOnWithoutAMessage(CapturedOutput output) {
        RedisLockExecutor here = process("", MessageMode.NONE);
        RedisLockExecutor there = process("", MessageMode.NONE);
        for (LockKind kind : List.of(LockKind.REENTRANT, LockKind.FAIR, LockKind.WRITE)) {
            passOn(here, there, kind);
        }
        assertNoMessages();
        assertThat(output).doesNotContain("distribution-lock.redis.messages");
    }

    @Test
    void aForcedReleaseIsNoticedByTheNextCheck() {
        RedisLockExecutor here = process("", MessageMode.NONE);
        RedisLockExecutor there = process("", MessageMode.NONE);
        Lease held = lease(attempt(here, LockKind.REENTRANT));
        assertThat(TestProcess.answer(there.forceRelease("name"))).isTrue();
        await().atMost(LONG).until(() -> !held.isValid());
        assertNoMessages();
    }

    @Test
    void manyWhoWaitPollInOneCommand() {
        RedisLockExecutor here = process("", MessageMode.NONE);
        RedisLockExecutor there = process("", MessageMode.NONE);
        Lease held = lease(attempt(here, LockKind.FAIR));
        List<CompletableFuture<LockOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(attempt(there, LockKind.FAIR));
        }
        await().atMost(LONG)
                .until(() -> Long.valueOf(50).equals(redis.command("ZCARD", "distribution-lock:{name}:queue")));
        redis.resetCalls();
        // Only a heartbeat runs ZMSCORE.
        await().atMost(LONG).until(() -> redis.calls("zmscore") >= 10);
        assertThat(redis.calls("evalsha")).isLessThan(3 * redis.calls("zmscore"));
        held.release();
        waiting.forEach(each -> lease(each).release());
    }

    @Test
    void aUserWhoMayNotSubscribePolls(CapturedOutput output) {
        RedisLockExecutor here = process(" -subscribe", MessageMode.AUTO);
        RedisLockExecutor there = process(" -subscribe", MessageMode.AUTO);
        passOn(here, there, LockKind.REENTRANT);
        passOn(there, here, LockKind.REENTRANT);
        bothSayThatTheyPoll(output);
        assertThat(output).containsPattern("refuses the messages .*\\(\"NOPERM .*subscribe");
    }

    @Test
    void aUserWhoMayNotPublishPolls(CapturedOutput output) {
        RedisLockExecutor here = process(" -publish", MessageMode.AUTO);
        RedisLockExecutor there = process(" -publish", MessageMode.AUTO);
        passOn(here, there, LockKind.REENTRANT);
        passOn(there, here, LockKind.FAIR);
        bothSayThatTheyPoll(output);
    }

    private static void bothSayThatTheyPoll(CapturedOutput output) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(output.getOut()
                                .lines()
                                .filter(line -> line.contains("distribution-lock.redis.messages=none")))
                        .hasSize(2));
    }
}
