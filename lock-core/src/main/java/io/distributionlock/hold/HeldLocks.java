package io.distributionlock.hold;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.OnLost;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.BatchRelease;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks that one piece of work holds, from acquisition to release. They are released when the work and each {@link #retain()} have
 * released them. Thread-safe.
 *
 * @hidden
 */
@Internal
public final class HeldLocks {

    static final Log log = LogFactory.getLog(HeldLocks.class);

    private final LockScope.Work work;
    private final List<LockRequest> requests;
    private final List<Lease> leases;
    private final Losses losses;
    private final Repeats repeats;
    private final ReleaseReport releaseReport = new ReleaseReport();
    private final AtomicInteger holders = new AtomicInteger(1);
    private final LockScope scope;
    private volatile @Nullable Map<Object, Object> attachments;
    private volatile Function<Lease, @Nullable LockOwner> owners = lease -> null;

    /**
     * @param work the work that the locks are held for
     * @param leases one for each request; given back if one of them refuses the listener for its loss
     * @param scope is notified of the work and of losses
     */
    public HeldLocks(LockScope.Work work, List<LockRequest> requests, List<Lease> leases, LockScope scope) {
        this.work = work;
        this.requests = List.copyOf(requests);
        this.leases = List.copyOf(leases);
        this.scope = scope;
        this.losses = new Losses(this, scope);
        this.repeats = new Repeats(this);
        LockAttempts.orGiveBack(leases, losses::listen);
    }

    /** The work that the locks are held for. */
    public LockScope.Work work() {
        return work;
    }

    List<LockRequest> requests() {
        return requests;
    }

    /** One lease for each lock, in the order of the requests. */
    public List<Lease> leases() {
        return leases;
    }

    /** Tells who holds locks that belong to no thread; {@code null} for one that nobody can enter again. */
    public void ownedBy(Function<Lease, @Nullable LockOwner> itsOwners) {
        this.owners = itsOwners;
    }

    /** The owner of this lock, unless it is a thread; {@code null} if nobody can enter it again. */
    public @Nullable LockOwner ownerOf(Lease lease) {
        return owners.apply(lease);
    }

    /** Whether a request says {@link CommitGuard#DATABASE}. */
    public boolean isFenced() {
        for (LockRequest request : requests) {
            if (request.commitGuard() == CommitGuard.DATABASE) {
                return true;
            }
        }
        return false;
    }

    /** The leases that each commit compares in its database, in the order of the requests. */
    public List<Lease> fenced() {
        List<Lease> fenced = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            if (requests.get(i).commitGuard() == CommitGuard.DATABASE) {
                fenced.add(leases.get(i));
            }
        }
        return fenced;
    }

    /** What its scope remembers of the work; thread-safe. */
    public Map<Object, Object> attachments() {
        Map<Object, Object> known = attachments;
        if (known == null) {
            synchronized (this) {
                known = attachments == null ? attachments = new ConcurrentHashMap<>() : attachments;
            }
        }
        return known;
    }

    /** Reports that another holder has announced itself; the exception says so. */
    public LockLostException overtaken(Lease lease, OptionalLong token) {
        return losses.overtaken(lease, token);
    }

    /** A section of code that may throw. */
    @FunctionalInterface
    public interface Section<T, X extends Throwable> {

        /** Runs the section. */
        @Nullable
        T run() throws X;
    }

    /**
     * Runs the section on the calling thread and then releases the locks, unless the transaction keeps them longer. Exceptions of
     * the section are rethrown unchanged.
     *
     * @param transaction the transaction around the call
     * @throws LockLostException if a lease was lost whose request says {@link OnLost#THROW}; the result is discarded, and an
     *     exception of the section is suppressed in this one
     */
    public <T, X extends Throwable> @Nullable T runAndRelease(
            LockScope.@Nullable EnclosingTransaction transaction, Section<T, X> section) throws X {
        @Nullable T result;
        try {
            if (transaction != null) {
                transaction.keep(this);
            }
            result = run(section);
        } catch (Throwable e) {
            failed();
            LockLostException loss = releaseAndFindLoss();
            if (loss != null && !(e instanceof LockLostException)) {
                loss.addSuppressed(e);
                throw loss;
            }
            throw e;
        }
        LockLostException loss = releaseAndFindLoss();
        if (loss != null) {
            throw loss;
        }
        return result;
    }

    /** Runs the section on the calling thread without releasing the locks. Its exceptions are rethrown unchanged. */
    public <T, X extends Throwable> @Nullable T run(Section<T, X> section) throws X {
        CurrentLocks.enter(this);
        losses.beginInterrupts();
        try {
            scope.beforeWork(this);
            T result = section.run();
            scope.afterWork(this);
            return result;
        } finally {
            losses.endInterrupts();
            CurrentLocks.leave();
        }
    }

    /**
     * Verifies that every lease is valid by the local clock and, if its request says {@link io.distributionlock.CommitGuard#REMOTE}, by
     * the backend; this blocks for one command.
     *
     * @throws LockLostException if a lease is lost
     */
    public void requireValid() {
        losses.requireNone();
    }

    /** The work has failed, so it may be repeated: locks that refuse repeats are free as soon as they are released. */
    public void failed() {
        repeats.allow();
    }

    /** An outermost transaction that began in the work, and may have written, has ended. */
    public void transactionEnded(boolean undone) {
        repeats.transactionEnded(undone);
    }

    /** Keeps the locks until one more {@link #release()}, for a transaction around the work. */
    public void retain() {
        holders.incrementAndGet();
    }

    /**
     * Undoes one {@link #retain()} or ends the work. The last call releases the locks. If a request asks for it
     * ({@link LockRequest#confirmRelease()}), it blocks until the backend has answered, at most for the command timeout. Never
     * throws: the result of the work must reach the caller.
     */
    public void release() {
        if (!isLastRelease()) {
            return;
        }
        if (!confirmsRelease()) {
            sendReleases().whenAnswered(releaseReport);
            return;
        }
        if (leases.size() > 1) {
            sendReleases().await(releaseReport);
            return;
        }
        Lease lease = leases.get(0);
        try {
            releaseReport.released(lease, lease.release());
        } catch (RuntimeException e) {
            releaseReport.failed(lease, e);
        }
    }

    private boolean isLastRelease() {
        if (holders.decrementAndGet() != 0) {
            return false;
        }
        repeats.workEnded();
        return true;
    }

    private boolean confirmsRelease() {
        for (LockRequest request : requests) {
            if (request.confirmRelease()) {
                return true;
            }
        }
        return false;
    }

    private BatchRelease<Lease, ReleaseResult> sendReleases() {
        return BatchRelease.of(leases, Lease::releaseAsync, ReleaseResult.UNCONFIRMED);
    }

    private final class ReleaseReport implements BatchRelease.Report<Lease, ReleaseResult> {

        @Override
        public void released(Lease lease, ReleaseResult result) {
            if (result == ReleaseResult.LOST) {
                losses.report(lease);
            }
        }

        @Override
        public void failed(Lease lease, RuntimeException failure) {
            log.error(
                    "Lock '" + MessageText.of(lease.name()) + "' was not released properly after " + work.describe(),
                    failure);
        }
    }

    /** As {@link #release()}; returns the exception to throw, also for a loss that only an awaited release detected. */
    public @Nullable LockLostException releaseAndFindLoss() {
        LockLostException before = losses.beforeRelease();
        release();
        return before == null ? losses.foundByRelease() : before;
    }

    /**
     * As {@link #releaseAndFindLoss()}, without blocking; complete at once if no request asks for confirmation. Stages of the future run
     * on the thread that brings the answer, and must not block.
     */
    public CompletableFuture<@Nullable LockLostException> releaseAndFindLossAsync() {
        LockLostException before = losses.beforeRelease();
        if (!isLastRelease()) {
            return CompletableFuture.completedFuture(before == null ? losses.foundByRelease() : before);
        }
        CompletableFuture<Void> answered = sendReleases().whenAnswered(releaseReport);
        return confirmsRelease()
                ? answered.thenApply(released -> before == null ? losses.foundByRelease() : before)
                : CompletableFuture.completedFuture(before);
    }
}
