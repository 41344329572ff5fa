package io.distributionlock.leader;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.ImmediateListener;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.internal.UserThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * An instance that stands for election, from a start to a stop: it waits for the lock, leads, and after each term stands again.
 *
 * <p>A leader whose lease was not renewed stops when a third of it is left, so that its listeners can finish before another instance
 * leads. (Kubernetes' client-go does the same: its renew deadline is two thirds of the lease.)
 *
 * <p>Only its own listener can hold it up: it follows its lock on the threads that bring the news, and not on those that run callbacks.
 */
final class LeaderCandidate {

    private static final Log log = LogFactory.getLog(LeaderElection.class);

    /** Between attempts while the backend fails, and between the leader's questions whether its lease is still held. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final String election;
    private final LockTemplate locks;
    private final LockRequest request;
    private final LeaderListener listener;
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("distribution-lock-leader");

    /** Guards the end, the term and what is announced, so that terms are announced in order. Never held during a command. */
    private final ReentrantLock lifecycleLock = new ReentrantLock();

    private volatile boolean over;
    private volatile @Nullable LeaderTerm term;

    /** The last term that has begun, whether it has ended or not. */
    private volatile @Nullable LeaderTerm latest;

    private CompletableFuture<Void> announced = CompletableFuture.completedFuture(null);

    /** The thread that tells the listener, while it does. */
    private volatile @Nullable Thread announcing;

    private volatile @Nullable CompletableFuture<LockOutcome> attempt;
    private volatile boolean failing;

    LeaderCandidate(String election, LockTemplate locks, LockRequest request, LeaderListener listener) {
        this.election = election;
        this.locks = locks;
        this.request = request;
        this.listener = listener;
        timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        timer.setRemoveOnCancelPolicy(true);
    }

    /** The present term, unless its lease has ended. */
    @Nullable
    LeaderTerm term() {
        LeaderTerm present = term;
        return present != null && present.isValid() ? present : null;
    }

    void stand() {
        if (over) {
            return;
        }
        CompletableFuture<LockOutcome> asked = ask();
        attempt = asked;
        OffloadedFuture.source(asked).whenComplete(this::answered);
        if (over) {
            asked.cancel(true);
        }
    }

    private CompletableFuture<LockOutcome> ask() {
        try {
            return locks.acquireAsync(request, LockOwner.unique("election '" + MessageText.of(election) + "'"));
        } catch (RuntimeException | Error e) {
            // An executor of the application: the next attempt may succeed.
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(@Nullable LockOutcome outcome, @Nullable Throwable failure) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            LeaderTerm elected = new LeaderTerm(election, acquired.lease());
            if (begin(elected)) {
                ImmediateListener<Lease> loss = lost -> end(elected);
                elected.lease().onLost(loss);
                watch(elected);
            } else {
                elected.lease().releaseAsync();
            }
        } else if (!over) {
            warnOnce(outcome, failure);
            timer.schedule(this::stand, PAUSE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void warnOnce(@Nullable LockOutcome outcome, @Nullable Throwable failure) {
        if (!failing) {
            failing = true;
            Throwable cause = outcome instanceof LockOutcome.BackendFailed failed ? failed.cause() : failure;
            log.warn("Election '" + MessageText.of(election) + "' cannot wait for lock '"
                    + MessageText.of(request.name()) + "', and tries again every second. "
                    + (cause == null ? MessageText.sentence(outcome) : BackendProblemException.describe(cause)));
        }
    }

    /** Begins a term, unless it was stopped. */
    private boolean begin(LeaderTerm elected) {
        lifecycleLock.lock();
        try {
            if (over) {
                return false;
            }
            term = elected;
            latest = elected;
            announce(() -> listener.onGranted(elected));
        } finally {
            lifecycleLock.unlock();
        }
        failing = false;
        log.info("Election '" + MessageText.of(election) + "': this instance leads from now on");
        return true;
    }

    /**
     * Ends the term when its lease has not been renewed for two thirds of its length, or at once when it turns out that the backend has
     * forgotten it.
     */
    private void watch(LeaderTerm watched) {
        if (term != watched) {
            return;
        }
        long untilThird = watched.remaining().toNanos() - request.leaseTime().toNanos() / 3;
        if (untilThird > 0) {
            timer.schedule(() -> watch(watched), Math.min(untilThird, PAUSE_NANOS), TimeUnit.NANOSECONDS);
            // Only its onLost speaks of a loss: the answer is also "no" if there was none.
            watched.lease().confirmAsync();
        } else {
            end(watched);
        }
    }

    /** Stops leading, informs the listener, then releases the lock and stands again. Does nothing if the term has ended before. */
    private void end(LeaderTerm ended) {
        // Its release may follow at once.
        boolean stillValid = ended.isValid();
        lifecycleLock.lock();
        try {
            if (term != ended) {
                return;
            }
            term = null;
            CompletableFuture<Void> told = announce(() -> {
                listener.onRevoked(ended);
                try {
                    ended.lease().release();
                } finally {
                    stand();
                }
            });
            // Nobody leads as long as this instance keeps the lock.
            ScheduledFuture<?> release = timer.schedule(
                    () -> releaseUnlessTold(told, ended), request.leaseTime().toMillis(), TimeUnit.MILLISECONDS);
            told.whenComplete((done, failure) -> release.cancel(false));
        } finally {
            lifecycleLock.unlock();
        }
        if (over) {
            log.info("Election '" + MessageText.of(election) + "': this instance stops, and no longer leads");
        } else {
            log.warn(
                    "Election '" + MessageText.of(election) + "': this instance no longer leads, because its lease was "
                            + (stillValid ? "not renewed in time" : "lost"));
        }
    }

    private void releaseUnlessTold(CompletableFuture<Void> told, LeaderTerm ended) {
        if (!told.isDone()) {
            warnOfListener(request.leaseTime());
            ended.lease().releaseAsync();
        }
    }

    private void warnOfListener(Duration patience) {
        log.warn("Election '" + MessageText.of(election) + "': a listener has not returned within "
                + patience.toSeconds()
                + " s of the end of leadership, so the lock is released although it may still"
                + " work as the leader. Let LeaderListener.onRevoked and @EventListener methods return sooner.");
    }

    private CompletableFuture<Void> announce(Runnable announcement) {
        // One that failed must not keep the later ones from being made.
        announced = announced
                .exceptionally(failed -> null)
                .thenRunAsync(() -> announceNow(announcement), UserThreads.executor());
        return announced;
    }

    private void announceNow(Runnable announcement) {
        announcing = Thread.currentThread();
        try {
            announcement.run();
        } finally {
            announcing = null;
        }
    }

    /**
     * Leads no more. Waits until the listener has returned, at most for this time, and the lock is released. If the listener calls this,
     * both follow when it has returned.
     */
    void stop(Duration patience) {
        LeaderTerm last;
        lifecycleLock.lock();
        try {
            over = true;
            last = term;
        } finally {
            lifecycleLock.unlock();
        }
        CompletableFuture<LockOutcome> waiting = attempt;
        if (waiting != null) {
            waiting.cancel(true);
        }
        if (last != null) {
            end(last);
        }
        if (announcing != Thread.currentThread()) {
            timer.shutdownNow();
            await(patience);
        }
    }

    private void await(Duration patience) {
        try {
            Await.atMost(patience, lastAnnouncement());
            return;
        } catch (TimeoutException e) {
            warnOfListener(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            log.warn("Election '" + MessageText.of(election) + "': the end of leadership could not be announced", e);
        }
        LeaderTerm last = latest;
        if (last != null) {
            last.lease().release();
        }
    }

    private CompletableFuture<Void> lastAnnouncement() {
        lifecycleLock.lock();
        try {
            return announced;
        } finally {
            lifecycleLock.unlock();
        }
    }
}
