package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Views of a lock, beside what each executor keeps. */
class DistributedLockTest {

    /** It would stay held: who unlocks once more finds the hold that was lost. */
    @Test
    @SuppressWarnings("LockNotBeforeTry") // Nothing is locked in the end.
    void aHoldThatIsGrantedWhileTheOneAroundItIsLostIsGivenBack() {
        ScriptedLockExecutor executor = new ScriptedLockExecutor() {

            @Override
            public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                leases().forEach(ScriptedLease::lose);
                return super.acquire(request, owner);
            }
        };
        DistributedLock lock = new LockTemplate(executor, LockDefaults.STANDARD).lock("order");
        lock.lock();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::tryLock);
        assertThat(executor.isHeld("order")).isFalse();
    }
}
