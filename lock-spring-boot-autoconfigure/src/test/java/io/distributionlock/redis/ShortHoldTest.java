package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An answer of Redis takes longer than locks are held: each lease is over when the attempt hears of it. */
@Tag("server")
@Tag("boot4")
class ShortHoldTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Pattern ANSWER_TOOK = Pattern.compile("answer took (\\d+) ms");

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @AutoClose
    private static final TcpProxy network = new TcpProxy(redis.port());

    @BeforeAll
    static void slowDown() {
        network.latency(Duration.ofMillis(200));
    }

    @AfterAll
    static void hurry() {
        network.latency(Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource
    void endsAnAttemptThatMayWaitForEver(LockKind kind) {
        run(locks -> {
            LockOutcome outcome = answer(locks.acquireAsync(
                    shortly(locks, kind).tryLockTime(LockRequest.FOREVER).build()));

            assertSaysWhatToDo(outcome, "holdLockTime is 100 ms", "longer holdLockTime");
        });
    }

    @Test
    void endsAnAttemptThatDoesNotWait() {
        run(locks -> assertThatThrownBy(() -> locks.acquire(shortly(locks, LockKind.REENTRANT)
                        .tryLockTime(Duration.ZERO)
                        .build()))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("Acquiring lock 'name' failed after ")
                .hasMessageContaining("holdLockTime is 100 ms"));
    }

    /** Not "no answer came", nor "busy". */
    @Test
    void isWhyAnAttemptHasEndedInVain() {
        run(locks -> {
            answer(locks.acquireAsync(locks.request("other").build()));

            // Long enough for an answer, on a busy machine too.
            LockOutcome outcome = answer(locks.acquireAsync(shortly(locks, LockKind.FAIR)
                    .tryLockTime(Duration.ofSeconds(5))
                    .build()));

            assertSaysWhatToDo(outcome, "holdLockTime is 100 ms", "longer holdLockTime");
        });
    }

    @Test
    void endsAnnotatedCalls() {
        application()
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Service.class).work())
                        .isInstanceOf(LockBackendException.class)
                        .hasMessageContaining("holdLockTime is 100 ms"));
    }

    /** It is no hold time then. */
    @Test
    void namesTheLeaseTimeOfARenewedLock() {
        application()
                .withPropertyValues("distribution-lock.defaults.lease-time=100ms")
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    assertSaysWhatToDo(
                            answer(locks.acquireAsync(locks.request("name")
                                    .tryLockTime(LockRequest.FOREVER)
                                    .build())),
                            "lease-time is 100 ms",
                            "longer distribution-lock.defaults.lease-time");
                });
    }

    /** They wait in one line. */
    @Test
    void failsOnlyThoseWhoseOwnHoldTimeIsShort() {
        run(locks -> {
            List<CompletableFuture<LockOutcome>> tooShort = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                tooShort.add(locks.acquireAsync(shortly(locks, LockKind.REENTRANT)
                        .tryLockTime(LockRequest.FOREVER)
                        .build()));
            }
            CompletableFuture<LockOutcome> patient = locks.acquireAsync(locks.request("name")
                    .holdLockTime(LONG)
                    .tryLockTime(LockRequest.FOREVER)
                    .build());

            tooShort.forEach(each -> assertSaysWhatToDo(answer(each), "holdLockTime is 100 ms", "longer holdLockTime"));
            Lease held = ((LockOutcome.Acquired) answer(patient)).lease();
            assertThat(held.isValid()).isTrue();
            held.release();
        });
    }

    private static LockRequest.Builder shortly(LockTemplate locks, LockKind kind) {
        LockRequest.Builder request = locks.request("name").kind(kind).holdLockTime(Duration.ofMillis(100));
        return kind == LockKind.PERMIT ? request.permits(1) : request;
    }

    private static void assertSaysWhatToDo(LockOutcome outcome, String hold, String remedy) {
        assertThat(outcome).isInstanceOf(LockOutcome.BackendFailed.class);
        String message = LockNotAcquiredException.of("name", (LockOutcome.NotAcquired) outcome)
                .getMessage();
        assertThat(message).contains(hold, remedy);
        Matcher answerTook = ANSWER_TOOK.matcher(message);
        assertThat(answerTook.find()).as(message).isTrue();
        assertThat(Long.parseLong(answerTook.group(1))).isBetween(400L, 30_000L);
    }

    private static LockOutcome answer(CompletableFuture<LockOutcome> attempt) {
        assertThat(attempt).succeedsWithin(LONG);
        return attempt.join();
    }

    private static void run(Consumer<LockTemplate> test) {
        application().run(context -> test.accept(context.getBean(LockTemplate.class)));
    }

    private static ApplicationContextRunner application() {
        return LockContextRunner.redis(network.port())
                // Nobody releases what a test still holds.
                .withPropertyValues("distribution-lock.shutdown.timeout=0s")
                .withUserConfiguration(Service.class);
    }

    static class Service {

        @DistributionLock(key = "name", holdLockTime = 100)
        public void work() {}
    }
}
