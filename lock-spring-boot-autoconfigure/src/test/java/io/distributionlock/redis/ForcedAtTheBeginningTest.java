package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process releases its own lock by force before it listens to messages, or without listening ever. */
@Tag("server")
@Tag("boot4")
class ForcedAtTheBeginningTest {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @ParameterizedTest
    @CsvSource({"auto, REENTRANT", "auto, FAIR", "auto, READ", "none, REENTRANT"})
    void isNotTakenForALossOfData(String messages, LockKind kind) {
        LockContextRunner.redis(redis.port())
                .withPropertyValues("distribution-lock.redis.messages=" + messages)
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    Lease lease = locks.acquire(locks.request("name").kind(kind).build());

                    assertThat(locks.forceRelease("name").join()).isTrue();

                    await().atMost(Duration.ofSeconds(60)).until(() -> lease.lossReason() != LossReason.UNKNOWN);
                    assertThat(lease.lossReason()).isEqualTo(LossReason.FORCED);
                });
    }
}
