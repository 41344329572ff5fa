package io.distributionlock.state;

import java.util.List;

/**
 * The life of one claim, on behalf of a {@link RequestQueue}: it asks for the lock ({@link PendingAcquire}), then owns it ({@link
 * Ownership}), and is given up. A claim is never used again.
 */
sealed interface Attempt permits PendingAcquire, Ownership {

    Claim claim();

    /** When the next tick is due. */
    long due();

    /** Lets an event of this claim happen. The attempt is valid at this time. */
    void on(Event.OfClaim event, RequestQueue queue, long now, List<Decision> out);

    /** Lets an event happen that concerns every claim. */
    void on(Event.OfAll event, RequestQueue queue, long now, List<Decision> out);
}
