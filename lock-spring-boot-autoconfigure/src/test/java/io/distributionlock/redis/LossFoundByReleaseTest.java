package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockLostException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.OnLost;
import io.distributionlock.ReleaseResult;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

/** Redis loses its data while locks are held, and their releases are the first to find that: each loss is reported once. */
@Tag("server")
@Tag("boot4")
@Timeout(240)
@ExtendWith(OutputCaptureExtension.class)
class LossFoundByReleaseTest {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    private static void loseData() {
        redis.command("FLUSHALL");
    }

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT", "FAIR", "READ"})
    void isReportedOnce(LockKind kind, CapturedOutput output) {
        LockContextRunner.redis(redis.port())
                .withUserConfiguration(Service.class, Listener.class)
                .run(context -> {
                    List<LockLostEvent> heard = context.getBean(Listener.class).heard;
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    LockRequest executed = locks.request("executed")
                            .kind(kind)
                            .onLost(OnLost.THROW)
                            .build();

                    assertGone(context.getBean(Service.class)::update);
                    assertGone(() -> locks.executeWithoutResult(executed, LossFoundByReleaseTest::loseData));
                    Lease acquired =
                            locks.acquire(locks.request("acquired").kind(kind).build());
                    loseData();
                    assertThat(acquired.release()).isEqualTo(ReleaseResult.LOST);
                    assertThat(acquired.lossReason()).isEqualTo(LossReason.GONE);
                    assertThat(acquired.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);

                    await().atMost(Duration.ofSeconds(60)).until(() -> heard.size() >= 3);
                    assertThat(heard)
                            .extracting(LockLostEvent::lockName)
                            .containsExactlyInAnyOrder("annotated", "executed", "acquired");
                    assertThat(heard).extracting(LockLostEvent::reason).containsOnly(LossReason.GONE);
                    for (LockLostEvent loss : heard) {
                        // The line is written after the event.
                        await().atMost(Duration.ofSeconds(60))
                                .untilAsserted(
                                        () -> assertThat(output.toString().lines())
                                                .filteredOn(line -> line.contains("'" + loss.lockName() + "'"))
                                                .singleElement()
                                                .asString()
                                                .contains(
                                                        "WARN",
                                                        "Lost lock '" + loss.lockName() + "'",
                                                        "before it was released",
                                                        "Another holder may have acquired the lock"));
                    }
                });
    }

    private static void assertGone(ThrowingCallable work) {
        LockLostException lost = catchThrowableOfType(LockLostException.class, work);
        assertThat(lost.reason()).isEqualTo(LossReason.GONE);
    }

    static class Service {

        @DistributionLock(key = "annotated", onLost = OnLost.THROW)
        public void update() {
            loseData();
        }
    }

    static class Listener {

        final List<LockLostEvent> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LockLostEvent event) {
            heard.add(event);
        }
    }
}
