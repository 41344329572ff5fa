package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** An executor says which kinds of locks it supports, and its leases say where they come from. */
abstract class DeclarationContract extends ContractSuite {

    @OnEveryThreadKind
    void plainLocksAreSupported() {
        assertThat(here.kinds()).contains(LockKind.REENTRANT).isEqualTo(there.kinds());
    }

    @OnEveryThreadKind
    void undeclaredKindIsRefused() {
        LockExecutor executor = newExecutor();
        Set<LockKind> undeclared = EnumSet.allOf(LockKind.class);
        undeclared.removeAll(executor.kinds());
        for (LockKind kind : undeclared) {
            LockRequest.Builder asked = LockRequest.named(name);
            LockRequest request = (kind == LockKind.PERMIT ? asked.permits(1) : asked.kind(kind)).build();
            assertThat(executor.acquire(request, LockOwner.unique()))
                    .as(kind.name())
                    .failsWithin(SOON)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    @OnEveryThreadKind
    void leaseNamesTheBackendOfItsExecutor() throws Exception {
        LockExecutor executor = newExecutor();
        LockRequest request = once();
        Lease lease = leaseOf(outcomeOf(executor.acquire(request, LockOwner.unique())));
        assertThat(lease.backend()).isSameAs(executor.backend()).isSameAs(executor.backend());
        assertThat(lease.name()).isEqualTo(name);
        lease.close();
        Lease elsewhere = leaseOf(outcomeOf(newExecutor().acquire(request, LockOwner.unique())));
        assertThat(elsewhere.backend()).isNotSameAs(executor.backend());
        elsewhere.close();
    }
}
