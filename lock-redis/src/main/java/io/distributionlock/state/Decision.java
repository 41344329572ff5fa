package io.distributionlock.state;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LockState} wants done after an {@link Event}. In this order, but that renewals and heartbeats that are due at one tick
 * are sent together: those before and those after all else.
 *
 * @hidden
 */
@Internal
public sealed interface Decision {

    /** What was decided about one name. */
    record Batch(String name, List<Decision> decisions) {}

    /** A command for one claim; an {@link Event.OfCommand} tells what became of it. */
    sealed interface Command extends Decision {

        Claim claim();
    }

    /**
     * Asks for the lock.
     *
     * @param inQueue whether the claim takes a place in the queue if the lock is not free
     * @param uncontended whether the cheapest command will do: the lock is probably free, its fencing number can be drawn later, and no
     *     duplicate is to be feared
     */
    record SendAcquire(
            Claim claim, long leaseMillis, boolean inQueue, boolean uncontended, long sentAt, InFlightAcquire flight)
            implements Command {}

    /** No attempt waits for the answers to these acquires any longer: those not sent yet are dropped. */
    record Drop(InFlightAcquire flight) implements Decision {}

    /**
     * Gives up a claim.
     *
     * @param minHoldMillis how long the lock stays taken after its release; 0 for not at all
     * @param result receives the outcome, if anything waits for it
     */
    record SendRelease(
            Claim claim,
            ReleaseMode mode,
            long minHoldMillis,
            @Nullable CompletableFuture<ReleaseResult> result) implements Decision {}

    /** What a release has to do. */
    enum ReleaseMode {

        /** An uncontended acquire was enough, and nobody is known to wait: so is the short release. */
        UNCONTENDED,

        /** Others may wait. */
        FULL,

        /** An acquire of the claim may still run, and must find a tombstone. */
        TOMBSTONE,

        /** As {@link #TOMBSTONE}, but the acquire may be an uncontended one, which ignores tombstones: the release is repeated. */
        TOMBSTONE_AND_RETRIES;

        public boolean writesTombstone() {
            return this == TOMBSTONE || this == TOMBSTONE_AND_RETRIES;
        }
    }

    /** Releases a claim that the backend holds for this process, which does not know it. */
    record ReleaseUnknown(Claim claim) implements Decision {}

    /** Lets the processes that own the lock be asked whether they know their claims. */
    record ProbeOwners() implements Decision {}

    /**
     * Renews a lease.
     *
     * @param leaseMillis 0 only asks whether the claim still owns the lock
     * @param reads whether the claim shares the lock with other readers
     * @param numbered whether the ownership has a fencing number
     * @param caller receives the answer, if one waits for it
     */
    record SendRenew(
            Claim claim,
            long leaseMillis,
            boolean reads,
            boolean numbered,
            long sentAt,
            @Nullable CompletableFuture<Boolean> caller)
            implements Command {}

    /** Draws the fencing number of an ownership, once for all who want it. */
    record SendNumber(Claim claim, long leaseMillis) implements Command {}

    /** Completes a future of a caller. The state is up to date by then: a callback may read it at once. */
    record Answer<T>(CompletableFuture<T> caller, T answer) implements Decision {

        public void complete() {
            caller.complete(answer);
        }
    }

    /** Fails a request for a fencing token. */
    record NotNumbered(CompletableFuture<Long> result, Throwable cause) implements Decision {}

    record Grant(Waiter waiter, Hold hold) implements Decision {}

    record Fail(Waiter waiter, LockOutcome.NotAcquired outcome) implements Decision {}

    /**
     * Runs the listeners of lost holds, whose ownership is marked as over already.
     *
     * @param reason {@code null} if the loss was reported before, and a listener came late
     */
    record ReportLoss(
            List<LossListener> listeners, @Nullable LossReason reason) implements Decision {}
}
