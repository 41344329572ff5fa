package io.distributionlock.engine;

import io.distributionlock.LockKind;
import java.time.Duration;
import java.util.List;

/**
 * What one process holds and waits for. The names were looked at one after another, so two entries need not have been true at the
 * same moment.
 *
 * @param instance the name of the process, which begins its claims in the backend
 * @param held every lease, also those of re-entries, in no order
 * @param waiting every attempt that has no outcome yet, in no order of the names; the attempts of one name in their order
 */
public record EngineSnapshot(String instance, List<HeldLease> held, List<WaitingAttempt> waiting) {

    public EngineSnapshot {
        held = List.copyOf(held);
        waiting = List.copyOf(waiting);
    }

    /**
     * A lease.
     *
     * @param lockName the name of the lock
     * @param label what the lock is for, as its request says; empty for nothing
     * @param kind in which way it was asked for
     * @param owner the name of the owning thread, or a sign for an owner that is none
     * @param heldFor how long ago it began
     * @param leaseLeft how long the lease lasts if it is not renewed
     * @param renewed whether it is renewed
     * @param fencingToken its number
     * @param claim by what the backend knows it
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
     * @param label what the lock is for, as its request says; empty for nothing
     * @param kind in which way it is asked for
     * @param owner the name of the waiting thread, or a sign for an owner that is none
     * @param waited how long ago it began
     */
    public record WaitingAttempt(String lockName, String label, LockKind kind, String owner, Duration waited) {}
}
