package io.distributionlock.engine;

/** What a {@link CommandPort} tells of its own accord. Every method returns quickly and never throws. */
public interface CommandListener {

    /** A waiting claim of this process was made the owner. */
    void granted(String name, String claim, long fence);

    /** A claim has the lock, and somebody who waits wants to know whether this process has that claim. */
    default void asked(String name, String claim) {}

    /** A claim of this process was deprived of its lock by force. */
    void revoked(String name, String claim);

    /** Messages are received from now on, for the first time or again; what was sent before may be missed. */
    void listening();

    /** Commands travel over a new connection; what was under way before may run late, and the backend may have lost data. */
    void reconnected();
}
