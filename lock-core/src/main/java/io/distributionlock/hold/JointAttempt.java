package io.distributionlock.hold;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.MultiLock;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire several locks, all or none, in rounds. A round asks for all locks that are missing at the same time,
 * without waiting for any. It keeps those up to the first that is busy, in the order of their names, and gives the others back. The
 * next round waits for the busy one alone.
 *
 * <p>So an attempt that waits holds only locks whose names sort before the one that it waits for: nobody waits in a circle. Each pair of
 * rounds acquires at least one lock more, unless a lease ends meanwhile: from there on, all are asked for again.
 *
 * <p>Its caller begins a round, waits until it is answered, and settles it, until there is an outcome. One thread at a time, except
 * for {@link #cancelRound()}.
 */
final class JointAttempt {

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
        Pipeline.ofEach(
                requests.subList(from, to),
                request -> next.add(ask(to - from > 1 ? singleAttempt(request) : patient(request))));
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
        return round.isEmpty()
                ? request
                : request.toBuilder().tryLockTime(timeLeft(request)).build();
    }

    /** A single attempt for the same lock, whose caller will ask again while time is left. */
    private LockRequest singleAttempt(LockRequest request) {
        return request.toBuilder()
                .tryLockTime(Duration.ZERO)
                .retryTime(timeLeft(request))
                .build();
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
            LockRequest missing = missing();
            leases.addAll(surplus);
            releaseAll();
            outcome = new MultiLock.Outcome.NotAcquired(missing, reasonOf(refused));
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
            outcome = new MultiLock.Outcome.NotAcquired(lost, new LockOutcome.Lost(waited()));
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
            throw LockAttempts.mistake(refused.request, e.getCause());
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
        LockRequest missing = missing();
        releaseAll();
        return new MultiLock.Outcome.NotAcquired(missing, new LockOutcome.Interrupted(waited()));
    }

    /** Releases whatever is held; the outcome, if there is one, no longer counts. */
    void releaseAll() {
        release(leases);
        leases.clear();
    }

    private void release(List<Lease> unwanted) {
        if (!unwanted.isEmpty()) {
            released = CompletableFuture.allOf(released, LockAttempts.giveBack(unwanted));
        }
    }

    /** Completes when the releases of what was given back are answered; exceptionally if one failed. */
    CompletableFuture<?> released() {
        return released;
    }
}
