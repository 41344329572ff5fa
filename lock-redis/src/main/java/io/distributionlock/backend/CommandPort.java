package io.distributionlock.backend;

import io.distributionlock.LockKind;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.monitor.LockInspection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The commands that the engine of one process sends to the backend. Each call only sends: it never blocks, not even to connect,
 * and answers through its future.
 *
 * <p>A future that completes exceptionally means that the command failed or may have failed. The engine applies the command
 * timeout itself and cancels an acquire, a release or a question that it no longer waits for; the port then drops the command if it
 * was not sent yet.
 * Two failures mean more: {@link TryAgainException} that an acquire may be sent again soon, and
 * {@link NotReplicatedException} that it ran and acquired the lock, which must not be used.
 *
 * <p>Commands that one thread sends one after another reach the backend in that order. They may overtake each other only while a
 * connection is lost and restored; the protocol does not rely on their order.
 *
 * @hidden
 */
@Internal
public interface CommandPort extends AutoCloseable {

    /** A command must not keep the backend from its other work for long, so it carries at most so many waiting claims. */
    int MAX_HEARTBEAT_ENTRIES = 100;

    /** Registers the listener for messages and for the state of the connection. Called once, before everything else. */
    void attach(CommandListener listener);

    /** Connects in the background, ahead of the first command; never fails. By default does nothing. */
    default void connect() {}

    /**
     * Asks for a lock, or asks again.
     *
     * @param claim the claim's id: {@code <instance>:<number>}, {@code <instance>:r<number>} to read, or
     *     {@code <instance>:p<permits>-<number>} for a permit
     * @param leaseMillis how long the lease lasts if the claim acquires the lock
     * @param wait whether the claim takes a place in the queue if the lock is not free
     */
    CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait);

    /**
     * As {@link #acquire}, for an exclusive lock that is probably free, by the cheapest command. If the lock is free, the answer is
     * {@link AcquireReply.Ok} without a fencing number; {@link #number} draws it on demand. Otherwise the answer is that of
     * {@link #acquire}. A duplicate of this command may not find the claim's tombstone. The default numbers every ownership.
     */
    default CompletableFuture<AcquireReply> acquireUncontended(
            String name, String claim, long leaseMillis, boolean wait) {
        return acquire(name, claim, leaseMillis, wait);
    }

    /**
     * Draws the fencing number of an ownership that has none yet. It is greater than all that were drawn before.
     *
     * @param leaseMillis the lease, which the number outlives
     * @return the number, or 0 if the claim no longer owns the lock
     */
    default CompletableFuture<Long> number(String name, String claim, long leaseMillis) {
        throw new UnsupportedOperationException(
                "This port numbers each acquisition: claim '" + claim + "' has its number already.");
    }

    /**
     * Raises the last fencing number of a lock, if the claim owns the lock and the server has been up long enough. Asked of the nodes of a
     * quorum only.
     *
     * @param leaseMillis the requested lease, which determines how long the number is remembered
     * @param leastUptimeSeconds the uptime that the server must report; 0 for any
     */
    default CompletableFuture<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
        throw new UnsupportedOperationException(
                "This port is no node of a quorum: it numbers claim '" + claim + "' itself.");
    }

    /** The kinds of locks that the backend supports. */
    default Set<LockKind> kinds() {
        return EnumSet.allOf(LockKind.class);
    }

    /**
     * How many waiting claims of a name {@link #acquireAll} takes, at most {@link #MAX_HEARTBEAT_ENTRIES}. With 1, the default, each is
     * asked for by {@link #acquire}.
     */
    default int maxHeartbeatEntries() {
        return 1;
    }

    /** Asks again for several waiting claims of one name in one command. The replies are in the order of the claims. */
    default CompletableFuture<List<AcquireReply>> acquireAll(String name, List<HeartbeatEntry> entries) {
        throw new UnsupportedOperationException("This port asks for one claim at a time.");
    }

    /**
     * Gives up a lock or a place in the queue.
     *
     * @param tombstone whether an acquire of this claim may still be under way, and must find a tombstone
     * @param minHoldMillis how long the lock stays taken, without an owner; 0 for not at all
     */
    CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis);

    /**
     * As {@link #release} without a tombstone or minimum hold time, for a claim that acquired by {@link #acquireUncontended} and for which
     * probably nobody waits: by the cheapest command.
     */
    default CompletableFuture<ReleaseReply> releaseUncontended(String name, String claim) {
        return release(name, claim, false, 0);
    }

    /** Renews leases together, of exclusive claims at most one for each name. The answers are in the order of the renewals. */
    List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals);

    /** Whether the lock is held. */
    CompletableFuture<Boolean> isLocked(String name);

    /** Returns what the backend knows of a lock, and changes nothing. The default fails. */
    default CompletableFuture<LockInspection> inspect(String name) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "This backend cannot report who holds lock '" + MessageText.of(name) + "'."));
    }

    /**
     * Lets the processes that own the lock be {@linkplain CommandListener#probed asked} whether they know their claims. Nothing
     * waits for an answer. The default does nothing, which suits a backend that never loses data.
     */
    default void probeOwners(String name) {}

    /** Frees a lock regardless of its holder, and notifies the holder's process; answers whether the lock was held. */
    CompletableFuture<Boolean> forceRelease(String name);

    /**
     * Frees a lock as {@link #forceRelease(String)} does, in steps of bounded work.
     *
     * @param answered runs after each step: then the backend answers, however many steps follow
     */
    default CompletableFuture<Boolean> forceRelease(String name, Runnable answered) {
        return forceRelease(name);
    }

    /**
     * Starts receiving messages until the port is closed. Returns at once, as does every further call;
     * {@link CommandListener#listening()} reports when messages are received.
     */
    void listen();

    /**
     * For how long a waiting process pauses before it asks again, in ms, because no message notifies it of a grant. 0, the default, if
     * messages do: then heartbeats are enough.
     */
    default long pollMillis() {
        return 0;
    }

    /** Where the locks are kept, for messages. */
    default String endpoint() {
        return "this process";
    }

    /** Explains why a command failed that was not answered in time, or could not run until then, if the port knows. Never blocks. */
    default Throwable explained(Throwable failure) {
        return failure;
    }

    /** Stops receiving messages and all else that the port has started. Bounded in time; never throws. */
    @Override
    void close();

    /**
     * A claim that waits.
     *
     * @param leaseMillis how long the lease lasts if the claim acquires the lock now
     */
    record HeartbeatEntry(String claim, long leaseMillis) {}

    /**
     * A lease to be renewed.
     *
     * @param leaseMillis how long it lasts from now; 0 only asks whether the lock is still held. Never shortens a lease.
     * @param reads whether the claim shares the lock with other readers
     * @param numbered whether the ownership has a fencing number, which must outlive the lease
     */
    record Renewal(String name, String claim, long leaseMillis, boolean reads, boolean numbered) {

        /** For an exclusive claim with a fencing number. */
        public Renewal(String name, String claim, long leaseMillis) {
            this(name, claim, leaseMillis, false, true);
        }
    }
}
