package io.distributionlock.state;

import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the lock of one name. {@link LockState} answers it with {@link Decision}s.
 *
 * @hidden
 */
@Internal
public sealed interface Event {

    /** Decides what follows if this process no longer knows the name, claim or attempt that the event concerns. */
    default void onUnknownClaim(List<Decision> out) {}

    // ------------------------------------------------------------------ attempts

    /** A thread asks for the lock. */
    record Acquire(Waiter waiter) implements Event {}

    /** An attempt ends, unless its outcome is decided already. */
    record Cancel(Waiter waiter) implements Event {}

    // ------------------------------------------------------------------ one claim

    /** Concerns one claim. */
    sealed interface OfClaim extends Event {

        Claim claim();
    }

    /** Concerns one hold, and so the claim by which this process owns the lock. */
    sealed interface OfHold extends OfClaim {

        Hold hold();

        @Override
        default Claim claim() {
            return hold().ownership.claim();
        }
    }

    /** What became of a command, and so of the claim that it was sent for. */
    sealed interface OfCommand extends OfClaim {

        Decision.Command command();

        @Override
        default Claim claim() {
            return command().claim();
        }
    }

    /** Ends a hold. */
    record Release(Hold hold, CompletableFuture<ReleaseResult> result) implements OfHold {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            out.add(new Decision.Answer<>(result, hold.released ? ReleaseResult.ALREADY_RELEASED : ReleaseResult.LOST));
            hold.released = true;
        }
    }

    /** The release of a hold was answered: it was lost, which may be known by then. */
    record FoundLost(Hold hold, long answeredAt) implements OfHold {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            out.add(hold.ownership.foundLost(hold, answeredAt));
        }
    }

    /** The release of a hold need not keep the lock taken. */
    record WaiveMinHoldTime(Hold hold) implements OfHold {}

    /** Extends a hold so that it lasts at least this long from now. */
    record Extend(Hold hold, long nanos, CompletableFuture<Boolean> result) implements OfHold {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            out.add(new Decision.Answer<>(result, false));
        }
    }

    /** Asks the backend whether a hold is still held. */
    record Confirm(Hold hold, CompletableFuture<Boolean> result) implements OfHold {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            out.add(new Decision.Answer<>(result, false));
        }
    }

    /** Asks for the fencing token of a hold, which may have to be drawn. */
    record Number(Hold hold, CompletableFuture<Long> result) implements OfHold {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            long token = hold.token();
            out.add(token > 0 ? new Decision.Answer<>(result, token) : new Decision.NotNumbered(result, over()));
        }

        private IllegalStateException over() {
            return new IllegalStateException("The lease was " + (hold.released ? "released" : "lost")
                    + " before its fencing token was drawn. Ask for the token while the lock is held.");
        }
    }

    /** Registers a listener for the loss of a hold. */
    record ListenForLoss(Hold hold, LossListener listener) implements OfHold {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            if (!hold.released) {
                out.add(new Decision.ReportLoss(List.of(listener), null));
            }
        }
    }

    /** Somebody has noticed by the clock that a hold is over. */
    record Examine(Hold hold) implements OfHold {}

    // ------------------------------------------------------------------ answers of the backend

    record AcquireAnswered(Decision.SendAcquire command, AcquireReply reply) implements OfCommand {}

    record AcquireFailed(Decision.SendAcquire command, Throwable cause) implements OfCommand {}

    /** @param reply {@code null} if the command failed */
    record RenewAnswered(
            Decision.SendRenew command, @Nullable RenewReply reply) implements OfCommand {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            answer(false, out);
        }

        void answer(boolean held, List<Decision> out) {
            if (command.caller() != null) {
                out.add(new Decision.Answer<>(command.caller(), held));
            }
        }
    }

    /** @param fence the number that was drawn */
    record NumberAnswered(Decision.SendNumber command, long fence) implements OfCommand {}

    record NumberFailed(Decision.SendNumber command, Throwable cause) implements OfCommand {}

    // ------------------------------------------------------------------ messages of the backend

    /** A message says that the backend has made a waiting claim the owner. */
    record Granted(Claim claim) implements OfClaim {

        @Override
        public void onUnknownClaim(List<Decision> out) {
            out.add(new Decision.ReleaseUnknown(claim));
        }
    }

    /** A message asks whether this process knows a claim that owns the lock. */
    record OwnerProbed(Claim claim) implements OfClaim {

        /** The backend has lost its latest data, and still counts a claim as the owner that was given up. */
        @Override
        public void onUnknownClaim(List<Decision> out) {
            out.add(new Decision.ReleaseUnknown(claim));
        }
    }

    /** A message says that the claim was deprived of the lock by force. */
    record Revoked(Claim claim) implements OfClaim {}

    /** The backend has answered that the claim does not own the lock. */
    record Gone(Claim claim) implements OfClaim {}

    // ------------------------------------------------------------------ every claim

    /** Concerns every claim of the name. */
    sealed interface OfAll extends Event {}

    /** Messages arrive from now on. A grant or a forced release may have been missed before: ask at once. */
    record Listening() implements OfAll {}

    /** The connection is new: the backend may have lost data, and commands under way may run twice. */
    record Reconnected() implements OfAll {}

    /** Time has passed. */
    record Tick() implements OfAll {}

    /** The process stops: attempts that wait fail; holders continue. */
    record RefuseWaiters(Throwable cause) implements OfAll {}

    /** The process has waited long enough for its holders: every hold that remains is lost. */
    record RevokeAll() implements OfAll {}
}
