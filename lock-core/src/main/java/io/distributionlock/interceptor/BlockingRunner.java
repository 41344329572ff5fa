package io.distributionlock.interceptor;

import io.distributionlock.LockOwner;
import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.hold.LockScope.EnclosingTransaction;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does all of it on the caller's thread. */
final class BlockingRunner extends CallRunner {

    BlockingRunner(FailureAnswers answers, Supplier<LockScope> scope) {
        super(answers, scope);
    }

    @Override
    @Nullable
    Object run(LockInvocationContext call) throws Throwable {
        EnclosingTransaction transaction = scope().enclosingTransaction(call);
        LockOwner thread = LockOwner.currentThread();
        Map<String, LockOwner> around = ownersAround(call, CurrentLocks.all());
        AttemptResult attempted = AttemptResult.acquire(call, name -> around.getOrDefault(name, thread));
        AttemptResult.Failed refused = attempted.refused();
        if (refused != null) {
            return answers.proceedsWithoutLock(call, refused)
                    ? call.invocation().proceed()
                    : answers.answer(call, refused);
        }
        HeldLocks held = call.holding(attempted.leases(), scope());
        return held.runAndRelease(transaction, () -> call.proceed(held));
    }
}
