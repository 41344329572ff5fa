package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.DelegatingLockExecutor.DelegatingLease;
import io.distributionlock.hold.LockScope;
import io.distributionlock.hold.LockScope.EnclosingTransaction;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application has put around an executor, or in its place, may throw where it must not. */
class DefectiveExecutorTest {

    private final LocalBackend backend = new LocalBackend();
    private final LocalLockExecutor executor = new LocalLockExecutor(backend);
    private final LockScope reporting = new LockScope() {

        @Override
        public EnclosingTransaction enclosingTransaction(Work work) {
            return null;
        }
    };

    @AfterEach
    void close() {
        executor.close();
    }

    static Stream<Consumer<LockTemplate>> waysToHoldALock() {
        LockRequest request = LockRequest.named("a").build();
        List<LockRequest> several = List.of(request, LockRequest.named("b").build());
        return Stream.of(
                template -> template.executeWithoutResult(request, () -> {}),
                template -> template.tryExecuteWithoutResult(request, () -> {}),
                template -> template.acquire(request),
                template -> template.lock("a").lock(),
                template -> MultiLock.of(template, several).executeWithoutResult(() -> {}),
                template -> MultiLock.of(template, several).acquire());
    }

    /** Otherwise it would be renewed for as long as the process runs: nobody has it who could release it. */
    @ParameterizedTest
    @MethodSource("waysToHoldALock")
    void aLockWhoseLeaseRefusesAListenerIsGivenBack(Consumer<LockTemplate> way) {
        LockTemplate template = reporting
                .applyTo(LockTemplate.builder(executor).decorate(DeafExecutor::new))
                .build();
        assertThatThrownBy(() -> way.accept(template)).hasMessage("deaf");
        assertThat(backend.namesInUse()).isEmpty();
    }

    @Test
    void aLockThatATransactionRefusesToKeepIsGivenBack() {
        LockScope refusing = work -> locks -> {
            throw new IllegalStateException("full");
        };
        LockTemplate template = refusing.applyTo(LockTemplate.builder(executor)).build();
        assertThatThrownBy(() -> template.executeWithoutResult("a", () -> {})).hasMessage("full");
        assertThat(backend.namesInUse()).isEmpty();
    }

    /** Also if the thread was interrupted meanwhile: its attempt can no longer be cancelled then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExceptionInPlaceOfAnOutcomeIsCalledADefect(boolean interrupted) {
        Thread caller = Thread.currentThread();
        LockTemplate template = LockTemplate.builder(new DelegatingLockExecutor(executor) {

                    @Override
                    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                        if (!interrupted) {
                            return CompletableFuture.failedFuture(new IllegalStateException("failed"));
                        }
                        caller.interrupt();
                        return new FailedWhenCancelled();
                    }
                })
                .build();
        assertThatThrownBy(() -> template.acquire("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("The lock executor is defective")
                .hasRootCauseMessage("failed");
        assertThat(Thread.interrupted()).isEqualTo(interrupted);
    }

    private static final class FailedWhenCancelled extends CompletableFuture<LockOutcome> {

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            completeExceptionally(new IllegalStateException("failed"));
            return false;
        }
    }

    private static final class DeafExecutor extends DelegatingLockExecutor {

        DeafExecutor(LockExecutor delegate) {
            super(delegate);
        }

        @Override
        public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
            return super.acquire(request, owner).thenApply(outcome -> {
                Lease lease = ((LockOutcome.Acquired) outcome).lease();
                return new LockOutcome.Acquired(new DelegatingLease(lease) {

                    @Override
                    public void onLost(Consumer<? super Lease> listener) {
                        throw new IllegalStateException("deaf");
                    }
                });
            });
        }
    }
}
