package io.distributionlock;

import io.distributionlock.internal.UserThreads;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One hold of a lock, from its acquisition to its release or loss.
 *
 * <p>Safe to use from any thread; the thread that releases need not be the one that acquired. A re-entrant acquisition has a
 * lease of its own, and the lock is freed when all of them are released.
 *
 * <p>Stages of a future of these methods run on threads of their own, which they may block for good, or on the calling thread if the
 * answer is already known. Cancelling such a future does not undo the operation.
 */
public interface Lease extends AutoCloseable {

    /** The name of the lock. */
    String name();

    /** The kind of this hold. */
    default LockKind kind() {
        return LockKind.REENTRANT;
    }

    /**
     * The fencing token. A holder that Redis gives the lock of this name after the token was known has a greater one, despite delays,
     * failovers and paused masters. Pass it to the guarded resource, which then rejects any token smaller than the greatest it has seen; this
     * protects it from a holder that was paused beyond its lease (Martin Kleppmann, "How to do distributed locking", 2016). So ask for
     * the token before reading what is to be changed: an earlier holder that Redis has forgotten, and that asks late, may have the
     * greater one.
     *
     * <p>An uncontended lock draws its token when it is first asked for. That call blocks for one command, at most for the command
     * timeout; an interrupt neither ends the wait nor is lost. {@link LockRequest.Builder#fenced} draws the token with the
     * acquisition, as do the kinds {@code FAIR}, {@code READ} and {@code WRITE}, a quorum, and methods with a {@code @FencingToken}
     * or {@code Lease} parameter. A token that was drawn remains known after the release or loss.
     *
     * @throws IllegalStateException if the lease was released or lost before its token was drawn; or if the call would have to wait on
     *     an event loop: use {@link #fencingTokenAsync()} there
     * @throws LockBackendException if the backend did not draw the token in time; the next call tries again
     */
    long fencingToken();

    /** As {@link #fencingToken()}, without blocking. By default calls it on another thread. */
    default CompletableFuture<Long> fencingTokenAsync() {
        return CompletableFuture.supplyAsync(this::fencingToken, UserThreads.executor());
    }

    /** The fencing token if it was drawn already; never sends a command. By default {@link #fencingToken()}. */
    default OptionalLong knownFencingToken() {
        return OptionalLong.of(fencingToken());
    }

    /**
     * Whether the lock is certainly held at this moment, by the local monotonic clock; costs no command. The answer can be outdated
     * at once: the process may be paused between this call and the next step.
     */
    boolean isValid();

    /**
     * Asks the backend whether the lock is still held, where {@link #isValid()} uses only the local clock. Does not change the
     * lease, but detects a loss. Blocks for one command, at most for the command timeout; an interrupt neither
     * ends the wait nor is lost: the thread's flag is set again. By default the same as {@link #isValid()}.
     *
     * @return whether the backend confirmed the hold; {@code false} also if it did not answer
     * @throws IllegalStateException if it would have to wait on an event loop; use {@link #confirmAsync()} there
     */
    default boolean confirm() {
        return isValid();
    }

    /** As {@link #confirm()}, without blocking. By default calls it on another thread. */
    default CompletableFuture<Boolean> confirmAsync() {
        return CompletableFuture.supplyAsync(this::confirm, UserThreads.executor());
    }

    /** The remaining lease time without renewal, by the local monotonic clock; zero once lost or released. */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now. Never shortens it. Blocks for one command, at most for the command
     * timeout; an interrupt neither ends the wait nor is lost: the thread's flag is set again.
     *
     * @return whether the lease now lasts at least that long; {@code false} also if it was lost or released before
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     * @throws IllegalStateException if it would have to wait on an event loop; use {@link #extendAsync} there
     */
    boolean extend(Duration holdLockTime);

    /** As {@link #extend}, without blocking. By default calls it on another thread. */
    default CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
        return CompletableFuture.supplyAsync(() -> extend(holdLockTime), UserThreads.executor());
    }

    /**
     * Runs the listener once if the lease is lost before its release, which may be what finds the loss, or at once if it is already
     * lost. {@link #isValid()} is {@code false} by then. Each listener runs on a thread of its own, which it may block for good,
     * concurrently with others and in no order; its exceptions are logged. One that is added during the release may miss a loss that
     * the release finds.
     */
    void onLost(Consumer<? super Lease> listener);

    /** Why the lease was lost; without meaning as long as it is not. {@link LossReason#UNKNOWN} by default. */
    default LossReason lossReason() {
        return LossReason.UNKNOWN;
    }

    /**
     * Waives the minimum hold time of this lease ({@link LockRequest#minHoldTime}): its release frees the lock at once, for example
     * because the work has failed and may be repeated. Does not block; does nothing after the release. By default does nothing.
     */
    default void waiveMinHoldTime() {}

    /**
     * Releases the lock. Blocks until the backend has answered, at most for the command timeout, and never throws: a failed release
     * must not hide the result of the guarded work. An interrupt neither ends the wait nor
     * is lost: the thread's flag is set again.
     *
     * <p>On an event loop it only sends the release, and returns {@link ReleaseResult#UNCONFIRMED}.
     */
    ReleaseResult release();

    /** As {@link #release()}, without blocking; the future never fails. By default calls it on another thread. */
    default CompletableFuture<ReleaseResult> releaseAsync() {
        return CompletableFuture.supplyAsync(this::release, UserThreads.executor());
    }

    /** As {@link #release()}, for try-with-resources. */
    @Override
    default void close() {
        release();
    }

    /** Why a lease was lost, as far as this process knows. */
    enum LossReason {

        /** Its fixed hold time, or the maximum of a renewed lease, was over before its release. */
        EXPIRED("its hold time was over", "Use a longer hold time or a renewed lease."),

        /**
         * It was released by force ({@link LockTemplate#forceRelease}). A process that no message told of it finds the lock
         * {@link #GONE}.
         */
        FORCED("it was released by force", "Find out who released it."),

        /** The backend no longer has it: it was deleted or not replicated, or this machine and its clock stood still. */
        GONE(
                "it is gone from the backend",
                "See whether the backend has lost data, as in a failover, or deleted keys, or whether this machine was suspended."),

        /** The backend confirmed no renewal before the lease ended. */
        NO_ANSWER("the backend did not renew it in time", "See whether the backend and the network to it work."),

        /** This process was paused until the lease had ended, for example by its garbage collector. */
        PAUSED(
                "this process was paused until it had ended",
                "See how long the garbage collector, the machine or a lack of processors stops the process."),

        /** Another holder has announced itself in the database after this one ({@link CommitGuard#DATABASE}). */
        OVERTAKEN(
                "another holder has announced itself in the database", "See why the lease ended before the work did."),

        /** The executor was stopped before the release, for example because the application ended. */
        STOPPED("its executor was stopped", "End the work before the application stops."),

        /** The executor does not tell the reason. */
        UNKNOWN("its executor does not say why", "See whether the lease was long enough and its backend worked.");

        private final String cause;
        private final String advice;

        LossReason(String cause, String advice) {
            this.cause = cause;
            this.advice = advice;
        }

        /** What happened, as a clause for a message. */
        public String cause() {
            return cause;
        }

        /** What can be done against it, as a sentence. */
        public String advice() {
            return advice;
        }

        /** What follows "was lost before …" in a message. */
        public String explanation() {
            if (this == OVERTAKEN) {
                return ": " + cause + ", so its transaction is rolled back. " + advice;
            }
            return ": " + cause
                    + ". Another holder may have acquired the lock in the meantime: check or undo the work. " + advice;
        }
    }
}
