package io.distributionlock.hold;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import java.util.List;

/**
 * Whether the work of {@link HeldLocks} may be repeated although its locks refuse repeats: if it has failed, or if it returned normally but
 * its transactions have undone everything. Thread-safe.
 */
final class Repeats {

    private final List<LockRequest> requests;
    private final List<Lease> leases;

    /** By the outermost transactions that began in the work and may have written. */
    private volatile boolean committed;

    private volatile boolean rolledBack;

    Repeats(HeldLocks locks) {
        this.requests = locks.requests();
        this.leases = locks.leases();
    }

    /** From now on, locks that refuse repeats are free as soon as they are released. */
    void allow() {
        for (int i = 0; i < leases.size(); i++) {
            if (requests.get(i).refuseRepeats()) {
                leases.get(i).waiveMinHoldTime();
            }
        }
    }

    /** An outermost transaction that began in the work, and may have written, has ended. */
    void transactionEnded(boolean undone) {
        if (undone) {
            rolledBack = true;
        } else {
            committed = true;
        }
    }

    /** The work and the transactions around it have ended. */
    void workEnded() {
        if (rolledBack && !committed) {
            allow();
        }
    }
}
