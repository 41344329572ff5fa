package io.distributionlock.state;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.state.Decision.ReleaseMode;
import io.distributionlock.state.Decision.SendAcquire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that asks for the lock. Its claim stands in the queue of the backend on behalf of all who wait in its {@link RequestQueue},
 * and asks again at each heartbeat. An {@link Ownership} keeps it as long as one of its acquires may still run: one is under way, or a
 * duplicate may run late although it was answered or given up.
 */
final class PendingAcquire implements Attempt {

    private static final long FIRST_PAUSE_NANOS = Times.nanos(20);
    private static final long MAX_PAUSE_NANOS = Times.nanos(200);

    private final Claim claim;
    private final InFlightAcquire flight = new InFlightAcquire();
    private State state = State.ASKING;

    /** The latest acquire, until it is answered or counts as failed. */
    private @Nullable SendAcquire underWay;

    /** When the one under way counts as failed. */
    private long timeoutAt;

    /** While none is under way: when to ask again. */
    private long nextHeartbeat;

    /** While one is under way: whether a message has come that may be newer than its answer. */
    private boolean asksAgain;

    /** Whether the first acquire is an uncontended one. */
    private boolean uncontended;

    /** Whether an acquire has asked for a place in the queue of the backend. */
    private boolean queued;

    /** Whether a duplicate may run that no answer will tell of. */
    private boolean mayBeDuplicated;

    /** Whether the lock was granted too late. */
    private boolean mayOwn;

    /** Whether a message said that another process handed the lock over to this claim. */
    boolean grantReported;

    /** Whether a message said that the lock was taken from this claim. */
    boolean revocationReported;

    /** In {@link State#RETRYING}: why the backend refuses acquires, if it does. */
    private @Nullable Throwable refusal;

    /** The next pause after a refusal; the first again in {@link State#WAITING}. */
    private long pause = FIRST_PAUSE_NANOS;

    PendingAcquire(Claim claim) {
        this.claim = claim;
    }

    @Override
    public Claim claim() {
        return claim;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public long due() {
        return isUnderWay() ? timeoutAt : nextHeartbeat;
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
            reconnected();
            askUnlessUnderWay(queue, now, out);
        }
    }

    private void tick(RequestQueue queue, long now, List<Decision> out) {
        if (underWay != null && now >= timeoutAt) {
            boolean unnumbered = underWay.uncontended();
            unanswered(queue.context.timeout().noAnswer(), queue, now, out);
            if (unnumbered && queue.attempt == this) {
                // Its late answer has no number, so the answer to a later acquire of the claim would not show whether
                // the lock was lost between the two.
                giveUp(queue, now, out);
                PendingAcquire successor = queue.askWithNewClaim(now, out);
                if (successor != null) {
                    successor.state = State.RETRYING;
                }
                return;
            }
        }
        askIfDue(queue, now, out);
    }

    // ------------------------------------------------------------------ asking

    /** Asks for the first time. */
    void start(RequestQueue queue, long now, List<Decision> out) {
        uncontended = queue.mayAskUncontended(now);
        send(uncontended, queue, now, out);
    }

    private void askAfterMessage(RequestQueue queue, long now, List<Decision> out) {
        asksAgain = isUnderWay();
        askUnlessUnderWay(queue, now, out);
    }

    /** The lease was over by the clock of this process. In the backend, the claim may own the lock still. */
    void askAfterLateGrant(RequestQueue queue, long now, List<Decision> out) {
        mayOwn = true;
        state = State.ASKING;
        refusal = null;
        askUnlessUnderWay(queue, now, out);
    }

    private void askUnlessUnderWay(RequestQueue queue, long now, List<Decision> out) {
        if (!isUnderWay()) {
            send(false, queue, now, out);
        }
    }

    private void askIfDue(RequestQueue queue, long now, List<Decision> out) {
        if (queue.attempt != this || isUnderWay() || now < nextHeartbeat) {
            return;
        }
        if (state == State.WAITING && !queue.hasTurn(now)) {
            nextHeartbeat = queue.nextHeartbeat(now, now);
        } else {
            send(false, queue, now, out);
        }
    }

    private void send(boolean asUncontended, RequestQueue queue, long now, List<Decision> out) {
        boolean inQueue = queue.wantsPlaceInQueue();
        queued |= inQueue;
        asksAgain = false;
        timeoutAt = queue.context.timeout().deadline(now);
        underWay = new SendAcquire(claim, queue.leaseMillis(), inQueue, asUncontended, now, flight);
        out.add(underWay);
    }

