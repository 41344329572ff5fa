package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lock has in Redis lasts as long as the lock. */
@Tag("server")
class KeysInRedisIT extends FaultSuite {

    @ParameterizedTest
    @EnumSource(names = {"REENTRANT", "READ"})
    void theFencingNumberOutlivesALeaseThatIsExtended(LockKind kind) {
        Lease lease = here.locks()
                .acquire(fixed(Duration.ofMinutes(1)).toBuilder()
                        .kind(kind)
                        .fenced()
                        .build());
        // Longer than a number is kept otherwise.
        Duration longer = Duration.ofHours(1);
        assertThat(lease.extend(longer)).isTrue();
        assertThat(left(ownerKey(name) + ":fence")).isGreaterThan(longer);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(there, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    private Duration left(String key) {
        return Duration.ofMillis((Long) redis.command("PTTL", key));
    }

    @Test
    void aReaderKeepsOutWritersForAsLongAsItsLeaseIsExtended() {
        Instance reading = newInstance(redis.port(), settings(Duration.ofMillis(200), Duration.ofMillis(400)));
        Lease reader = reading.locks()
                .acquire(fixed(Duration.ofSeconds(3)).toBuilder()
                        .kind(LockKind.READ)
                        .build());
        assertThat(reader.extend(LONG_LEASE)).isTrue();
        // Longer than the first lease, and than what its process leaves behind it.
        LockRequest write = single(LockKind.WRITE, LONG_LEASE).toBuilder()
                .tryLockTime(Duration.ofMillis(4_500))
                .build();
        assertThat(answeredAttempt(there, write)).isInstanceOf(LockOutcome.Busy.class);
        assertThat(reader.confirm()).isTrue();
        assertThat(reader.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(there, write).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void onceTheLastWaiterHasLeftAReleaseCostsAsLittleAsIfNobodyHadWaited() {
        long alone = costOfRelease(acquire(here, renewed(LONG_LEASE)));
        // Once more if something else was sent meanwhile.
        eventually().untilAsserted(() -> {
            ObservedLease held = acquire(here, renewed(LONG_LEASE));
            CompletableFuture<LockOutcome> waiter = startAttempt(there, renewed(LONG_LEASE));
            eventually().until(() -> queueLength(name) == 1);
            assertThat(waiter.cancel(true)).isTrue();
            eventually().until(() -> queueLength(name) == 0);
            there.awaitAnswers(name);
            assertThat(costOfRelease(held)).isLessThanOrEqualTo(alone);
        });
    }

    private long costOfRelease(ObservedLease lease) {
        redis.resetCalls();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        return redis.calls();
    }
}
