package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.integration.DistributionLockRegistry;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.ReplicaAcks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A duration that no arithmetic can hold is taken for the longest, or refused by an error that names it. */
class LongDurationsTest {

    private static final Duration MAX = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration MIN = Duration.ofSeconds(Long.MIN_VALUE);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @AutoClose
    private static final LocalLockExecutor executor = new LocalLockExecutor();

    private static final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);

    static Stream<Arguments> refused() {
        return Stream.of(MAX, MIN)
                .flatMap(duration -> Stream.of(
                        call(
                                "tryLockTime",
                                () -> locks.request("a").tryLockTime(duration).build()),
                        call(
                                "holdLockTime",
                                () -> locks.request("a").holdLockTime(duration).build()),
                        call(
                                "ease",
                                () -> locks.request("a").renewedLease(duration).build()),
                        call(
                                "maxHoldTime",
                                () -> locks.request("a").maxHoldTime(duration).build()),
                        call(
                                "minHoldTime",
                                () -> locks.request("a").minHoldTime(duration).build()),
                        call(
                                "refuseRepeats",
                                () -> locks.request("a").refuseRepeats(duration).build()),
                        call("tryLockTime", () -> new LockDefaults(duration, SHORT, null)),
                        call("ease", () -> new LockDefaults(SHORT, duration, null)),
                        call("holdLockTime", () -> locks.lock("a").lock(duration)),
                        call("holdLockTime", () -> locks.lock("a").tryLock(SHORT, duration)),
                        call("holdLockTime", () -> new DistributionLockRegistry(locks).renewLock("held", duration)),
                        call("ease", () -> new LeaderElection(locks, "a", duration)),
                        call("commandTimeout", () -> settings().withCommandTimeout(duration)),
                        call(
                                "nodeTimeout",
                                () -> new QuorumSettings(QuorumMode.ALL, duration, 0, SHORT, Duration.ZERO)),
                        call("retryDelay", () -> new QuorumSettings(QuorumMode.ALL, SHORT, 0, duration, Duration.ZERO)),
                        call("restartDelay", () -> new QuorumSettings(QuorumMode.ALL, SHORT, 0, SHORT, duration)),
                        call("timeout", () -> new ReplicaAcks(1, duration))));
    }

    private static Arguments call(String named, ThrowingCallable call) {
        return Arguments.of(named, call);
    }

    private static EngineSettings settings() {
        return EngineSettings.standard("me");
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedByName(String named, ThrowingCallable call) {
        locks.lock("held").lock();
        try {
            assertThat(catchThrowable(call))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(named);
        } finally {
            locks.lock("held").unlock();
        }
    }

    @Test
    void isTakenForTheLongestOrForNone() throws Exception {
        DistributedLock lock = locks.lock("a");
        for (long time : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(lock.tryLock(time, TimeUnit.DAYS)).isTrue();
            lock.unlock();
        }
        for (Duration duration : new Duration[] {MAX, MIN}) {
            assertThat(lock.tryLock(duration, SHORT)).isTrue();
            lock.unlock();
            LocalLockExecutor another = new LocalLockExecutor();
            another.isLocked("a").join();
            another.stop(duration);
        }
        LocalLockExecutor another = new LocalLockExecutor();
        new LockTemplate(another, LockDefaults.STANDARD).acquire("held");
        another.stop(MIN);
        assertThat(another.snapshot().held()).isEmpty();
    }
}
