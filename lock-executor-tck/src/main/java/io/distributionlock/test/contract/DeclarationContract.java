package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** An executor says which kinds of locks it supports, and where it keeps them. */
abstract class DeclarationContract extends ContractSuite {

    @OnEveryThreadKind
    void reentrantLocksAreSupported() {
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
    void executorAlwaysNamesTheSameBackendAndNoOtherDoes() {
        LockExecutor executor = newExecutor();
        assertThat(executor.backend())
                .isSameAs(executor.backend())
                .isNotSameAs(newExecutor().backend());
    }
}
