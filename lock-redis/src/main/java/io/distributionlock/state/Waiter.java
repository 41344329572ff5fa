package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of this process to acquire a lock, from its arrival to its outcome.
 *
 * @hidden
 */
@Internal
public final class Waiter {

    /** A wait that is shorter than a round trip must not make a busy lock look like a dead Redis. */
    private static final long FIRST_ANSWER_NANOS = Times.nanos(100);

    public final LockOwner owner;
    final LockRequest request;
    public final CompletableFuture<LockOutcome> attempt;
    final long arrivedAt;
    private long budgetEnd;

    /** The queue that stands for this attempt alone, if any. */
    @Nullable
    SingleRequestQueue ownQueue;

    /** Whether the lock was busy, as Redis or a local holder has shown. */
    private boolean sawBusy;

    public Waiter(
            LockRequest request,
            LockOwner owner,
            CompletableFuture<LockOutcome> attempt,
            long arrivedAt,
            AnswerTimeout timeout) {
        this.request = request;
        this.owner = owner;
        this.attempt = attempt;
        this.arrivedAt = arrivedAt;
        // A single attempt does not wait for holders, but its command may take as long as an answer or its caller.
        this.budgetEnd = isSingle() && !isRetried()
                ? timeout.deadline(arrivedAt)
                : Times.after(
                        arrivedAt,
                        request.tryLockTime().plus(request.retryTime()).toNanos());
    }

    /** When the attempt ends: with its budget, but not before a first answer could have arrived. */
    public long deadline() {
        return sawBusy ? budgetEnd : Math.max(budgetEnd, arrivedAt + FIRST_ANSWER_NANOS);
    }

    boolean sawBusy() {
        return sawBusy;
    }

    /** @param silent whether the backend does not answer, as far as is known */
    public LockOutcome.NotAcquired outcomeAtDeadline(boolean silent, long now, AnswerTimeout timeout) {
        Duration waited = waited(now);
        return sawBusy && !silent
                ? new LockOutcome.Busy(waited)
                : new LockOutcome.BackendFailed(waited, timeout.noAnswerAfter(waited));
    }

    void markBusy() {
        sawBusy = true;
    }

    public Duration waited(long now) {
        return Times.between(arrivedAt, now);
    }

    /** Its outcome if the holder has a permit where it asks for a lock, or the other way round. */
    LockOutcome.Incompatible incompatibleWith(String holder, long now) {
        int theirs = ClaimIds.permitsOf(holder);
        String holds = holder.startsWith(ClaimIds.MIN_HOLD)
                ? "the minimum holding time of " + holder.substring(ClaimIds.MIN_HOLD.length()) + " keeps "
                : holder + " holds ";
        String conflict = theirs == 0
                ? "is requested with permits = " + request.permits() + ", but " + holds + "it as a lock"
                : "is requested as a lock (" + request.kind() + "), but " + holds + "one of its " + theirs + " permits";
        return new LockOutcome.Incompatible(waited(now), conflict);
    }

    /** Whether it needs its fencing token at once. */
    public boolean wantsToken() {
        return request.fenced() || request.kind() != LockKind.REENTRANT;
    }

    /** Whether it asks once and takes no place in a queue. */
    boolean isSingle() {
        return request.tryLockTime().isZero();
    }

    /** Whether its caller tries again if this single attempt finds the lock busy: see {@link LockRequest#retryTime()}. */
    boolean isRetried() {
        return !request.retryTime().isZero();
    }

    long leaseMillis() {
        return Times.coveringMillis(request.leaseTime().toNanos());
    }

    long holdNanos() {
        return request.leaseTime().toNanos();
    }
}
