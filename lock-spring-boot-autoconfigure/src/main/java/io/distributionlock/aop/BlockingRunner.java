package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.LockOwner;
import io.distributionlock.LockSurroundings;
import io.distributionlock.LockSurroundings.Surrounding;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for the locks on the caller's thread, runs the method there, and gives the locks back. */
final class BlockingRunner implements CallRunner {

    private final FailureAnswers answers;
    private final Supplier<LockSurroundings> surroundings;

    BlockingRunner(FailureAnswers answers, Supplier<LockSurroundings> surroundings) {
        this.answers = answers;
        this.surroundings = surroundings;
    }

    @Override
    public @Nullable Object run(LockedCall call) throws Throwable {
        Surrounding surrounding = surroundings.get().current(call);
        LockOwner owner = surrounding instanceof TransactionHold hold
                ? hold.ownerOfBlockingCall(call.namesToTake())
                : LockOwner.currentThread();
        Taking taking = LockTaker.take(call.toTake(), call.template(), owner);
        if (taking instanceof Taking.Refused refused) {
            return answers.proceedsWithoutLock(call, refused)
                    ? call.invocation().proceed()
                    : answers.answer(call, refused);
        }
        HeldLocks held = call.holding(((Taking.Taken) taking).leases(), surroundings.get());
        return held.runAndRelease(surrounding, () -> call.proceedToEnd(held));
    }
}
