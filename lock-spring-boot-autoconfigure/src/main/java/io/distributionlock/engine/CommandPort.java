package io.distributionlock.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The commands by which the engine of one process takes part in the locks of all. Each call only sends: it never blocks, not
 * even to connect, and answers through its future.
 *
 * <p>A future that completes exceptionally says that the command failed or may have failed. The engine keeps the command
 * timeout itself and cancels a future that it no longer waits for; the port then drops the command if it was not sent yet.
 *
 * <p>Commands that are called one after another by one thread reach the backend in that order.
 */
public interface CommandPort extends AutoCloseable {

    /** Registers who is told of messages and of the connection's fate. Called once, before everything else. */
    void attach(CommandListener listener);

    /**
     * Asks for a lock, or asks again.
     *
     * @param claim the id of this bid, {@code <instance>:<number>}
     * @param leaseMillis how long the lock is held if it is got
     * @param wait whether the claim stands in the queue when the lock is not free
     */
    CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait);

    /**
     * Gives up a lock or a place in the queue.
     *
     * @param bury whether an acquire of this claim may still be under way, and must find nothing to take
     * @param keepMillis how long the lock stays taken yet, by nobody; 0 for not at all
     */
    CompletableFuture<ReleaseReply> release(String name, String claim, boolean bury, long keepMillis);

    /** Prolongs leases; all of them travel together. The answers stand in the order of the renewals. */
    List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals);

    /** Whether anybody holds the lock. */
    CompletableFuture<Boolean> isLocked(String name);

    /** Frees a lock whoever holds it, and tells the holder's process; answers whether anybody held it. */
    CompletableFuture<Boolean> forceRelease(String name);

    /**
     * Makes sure that messages are received, from now until the port is closed. Returns at once, as does every further call;
     * {@link CommandListener#listening()} tells when it is so.
     */
    void listen();

    /** Ends the receiving of messages and what else the port has started. Bounded in time; never throws. */
    @Override
    void close();

    /**
     * One lease to be prolonged.
     *
     * @param leaseMillis how long it lasts from now; 0 only asks whether the lock is still held. Never shortens.
     */
    record Renewal(String name, String claim, long leaseMillis) {}
}
