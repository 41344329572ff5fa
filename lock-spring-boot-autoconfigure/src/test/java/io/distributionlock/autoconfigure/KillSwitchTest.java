package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** {@code distribution-lock.enabled=false}: everything runs, and nothing is locked. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class KillSwitchTest {

    private final ApplicationContextRunner application = LockContextRunner.plain()
            .withUserConfiguration(Service.class)
            .withPropertyValues("distribution-lock.enabled=false");

    @Test
    void methodsRunUnlockedAndTheStartLogsAWarning(CapturedOutput output) {
        application.run(context -> {
            assertThat(output).contains("NOTHING IS LOCKED").contains("distribution-lock.enabled");
            Service service = context.getBean(Service.class);
            CountDownLatch both = new CountDownLatch(2);
            CompletableFuture<Boolean> one = CompletableFuture.supplyAsync(() -> service.meet(both));
            CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> service.meet(both));
            assertThat(one.join()).isTrue();
            assertThat(other.join()).isTrue();
        });
    }

    @Test
    void theContextAndTheTokensOfAMethodWorkAndGrow() {
        application.run(context -> {
            Service service = context.getBean(Service.class);
            assertThat(service.isHeld()).isTrue();
            long first = service.token(0);
            assertThat(service.token(0)).isGreaterThan(first);
        });
    }

    @Test
    void programmaticLeasesAndViewsCountTheirHoldsAndGuardNothing() {
        application.run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            Lease lease = template.acquire("stock");
            Lease again = template.acquire("stock");
            assertThat(lease.isValid()).isTrue();
            assertThat(again.release()).isEqualTo(ReleaseResult.STILL_HELD);
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(lease.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
            assertThat(lease.isValid()).isFalse();

            DistributedLock view = template.lock("stock");
            view.lock();
            assertThat(view.isHeldByCurrentThread()).isTrue();
            assertThat(view.isLocked()).isFalse();
            view.unlock();
            assertThat(view.isHeldByCurrentThread()).isFalse();
        });
    }

    @Test
    void anExecutorOfTheApplicationIsNotAskedEither() {
        ScriptedLockExecutor own = new ScriptedLockExecutor();
        application.withBean(ScriptedLockExecutor.class, () -> own).run(context -> {
            assertThat(context.getBean(Service.class).isHeld()).isTrue();
            assertThat(own.requests()).isEmpty();
        });
    }

    @Test
    void redisIsNotTouchedAndTokensOfRedisAreGreaterAgainWhenItIsSwitchedOn() {
        try (RedisProcess redis = RedisProcess.start()) {
            ApplicationContextRunner withRedis = application.withBean(
                    LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", redis.port()));
            long[] unguarded = {0};
            withRedis.run(context -> {
                assertThat(context).doesNotHaveBean(RedisLockExecutor.class).hasSingleBean(LockExecutor.class);
                unguarded[0] = context.getBean(Service.class).token(0);
                assertThat(redis.calls("evalsha") + redis.calls("eval")).isZero();
            });
            withRedis
                    .withPropertyValues("distribution-lock.enabled=true", "distribution-lock.redis.command-timeout=20s")
                    .run(context ->
                            assertThat(context.getBean(Service.class).token(0)).isGreaterThan(unguarded[0]));
        }
    }

    public static class Service {

        @DistributionLock(key = "meet")
        public boolean meet(CountDownLatch both) {
            both.countDown();
            try {
                return both.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @DistributionLock(key = "token")
        public long token(@FencingToken long token) {
            return token;
        }

        @DistributionLock(key = "held")
        public boolean isHeld() {
            return LockContext.isHeld();
        }
    }
}
