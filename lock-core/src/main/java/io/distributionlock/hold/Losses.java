package io.distributionlock.hold;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockLostException;
import io.distributionlock.LockRequest;
import io.distributionlock.OnLost;
import io.distributionlock.internal.MessageText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The losses of {@link HeldLocks}: reports each at once, as its request asks ({@link LockRequest#onLost()}), and remembers it until the
 * work ends. Thread-safe.
 */
final class Losses {

    private final HeldLocks locks;
    private final List<LockRequest> requests;
    private final List<Lease> leases;
    private final LockScope scope;

    /** If a request asks for it. */
    private final @Nullable LossInterrupt interrupt;

    /** Replaced by a copy on each loss: losses are rare, and a call without one allocates nothing. */
    private volatile Map<String, LossReason> lost = Map.of();

    Losses(HeldLocks locks, LockScope scope) {
        this.locks = locks;
        this.requests = locks.requests();
        this.leases = locks.leases();
        this.scope = scope;
        this.interrupt = interrupts(requests) ? new LossInterrupt() : null;
    }

    private static boolean interrupts(List<LockRequest> requests) {
        for (LockRequest request : requests) {
            if (request.onLost() == OnLost.INTERRUPT) {
                return true;
            }
        }
        return false;
    }

    /** Begins to listen for losses. */
    void listen() {
        for (int i = 0; i < leases.size(); i++) {
            LossInterrupt ofThread = interrupt;
            if (ofThread != null && requests.get(i).onLost() == OnLost.INTERRUPT) {
                // As code of the application: a class of threads may override interrupt().
                leases.get(i).onLost(lease -> ofThread.now());
            }
            leases.get(i).onLost(this::report);
        }
    }

    /** From now on, a loss interrupts the calling thread if its request asks for it. */
    void beginInterrupts() {
        if (interrupt != null) {
            interrupt.begin();
        }
    }

    /** The calling thread is interrupted no more, nor by what it has not noticed. */
    void endInterrupts() {
        if (interrupt != null) {
            interrupt.end();
        }
    }

    /** See {@link HeldLocks#requireValid()}. */
    void requireNone() {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            boolean remote = requests.get(i).commitGuard() == CommitGuard.REMOTE;
            if (!lease.isValid() || (remote && !lease.confirm())) {
                // A backend that does not answer proves no loss, but the work must not be committed without an answer.
                throw exception(lease, lease.isValid() ? LossReason.NO_ANSWER : lease.lossReason());
            }
        }
    }

    /** See {@link HeldLocks#overtaken}. */
    LockLostException overtaken(Lease lease, OptionalLong token) {
        LockLostException overtaken = new LockLostException(lease.name(), lease.fencingToken(), token);
        if (remember(lease.name(), LossReason.OVERTAKEN)) {
            HeldLocks.log.warn(overtaken.getMessage() + " See why the lease ended before "
                    + locks.work().describe() + " did.");
            scope.lost(locks, lease, LossReason.OVERTAKEN);
        }
        return overtaken;
    }

    /** Reports the loss of this lease unless it was reported before. */
    void report(Lease lease) {
        report(lease, lease.lossReason());
    }

    private void report(Lease lease, LossReason reason) {
        if (remember(lease.name(), reason)) {
            String message = "The lease of lock '" + MessageText.of(lease.name()) + "' was lost before "
                    + locks.work().describe() + " returned" + reason.explanation();
            // An executor that tells why has logged the loss itself, unless the lease only failed to be confirmed.
            if (reason == LossReason.UNKNOWN || lease.isValid()) {
                HeldLocks.log.warn(message);
            } else {
                HeldLocks.log.debug(message);
            }
            scope.lost(locks, lease, reason);
        }
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
    @Nullable
    LockLostException beforeRelease() {
        return toThrow(lease -> !lease.isValid() || isKnown(lease));
    }

    /** As {@link #beforeRelease()}, afterwards: a lease is not valid after its release. */
    @Nullable
    LockLostException foundByRelease() {
        return toThrow(this::isKnown);
    }

    private @Nullable LockLostException toThrow(Predicate<Lease> isLost) {
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            if (requests.get(i).onLost() == OnLost.THROW && isLost.test(lease)) {
                return exception(lease, lease.lossReason());
            }
        }
        return null;
    }

    private boolean isKnown(Lease lease) {
        return lost.containsKey(lease.name());
    }

    /** Reports the loss unless it was reported before; the exception says what the report said. */
    private LockLostException exception(Lease lease, LossReason reason) {
        report(lease, reason);
        return new LockLostException(lease.name(), lost.getOrDefault(lease.name(), reason));
    }
}
