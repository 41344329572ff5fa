package io.distributionlock.hold;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to acquire one lock or several through an executor. Reports no lost lease: the caller decides who does. For this
 * library; applications use {@link LockTemplate} and {@link MultiLock}.
 *
 * @hidden
 */
@Internal
public final class LockAttempts {

    private LockAttempts() {}

    /** Acquires one lock; see {@link LockTemplate#attempt(LockRequest, LockOwner)}. */
    public static LockOutcome attempt(LockExecutor executor, LockRequest request, LockOwner owner) {
        long start = System.nanoTime();
        try {
            return attemptInterruptibly(executor, request, owner);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LockOutcome.Interrupted(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** Does what must be done before anybody can release these locks. If it fails, they are given back. */
    static void orGiveBack(List<Lease> leases, Runnable preparation) {
        try {
            preparation.run();
        } catch (Throwable e) {
            giveBack(leases);
            throw e;
        }
    }

    /** Releases locks under which nothing has run. Does not wait for the answers. */
    public static CompletableFuture<?> giveBack(List<Lease> leases) {
        leases.forEach(Lease::waiveMinHoldTime);
        return OffloadedFuture.source(new MultiLock.Outcome.Acquired(leases).releaseAsync());
    }

    /**
     * As {@link #attempt}, but throws on an interrupt, as the JDK's locks do.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared, and this attempt
     *     does not hold the lock
     */
    static LockOutcome attemptInterruptibly(LockExecutor executor, LockRequest request, LockOwner owner)
            throws InterruptedException {
        Arguments.require("the request for a lock", request);
        Arguments.require("the owner of a lock", owner);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long start = System.nanoTime();
        CompletableFuture<LockOutcome> attempt = begin(executor, request, owner);
        try {
            return unlessLost(Await.interruptibly(attempt), start);
        } catch (InterruptedException e) {
            if (attempt.cancel(true)) {
                throw e;
            }
            // The outcome came before the interrupt: keep it, and leave the interrupt to the caller's next wait.
            Thread.currentThread().interrupt();
            return await(attempt, request, start);
        } catch (ExecutionException e) {
            throw mistake(request, e.getCause());
        } catch (CancellationException e) {
            throw mistake(request, e);
        }
    }

    /** As {@link #attempt}, but an interrupt neither ends the wait nor costs the place in the queue; the flag is set again. */
    static LockOutcome attemptUninterruptibly(LockExecutor executor, LockRequest request, LockOwner owner) {
        long start = System.nanoTime();
        return await(begin(executor, request, owner), request, start);
    }

    private static LockOutcome await(CompletableFuture<LockOutcome> attempt, LockRequest request, long start) {
        try {
            return unlessLost(Await.uninterruptibly(attempt), start);
        } catch (CompletionException e) {
            throw mistake(request, e.getCause());
        } catch (CancellationException e) {
            throw mistake(request, e);
        }
    }

    /** Nobody is handed a lock that is lost by now, for example because the process was paused: no work may begin with it. */
    private static LockOutcome unlessLost(LockOutcome outcome, long start) {
        if (outcome instanceof LockOutcome.Acquired acquired
                && !acquired.lease().isValid()) {
            giveBack(List.of(acquired.lease()));
            return new LockOutcome.Lost(Duration.ofNanos(System.nanoTime() - start));
        }
        return outcome;
    }

    /** Begins an attempt that the calling thread will wait for. */
    private static CompletableFuture<LockOutcome> begin(LockExecutor executor, LockRequest request, LockOwner owner) {
        requireMayWait(request);
        return executor.acquire(request, owner);
    }

    private static void requireMayWait(LockRequest request) {
        Await.requireAllowed("Lock '" + MessageText.of(request.name()) + "'", "LockTemplate.acquireAsync");
    }

    static RuntimeException mistake(LockRequest request, @Nullable Throwable cause) {
        return cause instanceof IllegalArgumentException invalid
                ? invalid
                : new IllegalStateException(
                        "The lock executor is defective: an attempt for '" + MessageText.of(request.name())
                                + "' ended with an exception instead of an outcome.",
                        cause);
    }

    /**
     * Acquires all locks or none, together as {@link JointAttempt} says; the calling thread waits. If one is refused, the others are
     * released when this returns.
     *
     * @param requests at least one, sorted by name, one for each name; the waiting time of each runs from now
     * @param owners the owner for each lock, by its name
     */
    public static MultiLock.Outcome attemptAll(
            LockExecutor executor, List<LockRequest> requests, Function<String, LockOwner> owners) {
        requireMayWait(requests.get(0));
        JointAttempt attempt = new JointAttempt(executor, requests, owners);
        MultiLock.Outcome outcome = null;
        try {
            while (outcome == null) {
                if (Thread.currentThread().isInterrupted()) {
                    outcome = attempt.interrupted();
                } else {
                    await(attempt);
                    attempt.settleRound();
                    outcome = attempt.outcome();
                }
            }
            return outcome;
        } finally {
            if (!(outcome instanceof MultiLock.Outcome.Acquired)) {
                Await.uninterruptibly(attempt.released().handle((released, failure) -> true));
            }
        }
    }

    private static void await(JointAttempt attempt) {
        CompletableFuture<?> answered = attempt.beginRound();
        try {
            Await.interruptibly(answered);
        } catch (InterruptedException e) {
            attempt.cancelRound();
            Thread.currentThread().interrupt();
            // Those that were decided before the interrupt have their outcome at once.
            Await.uninterruptibly(answered.handle((unused, failure) -> true));
        } catch (ExecutionException | CancellationException e) {
            // Settling the round tells what failed.
        }
    }

    /**
     * As {@link #attemptAll}, without blocking. Cancelling the future releases what is held and gives up what is waited for; if
     * it comes too late, {@code cancel} returns {@code false} and the outcome stands. Callbacks attached to the future run on
     * the thread that brings the outcome, and must not block.
     *
     * @param owners the owner for each lock, by its name
     */
    public static CompletableFuture<MultiLock.Outcome> attemptAllAsync(
            LockExecutor executor, List<LockRequest> requests, Function<String, LockOwner> owners) {
        AsyncJointAttempt attempt = new AsyncJointAttempt(new JointAttempt(executor, requests, owners));
        attempt.proceed();
        return attempt;
    }
}
