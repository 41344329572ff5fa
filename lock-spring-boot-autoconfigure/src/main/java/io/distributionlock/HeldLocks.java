package io.distributionlock;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.internal.BatchRelease;
import io.distributionlock.internal.ImmediateListener;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks that one piece of work holds, from acquisition to release. Reports a loss at once, as each request asks
 * ({@link LockRequest#onLost()}), and remembers it until the work ends. Thread-safe.
 *
 * <p>The locks are released when the work and each {@link #retain()} have released them.
 *
 * @hidden
 */
@Internal
public final class HeldLocks {

    private static final Log log = LogFactory.getLog(HeldLocks.class);

    private final LockScope.Work work;
    private final List<LockRequest> requests;
    private final List<Lease> leases;
    private final LockScope scope;
    private final ReleaseReport releaseReport = new ReleaseReport();
    private volatile Function<Lease, @Nullable LockOwner> owners = lease -> null;
    private final AtomicInteger holders = new AtomicInteger(1);
    /** Copied on each loss: losses are rare, and other calls allocate nothing. */
    private volatile Map<String, LossReason> lost = Map.of();

    /** By the outermost transactions that began in the work and may have written. */
    private volatile boolean committed;

    private volatile boolean rolledBack;

    /** If a request asks for it. */
    private @Nullable LossInterrupt lossInterrupt;

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
        LockAttempts.orGiveBack(leases, this::listen);
    }

    private void listen() {
        for (int i = 0; i < leases.size(); i++) {
            if (requests.get(i).onLost() == OnLost.INTERRUPT) {
                LossInterrupt interrupt = lossInterrupt == null ? new LossInterrupt() : lossInterrupt;
                lossInterrupt = interrupt;
                ImmediateListener<Lease> listener = lease -> interrupt.now();
                leases.get(i).onLost(listener);
            }
            leases.get(i).onLost(this::report);
        }
    }

    /** The work that the locks are held for. */
    public LockScope.Work work() {
        return work;
    }

    /** One lease for each lock, in the order of the requests. */
    public List<Lease> leases() {
        return leases;
    }

    /** Tells who holds locks that belong to no thread; {@code null} for one that nobody can enter again. */
    public void ownedBy(Function<Lease, @Nullable LockOwner> itsOwners) {
        this.owners = itsOwners;
    }

    /** Who holds this lock, unless it is a thread; {@code null} if nobody can enter it again. */
    public @Nullable LockOwner ownerOf(Lease lease) {
        return owners.apply(lease);
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
        Entered.enter(this);
        if (lossInterrupt != null) {
            lossInterrupt.begin();
        }
        try {
            return section.run();
        } finally {
            if (lossInterrupt != null) {
                lossInterrupt.end();
            }
            Entered.leave();
        }
    }

    /**
     * Verifies that every lease is valid by the local clock and, if its request says {@link CommitGuard#REMOTE}, by the backend;
     * this blocks for one command.
     *
     * @throws LockLostException if a lease is lost
     */
    public void requireValid() {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            boolean remote = requests.get(i).commitGuard() == CommitGuard.REMOTE;
            if (!lease.isValid() || (remote && !lease.confirm())) {
                // A backend that does not answer proves no loss, but the work must not be committed without an answer.
                throw loss(lease, lease.isValid() ? LossReason.NO_ANSWER : lease.lossReason());
            }
        }
    }

    private void report(Lease lease) {
        report(lease, lease.lossReason());
    }

    private void report(Lease lease, LossReason reason) {
        if (remember(lease.name(), reason)) {
            String message = "The lease of lock '" + MessageText.of(lease.name()) + "' was lost before "
                    + work.describe() + " returned" + reason.explanation();
            // An executor that tells why has logged the loss itself, unless the lease only failed to be confirmed.
            if (reason == LossReason.UNKNOWN || lease.isValid()) {
                log.warn(message);
            } else {
                log.debug(message);
            }
            scope.lost(this, lease, reason);
        }
    }

    /** Reports the loss unless it was reported before; the exception says what the report said. */
    private LockLostException loss(Lease lease, LossReason reason) {
        report(lease, reason);
        return new LockLostException(lease.name(), lost.getOrDefault(lease.name(), reason));
    }

    /** Whether the loss of this lock was not known yet. */
    private synchronized boolean remember(String name, LossReason reason) {
        if (lost.containsKey(name)) {
            return false;
        }
        Map<String, LossReason> more = new HashMap<>(lost);
        more.put(name, reason);
        lost = more;
        return true;
    }

    /** The exception that replaces the result because a lease is lost, or {@code null} if the result stands. */
    private @Nullable LockLostException lossToThrow(Predicate<Lease> isLost) {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            if (requests.get(i).onLost() == OnLost.THROW && isLost.test(lease)) {
                return loss(lease, lease.lossReason());
            }
        }
        return null;
    }

    private @Nullable LockLostException lossBeforeRelease() {
        return lossToThrow(lease -> !lease.isValid() || isKnownAsLost(lease));
    }

    /** A lease is not valid after its release. */
    private @Nullable LockLostException lossFoundByRelease() {
        return lossToThrow(this::isKnownAsLost);
    }

    private boolean isKnownAsLost(Lease lease) {
        return lost.containsKey(lease.name());
    }

    /** The work has failed, so it may be repeated: locks that refuse repeats are free as soon as they are released. */
    public void failed() {
        for (int i = 0; i < leases.size(); i++) {
            if (requests.get(i).refuseRepeats()) {
                leases.get(i).waiveMinHoldTime();
            }
        }
    }

    /** An outermost transaction that began in the work, and may have written, has ended. */
    public void transactionEnded(boolean undone) {
        if (undone) {
            rolledBack = true;
        } else {
            committed = true;
        }
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
        // Work may return normally although its transactions have undone everything.
        if (rolledBack && !committed) {
            failed();
        }
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

    /** As {@link #release()}; returns the exception to throw, also for a loss that only an awaited release detected. */
    public @Nullable LockLostException releaseAndFindLoss() {
        LockLostException before = lossBeforeRelease();
        release();
        return before == null ? lossFoundByRelease() : before;
    }

    /**
     * As {@link #releaseAndFindLoss()}, without blocking; complete at once if no request asks for confirmation. Stages of the future run
     * on the thread that brings the answer, and must not block.
     */
    public CompletableFuture<@Nullable LockLostException> releaseAndFindLossAsync() {
        LockLostException before = lossBeforeRelease();
        if (!isLastRelease()) {
            return CompletableFuture.completedFuture(before == null ? lossFoundByRelease() : before);
        }
        CompletableFuture<Void> answered = sendReleases().whenAnswered(releaseReport);
        return confirmsRelease()
                ? answered.thenApply(released -> before == null ? lossFoundByRelease() : before)
                : CompletableFuture.completedFuture(before);
    }

    /**
     * Interrupts the thread of the work when a lock is lost. Its interrupt must not hit what the thread does before or after the work.
     */
    private static final class LossInterrupt {

        private @Nullable Thread runner;
        private boolean lost;

        /**
         * Whether this has set the flag of the thread, rather than an interrupt from elsewhere before. One that comes after it finds the
         * flag set, and is cleared with it: a thread has one flag, which does not say who has set it.
         */
        private boolean flagIsOwn;

        synchronized void begin() {
            runner = Thread.currentThread();
            if (lost) {
                interrupt(runner);
            }
        }

        synchronized void end() {
            runner = null;
            if (flagIsOwn) {
                Thread.interrupted();
            }
        }

        synchronized void now() {
            lost = true;
            if (runner != null) {
                interrupt(runner);
            }
        }

        private void interrupt(Thread thread) {
            flagIsOwn |= !thread.isInterrupted();
            thread.interrupt();
        }
    }

    /** The locked work that each thread is running, innermost first. Applications ask {@link LockContext}. */
    public static final class Entered {

        private static final ThreadLocal<Deque<HeldLocks>> CALLS = new ThreadLocal<>();

        private Entered() {}

        /** The calling thread begins work that holds these locks. */
        public static void enter(HeldLocks locks) {
            Deque<HeldLocks> calls = CALLS.get();
            if (calls == null) {
                calls = new ArrayDeque<>(2);
                CALLS.set(calls);
            }
            calls.push(locks);
        }

        /** The calling thread has ended the work that it began last. */
        public static void leave() {
            Deque<HeldLocks> calls = CALLS.get();
            if (calls == null) {
                return;
            }
            calls.poll();
            if (calls.isEmpty()) {
                CALLS.remove();
            }
        }

        /** The leases of the innermost work of the calling thread; none outside of any. */
        public static List<Lease> leases() {
            Deque<HeldLocks> calls = CALLS.get();
            HeldLocks innermost = calls == null ? null : calls.peek();
            return innermost == null ? List.of() : innermost.leases();
        }

        /** What the calling thread holds, innermost first. */
        public static List<HeldLocks> all() {
            Deque<HeldLocks> calls = CALLS.get();
            return calls == null ? List.of() : List.copyOf(calls);
        }
    }
}
