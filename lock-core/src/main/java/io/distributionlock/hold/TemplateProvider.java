package io.distributionlock.hold;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplate.CheckedWork;
import io.distributionlock.LockTemplate.Execution;
import io.distributionlock.MultiLock;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Does the work of templates, in one scope.
 *
 * @hidden
 */
@Internal
public final class TemplateProvider implements LockTemplate.Provider {

    private final LockScope scope;
    /** One instance for all leases, of which there may be very many. */
    private final Consumer<Lease> reportLoss;

    /** For templates that no scope applies to; found by {@link java.util.ServiceLoader}. */
    public TemplateProvider() {
        this(LockScope.NONE);
    }

    TemplateProvider(LockScope scope) {
        this.scope = scope;
        this.reportLoss = scope::lost;
    }

    @Override
    public LockOutcome attempt(LockExecutor executor, LockRequest request, LockOwner owner) {
        LockOutcome outcome = LockAttempts.attempt(executor, request, owner);
        if (outcome instanceof LockOutcome.Acquired acquired) {
            reportLossesOrGiveBack(List.of(acquired.lease()));
        }
        return outcome;
    }

    @Override
    public CompletableFuture<LockOutcome> attemptAsync(LockExecutor executor, LockRequest request, LockOwner owner) {
        CompletableFuture<LockOutcome> attempt = executor.acquire(request, owner);
        if (scope != LockScope.NONE) {
            attempt.thenAccept(outcome -> reportLosses(leasesOf(outcome)));
        }
        return OffloadedFuture.ofAttempt(attempt, outcome -> LockAttempts.giveBack(leasesOf(outcome)));
    }

    private static List<Lease> leasesOf(LockOutcome outcome) {
        return outcome instanceof LockOutcome.Acquired acquired ? List.of(acquired.lease()) : List.of();
    }

    @Override
    public MultiLock.Outcome attemptAll(LockExecutor executor, List<LockRequest> requests, LockOwner owner) {
        MultiLock.Outcome outcome = LockAttempts.attemptAll(executor, requests, name -> owner);
        reportLossesOrGiveBack(leasesOf(outcome));
        return outcome;
    }

    @Override
    public CompletableFuture<MultiLock.Outcome> attemptAllAsync(
            LockExecutor executor, List<LockRequest> requests, LockOwner owner) {
        CompletableFuture<MultiLock.Outcome> attempt = LockAttempts.attemptAllAsync(executor, requests, name -> owner);
        attempt.thenAccept(outcome -> reportLosses(leasesOf(outcome)));
        return OffloadedFuture.ofAttempt(attempt, outcome -> LockAttempts.giveBack(leasesOf(outcome)));
    }

    private static List<Lease> leasesOf(MultiLock.Outcome outcome) {
        return outcome instanceof MultiLock.Outcome.Acquired acquired ? acquired.leases() : List.of();
    }

    /** Has the scope told of losses before the release. {@link HeldLocks} does that for the work under the locks. */
    void reportLossesOrGiveBack(List<Lease> leases) {
        LockAttempts.orGiveBack(leases, () -> reportLosses(leases));
    }

    private void reportLosses(List<Lease> leases) {
        if (scope != LockScope.NONE) {
            leases.forEach(lease -> lease.onLost(reportLoss));
        }
    }

    @Override
    public <T, E extends Exception> Execution<T> run(
            String method, LockExecutor executor, LockRequest request, boolean unlessBusy, CheckedWork<T, E> work)
            throws E {
        LockScope.Work described = () -> method;
        LockScope.EnclosingTransaction transaction = scope.enclosingTransaction(described);
        LockOutcome outcome = LockAttempts.attempt(executor, request, LockOwner.currentThread());
        if (outcome instanceof LockOutcome.NotAcquired refused) {
            return notRun(request, refused, unlessBusy);
        }
        HeldLocks held = new HeldLocks(described, List.of(request), leasesOf(outcome), scope);
        return new Execution<>(true, held.runAndRelease(transaction, work::run));
    }

    @Override
    public <T, E extends Exception> Execution<T> runAll(
            String method,
            LockExecutor executor,
            List<LockRequest> requests,
            boolean unlessBusy,
            CheckedWork<T, E> work)
            throws E {
        LockScope.Work described = () -> method;
        LockScope.EnclosingTransaction transaction = scope.enclosingTransaction(described);
        LockOwner owner = LockOwner.currentThread();
        MultiLock.Outcome outcome = LockAttempts.attemptAll(executor, requests, name -> owner);
        if (outcome instanceof MultiLock.Outcome.NotAcquired refused) {
            return notRun(refused.request(), refused.outcome(), unlessBusy);
        }
        HeldLocks held = new HeldLocks(described, requests, leasesOf(outcome), scope);
        return new Execution<>(true, held.runAndRelease(transaction, work::run));
    }

    private static <T> Execution<T> notRun(LockRequest request, LockOutcome.NotAcquired refused, boolean unlessBusy) {
        if (unlessBusy && refused.reason() == LockFailureReason.BUSY) {
            return new Execution<>(false, null);
        }
        throw LockNotAcquiredException.of(request, refused);
    }

    @Override
    public DistributedLock view(LockTemplate template, String name, LockKind kind, int permits) {
        requireKind(template, name, kind);
        return new LockView(this, template, name, kind, permits);
    }

    private static void requireKind(LockTemplate template, String name, LockKind kind) {
        if (!template.kinds().contains(kind)) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(name) + "' cannot be acquired as " + kind
                    + ": the executor supports only " + template.kinds() + ". Use one of these, or another executor.");
        }
    }

    @Override
    public List<Lease> leasesOfThread() {
        return CurrentLocks.leases();
    }
}
