package io.distributionlock.leader;

import io.distributionlock.Lease;
import java.time.Duration;

/** The time for which an instance leads, from an election to the loss or return of its lease. Thread-safe. */
public final class LeaderTerm {

    private final String election;
    private final Lease lease;

    LeaderTerm(String election, Lease lease) {
        this.election = election;
        this.lease = lease;
    }

    /** The name of the election. */
    public String election() {
        return election;
    }

    /**
     * The fencing token of this term: greater than that of every earlier term of the same election, in any instance. Pass it to what
     * the leader writes to, as {@link Lease#fencingToken()} says. Does not block with the executors of this library.
     */
    public long fencingToken() {
        return lease.fencingToken();
    }

    /** Whether no other instance can lead at this moment, by the local monotonic clock; as {@link Lease#isValid()}. */
    public boolean isValid() {
        return lease.isValid();
    }

    /** How long no other instance can lead if the lease is not renewed any more; zero once it was lost or returned. */
    public Duration remaining() {
        return lease.remaining();
    }

    Lease lease() {
        return lease;
    }

    @Override
    public String toString() {
        return "LeaderTerm[" + lease + "]";
    }
}