    // ------------------------------------------------------------------ answers

    private void answered(SendAcquire command, AcquireReply reply, RequestQueue queue, long now, List<Decision> out) {
        wasAnswered(command, now, queue.context.settings());
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
        boolean outOfDate = asksAgain && !isUnderWay();
        state = State.WAITING;
        nextHeartbeat = nextHeartbeat(answer, sentAt, queue, now);
        refusal = null;
        pause = FIRST_PAUSE_NANOS;
        queue.busy(now, out);
        if (queue.attempt == this && (outOfDate || !queued)) {
            // A message may be newer than the answer; or this answers a single attempt, and a waiter has arrived since.
            send(false, queue, now, out);
        }
        // A heartbeat that is due already, since the answer was slow, is left to the tick, which sends those of all
        // claims together: if each were sent alone, a slow backend would become slower.
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

    private void failed(SendAcquire command, Throwable cause, RequestQueue queue, long now, List<Decision> out) {
        if (!command.equals(underWay)) {
            return;
        }
        if (cause instanceof TryAgainException refused) {
            if (refused.mayHaveRun()) {
                failed(false);
            } else {
                wasAnswered(command, now, queue.context.settings());
            }
            retry(refused, Times.after(now, pause));
            pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
        } else if (cause instanceof NotReplicatedException) {
            queue.notReplicated(this, cause, now, out);
        } else {
            unanswered(cause, queue, now, out);
        }
    }

    /** The acquire under way failed or timed out. */
    private void unanswered(Throwable cause, RequestQueue queue, long now, List<Decision> out) {
        boolean answered = BackendProblemException.isAnswer(cause);
        // A Redis without memory must not be asked to store a tombstone for each attempt that it refused.
        failed(answered);
        retry(answered ? cause : null, Times.after(now, queue.context.settings().heartbeatNanos()));
        queue.unanswered(cause, now, out);
    }

    private void retry(@Nullable Throwable cause, long at) {
        state = State.RETRYING;
        refusal = cause;
        nextHeartbeat = at;
    }

    // ------------------------------------------------------------------ what is known

    @Nullable
    Throwable refusal() {
        return refusal;
    }

    /** Whether the latest command failed, or has been unanswered for unusually long. */
    boolean isSilent(long now, EngineSettings settings) {
        return state == State.RETRYING || isUnanswered(now, settings);
    }

    private boolean isUnanswered(long now, EngineSettings settings) {
        return underWay != null && now - underWay.sentAt() >= settings.silenceNanos();
    }

    private boolean isUnderWay() {
        return underWay != null;
    }

    // ------------------------------------------------------------------ what may still run

    /** An answer may have taken so long that the client has sent the command again over a new connection. */
    void wasAnswered(SendAcquire command, long now, EngineSettings settings) {
        if (command.equals(underWay)) {
            underWay = null;
        }
        mayBeDuplicated |= now - command.sentAt() > settings.commandTimeoutNanos() / 2;
    }

    /** @param answered whether the backend reported the failure; otherwise the command may still run */
    void failed(boolean answered) {
        underWay = null;
        mayBeDuplicated |= !answered;
    }

    /** What is under way may run twice, once over each connection. */
    void reconnected() {
        mayBeDuplicated |= isUnderWay();
    }

    boolean mayBeDuplicated() {
        return mayBeDuplicated;
    }

    boolean mayStillRun() {
        return isUnderWay() || mayBeDuplicated;
    }

    // ------------------------------------------------------------------ the end

    /** Gives the claim up, unless the backend cannot know it. */
    void giveUp(RequestQueue queue, long now, List<Decision> out) {
        if (mayStillRun()) {
            // Even one that has timed out: it may still wait for a connection.
            out.add(new Decision.Drop(flight));
        }
        if (mayStillRun() || queued || mayOwn) {
            release(releaseMode(), queue, now, out);
        }
    }

    void release(ReleaseMode mode, RequestQueue queue, long now, List<Decision> out) {
        if (mayBeDuplicated || isUnanswered(now, queue.context.settings())) {
            queue.context.fastPathGate().close(now);
        }
        out.add(new Decision.SendRelease(claim, mode, 0, null));
    }

    ReleaseMode releaseMode() {
        return mayStillRun() ? withTombstone() : ReleaseMode.FULL;
    }

    /** A tombstone, whatever is known of the acquires. */
    ReleaseMode withTombstone() {
        return uncontended ? ReleaseMode.TOMBSTONE_AND_RETRIES : ReleaseMode.TOMBSTONE;
    }
}
