package io.distributionlock.monitor;

import io.distributionlock.LockKind;
import java.time.Duration;
import java.util.List;

/**
 * What one process holds and waits for. Names are read one after another, so entries of different names may not have been true at
 * the same moment.
 *
 * @param instance the name of the process, with which its claims in the backend begin
 * @param held all leases, including those of re-entries, in no particular order
 * @param waiting all attempts without an outcome; those of one name in their order, the names in no particular order
 */
public record LockSnapshot(String instance, List<HeldLease> held, List<WaitingAttempt> waiting) {

    public LockSnapshot {
        held = List.copyOf(held);
        waiting = List.copyOf(waiting);
    }

    /**
     * A lease.
     *
     * @param lockName the name of the lock
     * @param label the label of its request; may be empty
     * @param kind the kind of lock that was requested
     * @param owner the name of the owning thread, or a description of another owner
     * @param heldFor the time since it was acquired
     * @param leaseLeft how long the lease lasts if it is not renewed
     * @param renewed whether it is renewed automatically
     * @param fencingToken its fencing token; 0 if none was drawn
     * @param claim the claim's id in the backend
     */
    public record HeldLease(
            String lockName,
            String label,
            LockKind kind,
            String owner,
            Duration heldFor,
            Duration leaseLeft,
            boolean renewed,
            long fencingToken,
            String claim) {}

    /**
     * An attempt.
     *
     * @param lockName the name of the lock
     * @param label the label of its request; may be empty
     * @param kind the kind of lock that is requested
     * @param owner the name of the waiting thread, or a description of another owner
     * @param waited the time since it began
     */
    public record WaitingAttempt(String lockName, String label, LockKind kind, String owner, Duration waited) {}
}
