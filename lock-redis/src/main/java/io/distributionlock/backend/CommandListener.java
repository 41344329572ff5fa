package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * Receives the messages of a {@link CommandPort}. Anybody may have sent a message: it is a reason to ask the backend, and proves
 * nothing. Every method returns quickly and never throws.
 *
 * @hidden
 */
@Internal
public interface CommandListener {

    /** A waiting claim is said to own the lock now. */
    void granted(String name, String claim);

    /** A claim is said to own the lock, and a process that waits asks whether this process knows the claim. */
    default void probed(String name, String claim) {}

    /** The lock of a claim is said to have been released by force. */
    void revoked(String name, String claim);

    /** Messages are received from now on, for the first time or again; earlier ones may have been missed. */
    void listening();

    /** The connection is new: commands under way may run late, and the backend may have lost data. */
    void reconnected();
}
