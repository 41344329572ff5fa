package io.distributionlock.state;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that asks for the lock. Its claim stands in the queue of the backend on behalf of all who wait in its {@link RequestQueue},
 * and asks again at each heartbeat.
 */
final class PendingAcquire implements Attempt {

    /** What the latest answer was, or that there was none in time. */
    private enum Latest {
        UNKNOWN,
        BUSY,
        FAILED
    }

    private static final long FIRST_PAUSE_NANOS = Times.nanos(20);
    private static final long MAX_PAUSE_NANOS = Times.nanos(200);

    private final Claim claim;
    final SentAcquires acquires = new SentAcquires();

    private boolean queued;
    private boolean mayOwn;
    private Latest latest = Latest.UNKNOWN;
    private long nextHeartbeat;
    private boolean asksAgain;
    private boolean grantReported;
    private boolean revocationReported;
    private @Nullable Throwable refusal;
    private long pause = FIRST_PAUSE_NANOS;

    PendingAcquire(Claim claim) {
        this.claim = claim;
    }

    @Override
    public Claim claim() {
        return claim;
    }

    // ------------------------------------------------------------------ events

    @Override
    public void on(Event.OfClaim event, RequestQueue queue, long now, List<Decision> out) {
        if (event instanceof Event.AcquireAnswered answered) {
            answered(answered.command(), answered.reply(), queue, now, out);
        } else if (event instanceof Event.AcquireFailed failed) {
            failed(failed.command(), failed.cause(), queue, now, out);
        } else if (event instanceof Event.Granted) {
            grantReported = true;
            askAfterMessage(queue, now, out);
        } else if (event instanceof Event.Revoked) {
            // The answer under way may be out of date already.
            revocationReported = true;
            askAfterMessage(queue, now, out);
        }
    }

    @Override
    public void on(Event.OfAll event, RequestQueue queue, long now, List<Decision> out) {
        if (event instanceof Event.Tick) {
            tick(queue, now, out);
        } else if (event instanceof Event.Listening) {
            askUnlessUnderWay(queue, now, out);
        } else if (event instanceof Event.Reconnected) {
            acquires.reconnected();
            askUnlessUnderWay(queue, now, out);
        }
    }

    private void tick(RequestQueue queue, long now, List<Decision> out) {
        if (acquires.isTimedOut(now)) {
            boolean uncontended = acquires.isUncontended();
            unanswered(queue.context.timeout().noAnswer(), queue, now, out);
            if (uncontended && queue.isUnderWay(this)) {
                // Its late answer has no number, so the answer to a later acquire of the claim would not show whether
                // the lock was lost between the two.
                giveUp(queue, now, out);
                PendingAcquire successor = queue.askWithNewClaim(now, out);
                if (successor != null) {
                    successor.latest = Latest.FAILED;
                }
                return;
            }
        }
        askIfDue(queue, now, out);
    }

    private void askAfterMessage(RequestQueue queue, long now, List<Decision> out) {
        asksAgain = acquires.isUnderWay();
        askUnlessUnderWay(queue, now, out);
    }

    /** The lease was over by the clock of this process. In the backend, the claim may own the lock still. */
    void askAfterLateGrant(RequestQueue queue, long now, List<Decision> out) {
        mayOwn = true;
        latest = Latest.UNKNOWN;
        refusal = null;
        askUnlessUnderWay(queue, now, out);
    }

    private void askUnlessUnderWay(RequestQueue queue, long now, List<Decision> out) {
        if (!acquires.isUnderWay()) {
            ask(queue, now, out);
        }
    }

    private void askIfDue(RequestQueue queue, long now, List<Decision> out) {
        if (!queue.isUnderWay(this) || acquires.isUnderWay() || now < nextHeartbeat) {
            return;
        }
        if (isBusy() && !queue.hasTurn(now)) {
            nextHeartbeat = queue.nextHeartbeat(now, now);
        } else {
            ask(queue, now, out);
        }
    }

    void ask(RequestQueue queue, long now, List<Decision> out) {
        boolean inQueue = queue.wantsPlaceInQueue();
        boolean uncontended = acquires.none() && queue.mayAskUncontended(now);
        asksAgain = false;
        queued |= inQueue;
        acquires.sent(now, uncontended, queue.context.timeout().deadline(now));
        out.add(new Decision.SendAcquire(claim, queue.leaseMillis(), inQueue, uncontended, now, acquires.flight));
    }

    // ------------------------------------------------------------------ answers

