package io.distributionlock;

import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.Burst;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import java.util.ArrayList;
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
        return MultiLock.release(leases);
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

    private static RuntimeException mistake(LockRequest request, @Nullable Throwable cause) {
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
        AsyncAttempt attempt = new AsyncAttempt(new JointAttempt(executor, requests, owners));
        attempt.proceed();
        return attempt;
    }

    /** Begins each round when the one before is answered. */
    private static final class AsyncAttempt extends CompletableFuture<MultiLock.Outcome> {

        private final JointAttempt attempt;

        AsyncAttempt(JointAttempt attempt) {
            this.attempt = attempt;
        }

        void proceed() {
            boolean goesOn = true;
            while (goesOn) {
                CompletableFuture<?> answered = attempt.beginRound();
                if (isDone()) {
                    attempt.cancelRound();
                }
                if (!answered.isDone()) {
                    answered.whenComplete((unused, failure) -> {
                        if (settle()) {
                            proceed();
                        }
                    });
                    return;
                }
                goesOn = settle();
            }
        }

        /** @return whether another round is needed */
        private boolean settle() {
            try {
                attempt.settleRound();
            } catch (RuntimeException e) {
                completeExceptionally(e);
                return false;
            }
            MultiLock.Outcome outcome = attempt.outcome();
            if (outcome == null && !isDone()) {
                return true;
            }
            if (outcome == null || !complete(outcome)) {
                // Cancelled meanwhile.
                attempt.releaseAll();
            }
            return false;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                attempt.cancelRound();
            }
            return cancelled;
        }
    }

    /**
     * One attempt to acquire several locks, all or none, in rounds. A round asks for all locks that are missing at the same time,
     * without waiting for any. It keeps those up to the first that is busy, in the order of their names, and gives the others back. The
     * next round waits for the busy one alone.
     *
     * <p>So whoever waits holds only locks whose names sort before the one that it waits for: nobody waits in a circle. Each pair of rounds
     * acquires at least one lock more, unless a lease ends meanwhile: from there on, all are asked for again.
     *
     * <p>Its caller begins a round, waits until it is answered, and settles it, until there is an outcome. One thread at a time, except
     * for {@link #cancelRound()}.
     */
    private static final class JointAttempt {

        private final LockExecutor executor;
        private final List<LockRequest> requests;
        private final Function<String, LockOwner> owners;
        private final long start = System.nanoTime();

        /** The locks that are held, the first by name. */
        private final List<Lease> leases;

        /** Whether the first that is missing was busy, and is worth waiting for. */
        private boolean waits;

        /** What was asked for last, each with its answer. */
        private volatile List<Asked> round = List.of();

        private CompletableFuture<?> released = CompletableFuture.completedFuture(null);
        private MultiLock.@Nullable Outcome outcome;

        private record Asked(LockRequest request, CompletableFuture<LockOutcome> attempt) {}

        /** @param requests at least one, sorted by name, one for each name */
        JointAttempt(LockExecutor executor, List<LockRequest> requests, Function<String, LockOwner> owners) {
            this.executor = executor;
            this.requests = requests;
            this.owners = owners;
            this.leases = new ArrayList<>(requests.size());
        }

        /** Asks for the next locks. The result completes when all of them are answered; it tells nothing else. */
        CompletableFuture<?> beginRound() {
            int from = leases.size();
            int to = waits ? from + 1 : endOfRound(from);
            List<Asked> next = new ArrayList<>(to - from);
            Burst.ofEach(
                    requests.subList(from, to),
                    request ->
                            next.add(ask(to - from > 1 ? request.singleAttempt(timeLeft(request)) : patient(request))));
            round = next;
            return next.size() == 1
                    ? next.get(0).attempt
                    : CompletableFuture.allOf(next.stream().map(Asked::attempt).toArray(CompletableFuture[]::new));
        }

        /** A lock with a minimum hold time begins a round, because it would stay locked if it had to be given back. */
        private int endOfRound(int from) {
            int to = from + 1;
            while (to < requests.size() && requests.get(to).minHoldTime().isZero()) {
                to++;
            }
            return to;
        }

        private LockRequest patient(LockRequest request) {
            return round.isEmpty() ? request : request.waiting(timeLeft(request));
        }

        private Duration timeLeft(LockRequest request) {
            Duration left = request.tryLockTime().minus(waited());
            return left.isNegative() ? Duration.ZERO : left;
        }

        private Duration waited() {
            return Duration.ofNanos(System.nanoTime() - start);
        }

        /** A defect must not hide the attempts that are under way. */
        private Asked ask(LockRequest request) {
            try {
                return new Asked(request, executor.acquire(request, owners.apply(request.name())));
            } catch (RuntimeException e) {
                return new Asked(request, CompletableFuture.failedFuture(e));
            }
        }

        /** Gives up what is asked for and not decided yet. */
        void cancelRound() {
            round.forEach(asked -> asked.attempt.cancel(true));
        }

        /**
         * Keeps what the answered round has acquired up to the first lock that it has not, and gives back the others.
         *
         * @throws RuntimeException if a lock cannot be acquired by waiting; nothing is held
         */
        void settleRound() {
            List<Lease> surplus = new ArrayList<>();
            Asked refused = null;
            for (Asked asked : round) {
                Lease lease = leaseOf(asked.attempt);
                if (lease == null) {
                    refused = refused == null ? asked : refused;
                } else {
                    (refused == null ? leases : surplus).add(lease);
                }
            }
            if (refused == null) {
                waits = false;
                if (leases.size() == requests.size()) {
                    settleAll();
                }
                return;
            }
            waits = isBusy(refused.attempt) && !refused.request.retryTime().isZero();
            if (waits) {
                release(surplus);
            } else {
                leases.addAll(surplus);
                releaseAll();
                outcome = new MultiLock.Outcome.NotAcquired(refused.request.name(), reasonOf(refused));
            }
        }

        /**
         * A lease may have ended while another lock was waited for. Then it is asked for again, and all after it, as if they had been
         * busy.
         */
        private void settleAll() {
            int valid = 0;
            while (valid < leases.size() && leases.get(valid).isValid()) {
                valid++;
            }
            if (valid == leases.size()) {
                outcome = new MultiLock.Outcome.Acquired(leases);
                return;
            }
            LockRequest lost = requests.get(valid);
            if (timeLeft(lost).isZero()) {
                releaseAll();
                outcome = new MultiLock.Outcome.NotAcquired(lost.name(), new LockOutcome.Lost(waited()));
            } else {
                List<Lease> unusable = leases.subList(valid, leases.size());
                release(unusable);
                unusable.clear();
            }
        }

        private static @Nullable Lease leaseOf(CompletableFuture<LockOutcome> attempt) {
            return !attempt.isCompletedExceptionally() && attempt.getNow(null) instanceof LockOutcome.Acquired acquired
                    ? acquired.lease()
                    : null;
        }

        private static boolean isBusy(CompletableFuture<LockOutcome> refusal) {
            return !refusal.isCompletedExceptionally() && refusal.getNow(null) instanceof LockOutcome.Busy;
        }

        private LockOutcome.NotAcquired reasonOf(Asked refused) {
            try {
                return (LockOutcome.NotAcquired) Await.uninterruptibly(refused.attempt);
            } catch (CancellationException e) {
                return new LockOutcome.Interrupted(waited());
            } catch (CompletionException e) {
                throw mistake(refused.request, e.getCause());
            }
        }

        /** The first lock that is not held. */
        LockRequest missing() {
            return requests.get(leases.size());
        }

        /** The outcome, or {@code null} if another round is needed. */
        MultiLock.@Nullable Outcome outcome() {
            return outcome;
        }

        /** Ends the attempt between two rounds, because the calling thread was interrupted. */
        MultiLock.Outcome interrupted() {
            String name = missing().name();
            releaseAll();
            return new MultiLock.Outcome.NotAcquired(name, new LockOutcome.Interrupted(waited()));
        }

        /** Releases whatever is held; the outcome, if there is one, no longer counts. */
        void releaseAll() {
            release(leases);
            leases.clear();
        }

        private void release(List<Lease> unwanted) {
            if (!unwanted.isEmpty()) {
                released = CompletableFuture.allOf(released, giveBack(unwanted));
            }
        }

        /** Completes when the releases of what was given back are answered; exceptionally if one failed. */
        CompletableFuture<?> released() {
            return released;
        }
    }
}
