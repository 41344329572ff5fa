package io.distributionlock.quorum;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.engine.ReleaseRepeater;
import io.distributionlock.internal.MessageText;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The releases at one node: ticks a {@link ReleaseRepeater} on the scheduler's thread. */
final class NodeReleases {

    private static final Log log = LogFactory.getLog(NodeReleases.class);

    private final String label;
    private final CommandPort port;
    private final Scheduler scheduler;
    private final long origin;
    private final ReleaseRepeater repeater;

    /** When the next tick is scheduled; a later one would be too late. */
    private final AtomicLong nextTick = new AtomicLong(Long.MAX_VALUE);

    NodeReleases(String label, CommandPort port, Scheduler scheduler, long timeoutNanos) {
        this.label = label;
        this.port = port;
        this.scheduler = scheduler;
        this.origin = scheduler.nanoTime();
        this.repeater = new ReleaseRepeater(timeoutNanos, timeoutNanos, this::now, this::tickBy);
    }

    private long now() {
        return scheduler.nanoTime() - origin;
    }

    private void tickBy(long moment) {
        if (moment < nextTick.getAndAccumulate(moment, Math::min)) {
            scheduler.schedule(moment - now(), this::tick);
        }
    }

    private void tick() {
        nextTick.set(Long.MAX_VALUE);
        try {
            repeater.tick(now(), Runnable::run);
        } finally {
            tickBy(repeater.due());
        }
    }

    /**
     * Sends a release. The future completes with the first answer. It fails if a repetition is answered "not mine", because an
     * earlier copy may have released the lock, and if no answer came for minutes.
     */
    CompletableFuture<ReleaseReply> send(String name, String claim, boolean tombstone, long minHoldMillis) {
        NodeRelease release = new NodeRelease(name, claim, tombstone, minHoldMillis);
        repeater.send(release);
        return release.result;
    }

    /** Repeats everything over the new connection. */
    void reconnected() {
        repeater.reconnected();
        tickBy(repeater.due());
    }

    /** Repeats everything at once: the node answers again. */
    void reachable() {
        repeater.repeatAtNextTick();
        tickBy(repeater.due());
    }

    boolean isEmpty() {
        return repeater.isEmpty();
    }

    private final class NodeRelease extends ReleaseRepeater.Release {

        private final String name;
        private final String claim;
        private final boolean tombstone;
        private final long minHoldMillis;
        private final CompletableFuture<ReleaseReply> result = new CompletableFuture<>();

        NodeRelease(String name, String claim, boolean tombstone, long minHoldMillis) {
            super(claim);
            this.name = name;
            this.claim = claim;
            this.tombstone = tombstone;
            this.minHoldMillis = minHoldMillis;
        }

        @Override
        protected CompletableFuture<ReleaseReply> send() {
            return port.release(name, claim, tombstone, minHoldMillis);
        }

        @Override
        protected void answered(ReleaseReply reply, boolean mayHaveRunTwice) {
            if (reply == ReleaseReply.NOT_MINE && mayHaveRunTwice) {
                result.completeExceptionally(
                        new IllegalStateException("node " + label + " may have released it before"));
            } else {
                result.complete(reply);
            }
        }

        @Override
        protected void dropped() {
            log.warn("The release of lock '" + MessageText.of(name) + "' was never answered by node " + label
                    + " and is no longer repeated. The lock stays held there until its lease expires.");
            result.completeExceptionally(new IllegalStateException("node " + label + " never answered the release"));
        }
    }
}
