package io.distributionlock;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks that one piece of work holds, from the moment they are got until they are given back: tells of a loss at once, by
 * what each request says of it ({@link LockRequest#onLost()}), and remembers it for the end. Thread-safe.
 *
 * <p>They are given back when everybody who holds on to them has let go: the work itself, and each {@link #retain()}.
 */
public final class HeldLocks {

    private static final Log log = LogFactory.getLog(HeldLocks.class);

    private final LockSurroundings.Work work;
    private final List<LockRequest> requests;
    private final List<Lease> leases;
    private final LockSurroundings scope;
    private final ReleaseReport releaseReport = new ReleaseReport();
    private final AtomicInteger holders = new AtomicInteger(1);
    /** Replaced as a whole, for losses are rare: what every call would have to make is left out. */
    private volatile Set<String> lost = Set.of();

    private final Object interruptMonitor = new Object();
    private @Nullable Thread runner;
    private boolean interrupted;

    /**
     * @param work what the locks are held for
     * @param requests what was asked for
     * @param leases what was got, one for each request
     * @param scope who is told of the work and of losses
     */
    public HeldLocks(LockSurroundings.Work work, List<LockRequest> requests, List<Lease> leases, LockSurroundings scope) {
        this.work = work;
        this.requests = List.copyOf(requests);
        this.leases = List.copyOf(leases);
        this.scope = scope;
        for (int i = 0; i < leases.size(); i++) {
            OnLost onLost = requests.get(i).onLost();
            if (onLost == OnLost.INTERRUPT) {
                LossMark<Lease> interrupt = lease -> interrupt();
                leases.get(i).onLost(interrupt);
            }
            leases.get(i).onLost(this::report);
        }
    }

    /** What the locks are held for. */
    public LockSurroundings.Work work() {
        return work;
    }

    /** One lease for each lock, in the order of the requests. */
    public List<Lease> leases() {
        return leases;
    }

    /** Something to do that may throw. */
    @FunctionalInterface
    public interface Section<T, X extends Throwable> {

        /** Does it. */
        @Nullable
        T run() throws X;
    }

    /**
     * Runs the section on the calling thread and then gives the locks back, unless a surrounding keeps them longer. What the
     * section throws passes through as it is.
     *
     * @param surrounding what the caller stands in
     * @throws LockLostException if a lease was lost whose request says {@link OnLost#THROW}; the result is discarded, and what
     *     the section threw is kept as suppressed
     */
    public <T, X extends Throwable> @Nullable T runAndRelease(
            LockSurroundings.@Nullable EnclosingTransaction transaction, Section<T, X> section) throws X {
        if (transaction != null) {
            transaction.keep(this);
        }
        @Nullable T result;
        try {
            result = run(section);
        } catch (Throwable e) {
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

    /** Runs the section on the calling thread, and gives nothing back. What it throws passes through as it is. */
    public <T, X extends Throwable> @Nullable T run(Section<T, X> section) throws X {
        scope.entered(this);
        started();
        try {
            return section.run();
        } finally {
            stopped();
            scope.left(this);
        }
    }

    /**
     * @throws LockLostException if a lease is lost, by the local clock or, if its request asks for that
     *     ({@link CommitGuard#REMOTE}), by the backend; blocks for one command then
     */
    public void requireValid() {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            boolean remote = requests.get(i).commitGuard() == CommitGuard.REMOTE;
            if (!lease.isValid() || (remote && !lease.confirm())) {
                report(lease);
                throw new LockLostException(lease.name());
            }
        }
    }

    /** From here until {@link #stopped()} a loss may interrupt the calling thread. */
    private void started() {
        synchronized (interruptMonitor) {
            runner = Thread.currentThread();
            if (interrupted) {
                runner.interrupt();
            }
        }
    }

    /** The work has ended: an interrupt that was meant for it must not hit what the thread does next. */
    private void stopped() {
        synchronized (interruptMonitor) {
            runner = null;
            if (interrupted) {
                Thread.interrupted();
            }
        }
    }

    private void interrupt() {
        synchronized (interruptMonitor) {
            interrupted = true;
            if (runner != null) {
                runner.interrupt();
            }
        }
    }

    private void report(Lease lease) {
        if (remember(lease.name())) {
            log.warn("The lease of lock '" + MessageText.of(lease.name()) + "' was lost before " + work.describe()
                    + " returned: another may have held the lock meanwhile. Check or undo what was done, and hold the"
                    + " lock longer or let it be renewed.");
            scope.lost(this, lease);
        }
    }

    /** Whether the loss of this lock is news. */
    private synchronized boolean remember(String name) {
        if (lost.contains(name)) {
            return false;
        }
        Set<String> more = new HashSet<>(lost);
        more.add(name);
        lost = more;
        return true;
    }

    /** What the caller gets instead of a result because a lease is lost, or {@code null} if the result stands. */
    private @Nullable LockLostException lossToThrow() {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            if (requests.get(i).onLost() == OnLost.THROW && (lost.contains(lease.name()) || !lease.isValid())) {
                report(lease);
                return new LockLostException(lease.name());
            }
        }
        return null;
    }

    /** The thread that took the locks goes on to other things while the work is still to end: see {@link Lease#detach()}. */
    public void detach() {
        leases.forEach(Lease::detach);
    }

    /** Holds on to the locks until one more {@link #release()}. */
    public void retain() {
        holders.incrementAndGet();
    }

    /**
     * Lets go; the last one gives the locks back, and blocks until the backend has answered, at most for the command timeout.
     * Never throws: the result of the work must reach the caller.
     */
    public void release() {
        if (holders.decrementAndGet() != 0) {
            return;
        }
        if (leases.size() > 1) {
            JointRelease.of(leases).await(releaseReport);
            return;
        }
        Lease lease = leases.get(0);
        try {
            releaseReport.released(lease, lease.release());
        } catch (RuntimeException e) {
            releaseReport.failed(lease, e);
        }
    }

    private final class ReleaseReport implements JointRelease.Report {

        @Override
        public void released(Lease lease, ReleaseResult result) {
            if (result == ReleaseResult.LOST) {
                report(lease);
            }
        }

        @Override
        public void failed(Lease lease, RuntimeException failure) {
            log.error(
                    "Lock '" + MessageText.of(lease.name()) + "' was not released properly after " + work.describe(),
                    failure);
        }
    }

    /** As {@link #release()}; says afterwards what is to be thrown, also if a lease had seemed valid until then. */
    public @Nullable LockLostException releaseAndFindLoss() {
        LockLostException before = lossToThrow();
        release();
        return before == null ? lossFoundByRelease() : before;
    }

    /**
     * The same as {@link #releaseAndFindLoss()} without blocking. What hangs on the future runs where the answer comes in, and
     * must not block.
     */
    public CompletableFuture<@Nullable LockLostException> releaseAndFindLossAsync() {
        LockLostException before = lossToThrow();
        if (holders.decrementAndGet() != 0) {
            return CompletableFuture.completedFuture(before == null ? lossFoundByRelease() : before);
        }
        return JointRelease.of(leases)
                .whenAnswered(releaseReport)
                .thenApply(released -> before == null ? lossFoundByRelease() : before);
    }

    private @Nullable LockLostException lossFoundByRelease() {
        for (int i = 0; i < leases.size(); i++) {
            if (lost.contains(leases.get(i).name()) && requests.get(i).onLost() == OnLost.THROW) {
                return new LockLostException(leases.get(i).name());
            }
        }
        return null;
    }
}
