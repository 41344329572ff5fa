package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.MessageText;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * The commands by which the engine of one process takes part in the locks of all. Each call only sends: it never blocks, not
 * even to connect, and answers through its future.
 *
 * <p>A future that completes exceptionally says that the command failed or may have failed. The engine keeps the command
 * timeout itself and cancels a future that it no longer waits for; the port then drops the command if it was not sent yet.
 * Two failures say more: {@link TryAgainException} that an acquire did not run and may be sent again, and
 * {@link NotReplicatedException} that it ran and got the lock, which must not be used.
 *
 * <p>Commands that are called one after another by one thread reach the backend in that order. Only while a connection is lost and
 * comes back may they pass each other; the protocol does not rely on their order.
 */
public interface CommandPort extends AutoCloseable {

    /** Registers who is told of messages and of the connection's fate. Called once, before everything else. */
    void attach(CommandListener listener);

    /**
     * Asks for a lock, or asks again.
     *
     * @param claim the id of this bid: {@code <instance>:<number>}, or {@code <instance>:r<number>} to read
     * @param leaseMillis how long the lock is held if it is got
     * @param wait whether the claim stands in the queue when the lock is not free
     */
    CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait);

    /** The kinds of locks that the backend can keep. */
    default Set<LockKind> kinds() {
        return EnumSet.allOf(LockKind.class);
    }

    /**
     * Asks again for several claims of one name at once, all of them waiting. The replies stand in the order of the biddings.
     * Unless it is overridden, each of them travels alone.
     */
    default CompletableFuture<List<AcquireReply>> acquireAll(String name, List<Bidding> biddings) {
        List<CompletableFuture<AcquireReply>> replies = biddings.stream()
                .map(bidding -> acquire(name, bidding.claim(), bidding.leaseMillis(), true))
                .toList();
        CompletableFuture<List<AcquireReply>> all = CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                .thenApply(
                        unused -> replies.stream().map(CompletableFuture::join).toList());
        all.whenComplete((unused, failure) -> {
            if (all.isCancelled()) {
                replies.forEach(reply -> reply.cancel(false));
            }
        });
        return all;
    }

    /**
     * Turns an exclusive owner into a reader, and lets in whoever may read beside it. Changes nothing for one that reads already.
     * Never called on a port whose {@link #kinds()} have no readers.
     */
    default CompletableFuture<ReleaseReply> downgrade(String name, String claim) {
        throw new UnsupportedOperationException("This port has no readers, so that '" + claim + "' cannot become one.");
    }

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

    /** Tells what the backend knows of a lock, and changes nothing. Fails unless it is overridden. */
    default CompletableFuture<LockInspection> inspect(String name) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "This backend cannot be asked who holds lock '" + MessageText.of(name) + "'."));
    }

    /**
     * Lets the processes of those who are inside be {@linkplain CommandListener#asked asked} whether they have these claims. Nobody
     * waits for an answer. Unless it is overridden, nobody is asked: a backend that never forgets what it was told has no need.
     */
    default void inquire(String name) {}

    /** Frees a lock whoever holds it, and tells the holder's process; answers whether anybody held it. */
    CompletableFuture<Boolean> forceRelease(String name);

    /**
     * Makes sure that messages are received, from now until the port is closed. Returns at once, as does every further call;
     * {@link CommandListener#listening()} tells when it is so.
     */
    void listen();

    /** Says more of why a command was not answered in time, if the port knows more than that. Never blocks. */
    default Throwable explained(TimeoutException silence) {
        return silence;
    }

    /** Ends the receiving of messages and what else the port has started. Bounded in time; never throws. */
    @Override
    void close();

    /**
     * A claim that waits.
     *
     * @param leaseMillis how long the lock is held if it is got now
     */
    record Bidding(String claim, long leaseMillis) {}

    /**
     * One lease to be prolonged.
     *
     * @param leaseMillis how long it lasts from now; 0 only asks whether the lock is still held. Never shortens.
     */
    record Renewal(String name, String claim, long leaseMillis) {}
}
