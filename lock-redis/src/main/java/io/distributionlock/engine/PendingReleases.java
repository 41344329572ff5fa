package io.distributionlock.engine;

import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.state.Claim;
import io.distributionlock.state.Decision;
import io.distributionlock.state.Decision.ReleaseMode;
import io.distributionlock.state.Times;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The releases of an engine: what their answers mean to the caller, and which claims are being released.
 *
 * @hidden
 */
@Internal
public final class PendingReleases {

    private static final Log log = LogFactory.getLog(PendingReleases.class);

    /** Redis may only be slow, so an unanswered release is not repeated at once. */
    private static final long PAUSE_AFTER_SILENCE_NANOS = Times.nanos(1_000);

    private final CommandPort port;
    private final Outage outage;
    private final ReleaseRepeater repeater;

    /** Claims that were given up and whose release is about to be sent. */
    private final Set<Claim> announced = ConcurrentHashMap.newKeySet();

    /** Whether it is logged that releases fail, and none has succeeded since. */
    private final AtomicBoolean failing = new AtomicBoolean();

    /** @param wakeBy makes sure that there is a tick at the given time */
    PendingReleases(CommandPort port, EngineSettings settings, Outage outage, LongSupplier clock, LongConsumer wakeBy) {
        this.port = port;
        this.outage = outage;
        this.repeater = new ReleaseRepeater(settings.commandTimeoutNanos(), PAUSE_AFTER_SILENCE_NANOS, clock, wakeBy);
    }

    /**
     * Called under the lock of the state that has just forgotten the claim. A grant message that arrives before the release is sent
     * would otherwise look like an unwanted grant: its release would succeed in place of the holder's own, which would then report
     * a loss.
     */
    void announce(List<Decision> decisions) {
        for (Decision decision : decisions) {
            if (decision instanceof Decision.SendRelease release) {
                announced.add(release.claim());
            }
        }
    }

    void send(String name, Decision.SendRelease release) {
        try {
            repeater.send(new SentRelease(name, release));
        } finally {
            // Pending by now, so that releaseUnknown() finds it in one place or the other. If there was no memory for
            // that, a process that waits for the lock asks this process about the claim.
            announced.remove(release.claim());
        }
    }

    /**
     * Releases what was granted to a claim unknown to this process: the backend has forgotten that the claim was given up. No
     * tombstone is needed, because it was written for a late acquire then. Does nothing if the claim is being released already.
     */
    void releaseUnknown(String name, Claim claim) {
        if (!announced.contains(claim)) {
            repeater.sendUnlessPending(
                    new SentRelease(name, new Decision.SendRelease(claim, ReleaseMode.FULL, 0, null)));
        }
    }

    /** Whether very many are being repeated. */
    boolean areMany() {
        return repeater.areMany();
    }

    /** Repeats what is due, and answers callers that have waited for a command timeout. */
    void tick(long now) {
        repeater.tick(now, FailureLog::guard);
    }

    /** Stops repeating, and answers all callers. */
    void close() {
        repeater.close(FailureLog::guard);
    }

    /** The connection is new: the next tick repeats everything that is pending. */
    void reconnected() {
        repeater.reconnected();
    }

    long due() {
        return repeater.due();
    }

    /** Whether every release that was decided has been sent and answered. */
    boolean isEmpty() {
        return announced.isEmpty() && repeater.isEmpty();
    }

    private final class SentRelease extends ReleaseRepeater.Release {

        private final String name;
        private final Decision.SendRelease release;

        SentRelease(String name, Decision.SendRelease release) {
            super(release.claim().text());
            this.name = name;
            this.release = release;
        }

        @Override
        protected boolean retriesAfterAnswer() {
            return release.mode() == ReleaseMode.TOMBSTONE_AND_RETRIES;
        }

        @Override
        protected CompletableFuture<ReleaseReply> send() {
            if (isAnswered()) {
                return port.release(name, id, false, 0);
            }
            return release.mode() == ReleaseMode.UNCONTENDED
                    ? port.releaseUncontended(name, id)
                    : port.release(name, id, release.mode().writesTombstone(), release.minHoldMillis());
        }

        /**
         * Its claim never had an answer to its acquires, and those are dropped: when Redis is back, a last copy would find nothing
         * to release. The few ownerships that look the same are over, or their lease expires. Other releases cannot pile up,
         * because without Redis no lock is acquired that would have to be released.
         */
        @Override
        protected boolean isUselessOnceDropped() {
            return release.mode().writesTombstone() && release.result() == null;
        }

        @Override
        protected void answered(ReleaseReply reply, boolean mayHaveRunTwice) {
            outage.answered();
            failing.set(false);
            complete(meaningOf(reply, mayHaveRunTwice));
        }

        private ReleaseResult meaningOf(ReleaseReply reply, boolean mayHaveRunTwice) {
            if (reply == ReleaseReply.RELEASED) {
                return ReleaseResult.RELEASED;
            }
            return mayHaveRunTwice ? ReleaseResult.UNCONFIRMED : ReleaseResult.LOST;
        }

        @Override
        protected void overdue(@Nullable Throwable failure) {
            boolean explained = outage.explainsOverdue(failure);
            if (complete(ReleaseResult.UNCONFIRMED)) {
                if (!explained && failing.compareAndSet(false, true)) {
                    boolean refused = failure != null && Outage.isAnswer(Failures.unwrapped(failure));
                    log.warn(
                            "The release of lock '" + MessageText.of(name) + "' was "
                                    + (refused ? "refused" : "not answered in time")
                                    + ". It is repeated in the background; at the latest, the lease expires. No more of"
                                    + " this until a release succeeds.",
                            failure);
                }
            }
        }

        @Override
        protected void dropped() {
            complete(ReleaseResult.UNCONFIRMED);
            if (outage.isOn() || failing.get()) {
                return;
            }
            log.warn("The release of lock '" + MessageText.of(name)
                    + "' never succeeded and is no longer repeated. The lock stays held until its lease expires.");
        }

        @Override
        protected void closed() {
            complete(ReleaseResult.UNCONFIRMED);
        }

        /** Answers the caller, if one waits. */
        private boolean complete(ReleaseResult result) {
            CompletableFuture<ReleaseResult> caller = release.result();
            return caller != null && caller.complete(result);
        }
    }
}
