package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.HeldLocks;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockScope;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("boot4")
class TransactionHoldTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final TransactionHold hold = new TransactionHold();

    private HeldLocks held(String name) {
        LockRequest request = LockRequest.named(name).build();
        LockOutcome outcome = executor.acquire(request, LockOwner.unique()).getNow(null);
        return new HeldLocks(
                () -> "the work", List.of(request), List.of(((LockOutcome.Acquired) outcome).lease()), LockScope.NONE);
    }

    @Test
    void locksAreKeptUntilTheEndAndReleasedInReverseOrder() {
        HeldLocks first = held("a");
        HeldLocks second = held("b");
        hold.keep(first);
        hold.keep(second);
        hold.keep(second);
        first.release();
        second.release();
        assertThat(executor.events()).containsExactly("lock a", "lock b");
        hold.end(false);
        assertThat(executor.events()).containsExactly("lock a", "lock b", "unlock b", "unlock a");
    }

    @Test
    void nothingIsKeptAfterTheEnd() {
        hold.end(false);
        HeldLocks late = held("a");
        hold.keep(late);
        late.release();
        assertThat(executor.isHeld("a")).isFalse();
    }

    @Test
    void keptAndGuardedLocksMustBeValid() {
        hold.keep(held("kept"));
        hold.guard(held("guarded"));
        hold.requireValid();
        executor.leases().get(1).lose();
        assertThatThrownBy(hold::requireValid)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("guarded");
        hold.end(false);
        hold.requireValid();
    }

    @Test
    void siblingAsynchronousCallsDoNotShareAnOwner() {
        Set<String> names = Set.of("a");
        LockOwner first = hold.ownerOfAsyncCall(names);
        assertThat(hold.ownerOfAsyncCall(names)).isNotEqualTo(first);
        assertThat(hold.ownerOfAsyncCall(Set.of("b"))).isEqualTo(first);
        hold.asyncCallEnded(first, names, true);
        assertThat(hold.ownerOfAsyncCall(names)).isEqualTo(first);
    }

    @Test
    void aBlockingCallEntersWhatAnAsynchronousCallHasLeftOnly() {
        Set<String> names = Set.of("a");
        assertThat(hold.ownerOfBlockingCall(names)).isEqualTo(LockOwner.currentThread());
        LockOwner lent = hold.ownerOfAsyncCall(names);
        assertThat(hold.ownerOfBlockingCall(names)).isEqualTo(LockOwner.currentThread());
        hold.asyncCallEnded(lent, names, true);
        assertThat(hold.ownerOfBlockingCall(names)).isEqualTo(lent);
        assertThat(hold.ownerOfBlockingCall(Set.of("b"))).isEqualTo(LockOwner.currentThread());
    }

    @Test
    void aCallWithoutItsLocksLeavesNothing() {
        Set<String> names = Set.of("a");
        hold.asyncCallEnded(hold.ownerOfAsyncCall(names), names, false);
        assertThat(hold.ownerOfBlockingCall(names)).isEqualTo(LockOwner.currentThread());
    }
}