    private void answered(
            Decision.SendAcquire command, AcquireReply reply, RequestQueue queue, long now, List<Decision> out) {
        acquires.answered(command.sentAt(), now, queue.context.settings());
        if (now - command.sentAt() < Times.nanos(command.leaseMillis())) {
            queue.answeredInTime();
        }
        if (reply instanceof AcquireReply.Ok ok) {
            queue.acquired(this, command, ok, now, out);
        } else if (reply instanceof AcquireReply.Busy answer) {
            busy(answer, command.sentAt(), queue, now, out);
        } else if (reply instanceof AcquireReply.Mixed mixed) {
            queue.incompatibleWith(mixed.holder(), now, out);
        } else {
            queue.askWithNewClaim(now, out);
        }
    }

    private void busy(AcquireReply.Busy answer, long sentAt, RequestQueue queue, long now, List<Decision> out) {
        boolean outOfDate = asksAgain && !acquires.isUnderWay();
        nextHeartbeat = nextHeartbeat(answer, sentAt, queue, now);
        latest = Latest.BUSY;
        refusal = null;
        pause = FIRST_PAUSE_NANOS;
        queue.busy(now, out);
        if (queue.isUnderWay(this) && (outOfDate || !queued)) {
            // A message may be newer than the answer; or this answers a single attempt, and a waiter has arrived since.
            ask(queue, now, out);
        }
        // A heartbeat that is due already, since the answer was slow, is left to the tick, which sends those of all
        // claims
        // together: if each were sent alone, a slow backend would become slower.
    }

    private long nextHeartbeat(AcquireReply.Busy answer, long sentAt, RequestQueue queue, long now) {
        long heartbeat = queue.nextHeartbeat(sentAt, now);
        if (answer.leaseLeftMillis() < 0) {
            return heartbeat;
        }
        // No message reports a lease that runs out, so ask again just after.
        long jitter = 1 + queue.context.settings().jitterMillis();
        return Math.min(heartbeat, Times.after(now, Times.nanos(answer.leaseLeftMillis() + jitter)));
    }

    private void failed(
            Decision.SendAcquire command, Throwable cause, RequestQueue queue, long now, List<Decision> out) {
        if (!acquires.isTheOneUnderWay(command.sentAt())) {
            return;
        }
        if (cause instanceof TryAgainException refused) {
            refused(refused, queue, now);
        } else if (cause instanceof NotReplicatedException) {
            queue.notReplicated(this, cause, now, out);
        } else {
            unanswered(cause, queue, now, out);
        }
    }

    /** The backend cannot run the acquire under way now: it is sent again soon. */
    private void refused(TryAgainException cause, RequestQueue queue, long now) {
        if (cause.mayHaveRun()) {
            acquires.failed(false);
        } else {
            acquires.answered(now, queue.context.settings());
        }
        latest = Latest.FAILED;
        refusal = cause;
        nextHeartbeat = Times.after(now, pause);
        pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
    }

    /** The acquire under way failed or timed out. */
    private void unanswered(Throwable cause, RequestQueue queue, long now, List<Decision> out) {
        boolean answered = BackendProblemException.isAnswer(cause);
        // A Redis without memory must not be asked to store a tombstone for each attempt that it refused.
        acquires.failed(answered);
        latest = Latest.FAILED;
        refusal = answered ? cause : null;
        nextHeartbeat = Times.after(now, queue.context.settings().heartbeatNanos());
        queue.unanswered(cause, now, out);
    }

    // ------------------------------------------------------------------ what is known

    /** Why the backend refuses acquires at present, if it does. */
    @Nullable
    Throwable refusal() {
        return refusal;
    }

    /** Whether a message said that another process handed the lock over to this claim. */
    boolean isGrantReported() {
        return grantReported;
    }

    /** Whether a message said that the lock was taken from this claim. */
    boolean isRevocationReported() {
        return revocationReported;
    }

    /** Whether the lock was busy at the latest answer. */
    boolean isBusy() {
        return latest == Latest.BUSY;
    }

    /** Whether the latest command failed, or has been unanswered for unusually long. */
    boolean isSilent(long now, EngineSettings settings) {
        return latest == Latest.FAILED || acquires.isUnanswered(now, settings);
    }

    /** Gives the claim up, unless the backend cannot know it. */
    void giveUp(RequestQueue queue, long now, List<Decision> out) {
        if (acquires.mayStillRun()) {
            // Even one that has timed out: it may still wait for a connection.
            out.add(new Decision.Drop(acquires.flight));
        }
        if (acquires.mayStillRun() || queued || mayOwn) {
            release(acquires.releaseMode(), queue, now, out);
        }
    }

    void release(Decision.ReleaseMode mode, RequestQueue queue, long now, List<Decision> out) {
        if (acquires.mayBeDuplicated() || acquires.isUnanswered(now, queue.context.settings())) {
            queue.context.fastPathGate().close(now);
        }
        out.add(new Decision.SendRelease(claim, mode, 0, null));
    }

    @Override
    public long due() {
        return acquires.isUnderWay() ? acquires.timeoutAt() : nextHeartbeat;
    }
}
