package io.distributionlock.state;

import java.util.List;

/**
 * The life of one claim, on behalf of a {@link RequestQueue}: it asks for the lock ({@link PendingAcquire}), then owns it ({@link
 * Ownership}), and is given up. A claim is never used again.
 *
 * <p>This is what {@code ClaimStatesTest} sees: what leads from one {@link State} to another, and how a claim is released from each
 * ({@link Decision.ReleaseMode}), or forgotten because the backend does not have it.
 *
 * <pre>
 * NEW      → ASKING, RETRYING
 * ASKING   → WAITING  busy
 * ASKING   → RETRYING failure, refusal, time
 * ASKING   → HELD     ok
 * WAITING  → ASKING   ok
 * WAITING  → RETRYING failure, refusal, time
 * WAITING  → HELD     ok
 * RETRYING → ASKING   ok
 * RETRYING → WAITING  busy
 * RETRYING → HELD     ok
 * HELD     → PASSING  release
 * PASSING  → HELD     held
 * ASKING   → FORGOTTEN, FULL, TOMBSTONE, TOMBSTONE_AND_RETRIES, UNCONTENDED
 * WAITING  → FORGOTTEN, FULL, TOMBSTONE, TOMBSTONE_AND_RETRIES
 * RETRYING → FORGOTTEN, FULL, TOMBSTONE, TOMBSTONE_AND_RETRIES
 * HELD     → FULL, TOMBSTONE, TOMBSTONE_AND_RETRIES, UNCONTENDED
 * PASSING  → FULL, TOMBSTONE, TOMBSTONE_AND_RETRIES, UNCONTENDED
 * </pre>
 */
sealed interface Attempt permits PendingAcquire, Ownership {

    enum State {

        /** Nothing is known of the lock, or it was granted too late. */
        ASKING,

        /** The lock is busy. The claim asks again at each heartbeat. */
        WAITING,

        /** The latest acquire was refused, failed or had no answer in time. It is repeated after a pause. */
        RETRYING,

        /** The claim owns the lock for a holder. */
        HELD,

        /** The claim owns the lock, and the next holder waits for the answer to a renewal. */
        PASSING
    }

    State state();

    Claim claim();

    /** When the next tick is due. */
    long due();

    /** Lets an event of this claim happen. The attempt is valid at this time. */
    void on(Event.OfClaim event, RequestQueue queue, long now, List<Decision> out);

    /** Lets an event happen that concerns every claim. */
    void on(Event.OfAll event, RequestQueue queue, long now, List<Decision> out);
}
