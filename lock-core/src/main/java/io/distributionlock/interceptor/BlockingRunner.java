package io.distributionlock.interceptor;

import io.distributionlock.LockOwner;
import io.distributionlock.failure.FailureAnswers;
import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.hold.LockScope.EnclosingTransaction;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Acquires the locks, runs the method and releases the locks, all on the caller's thread. */
final class BlockingRunner implements CallRunner {

    private final FailureAnswers answers;
    private final Supplier<LockScope> scope;

    BlockingRunner(FailureAnswers answers, Supplier<LockScope> scope) {
        this.answers = answers;
        this.scope = scope;
    }

    @Override
    public @Nullable Object run(LockInvocationContext call) throws Throwable {
        EnclosingTransaction transaction = scope.get().enclosingTransaction(call);
        LockOwner thread = LockOwner.currentThread();
        Map<String, LockOwner> around = AsyncLockScope.ownersAround(call, CurrentLocks.all());
        AttemptResult attempted = AttemptResult.acquire(call, name -> around.getOrDefault(name, thread));
        AttemptResult.Failed refused = attempted.refused();
        if (refused != null) {
            return answers.proceedsWithoutLock(call, refused)
                    ? call.invocation().proceed()
                    : answers.answer(call, refused);
        }
        HeldLocks held = call.holding(attempted.leases(), scope.get());
        return held.runAndRelease(transaction, () -> call.proceed(held));
    }
}
