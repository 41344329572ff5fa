package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import org.jspecify.annotations.Nullable;

/** The queue of a single attempt, so that its place is its place among all attempts of all processes. */
final class SingleRequestQueue extends RequestQueue {

    /** Of the attempt, and of what re-enters. */
    final LockOwner owner;

    /** The place among the queues of the name. */
    final long arrival;

    /** Shared by all queues of the name. */
    private final HeartbeatSchedule heartbeats;

    /** The claim by which {@link SingleRequestQueues} finds it. */
    @Nullable
    Claim listedClaim;

    /** The due time by which {@link SingleRequestQueues} finds it. */
    long listedDue;

    SingleRequestQueue(LockKind kind, LockOwner owner, StateContext context, HeartbeatSchedule heartbeats) {
        super(kind, context);
        this.owner = owner;
        this.heartbeats = heartbeats;
        this.arrival = heartbeats.arrive();
    }

    @Override
    long heartbeatAfter(long since, long interval, long now) {
        return heartbeats.next(arrival, since, now, interval);
    }

    @Override
    boolean hasTurn(long now) {
        return heartbeats.hasTurn(arrival, now, context.heartbeatNanos());
    }
}
