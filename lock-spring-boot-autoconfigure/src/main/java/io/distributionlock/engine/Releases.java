package io.distributionlock.engine;

import io.distributionlock.MessageText;
import io.distributionlock.ReleaseResult;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Releases and downgrades on their way, and those that were not answered: they are repeated until they are, so that no lock and no place in
 * a queue stays behind because a command was lost.
 */
final class Releases {

    private static final Log log = LogFactory.getLog(Releases.class);

    /** As long as a tombstone lives: a later repetition could not tell an orphan any more, and its lease is long over. */
    private static final long REPEAT_FOR_NANOS = Times.nanos(300_000);

    /** After an error, which is often over in a moment. */
    private static final long FIRST_REPEAT_NANOS = Times.nanos(50);

    /** After silence, which may only be slowness. */
    private static final long REPEAT_AFTER_SILENCE_NANOS = Times.nanos(1_000);

    /** Repeated ever more rarely, so that a Redis that is slow to answer gets the time to. */
    private static final long RAREST_REPEAT_NANOS = Times.nanos(30_000);

    /**
     * While Redis is away for long, memory must not fill up with releases; the leases end by themselves. Those that came first are
     * kept, because the acquires before them may have reached Redis.
     */
    private static final int MOST_REPEATED = 10_000;

    private final CommandPort port;
    private final EngineSettings settings;
    private final EngineCounters counters;
    private final LongSupplier clock;
    private final LongConsumer wakeBy;
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();

    /** Claims that were given up and whose release is about to be sent. */
    private final Set<String> announced = ConcurrentHashMap.newKeySet();

    /** @param wakeBy sees to it that there is a tick at this time */
    Releases(
            CommandPort port,
            EngineSettings settings,
            EngineCounters counters,
            LongSupplier clock,
            LongConsumer wakeBy) {
        this.port = port;
        this.settings = settings;
        this.counters = counters;
        this.clock = clock;
        this.wakeBy = wakeBy;
    }

    /**
     * Called under the lock of the state that has just forgotten the claim, so that a message that arrives before the release is
     * sent does not pass for a grant that nobody wants: its release would be the one that succeeds, and the holder's own would
     * report a loss.
     */
    void announce(List<Decision> decisions) {
        for (Decision decision : decisions) {
            if (decision instanceof Decision.SendRelease release) {
                announced.add(release.claim());
            }
        }
    }

    void send(String name, Decision.SendRelease release) {
        send(
                name,
                release.claim(),
                () -> port.release(name, release.claim(), release.tombstone(), release.keepMillis()),
                ReleaseResult.RELEASED,
                release.result(),
                release.tombstone() && release.result() == null,
                () -> {});
    }

    /**
     * Gives back what was granted to a claim that this process does not have: the backend has forgotten that it was given up. No
     * tombstone is needed: what may run late was buried then. If its release is under way, that is enough.
     */
    void giveBack(String name, String claim) {
        // In this order: a release is pending before it is no longer announced.
        if (!announced.contains(claim) && !pending.containsKey(claim)) {
            send(name, new Decision.SendRelease(claim, false, 0, null));
        }
    }

    /** @param notMine what happens if the claim turns out not to own the lock */
    void send(String name, Decision.SendDowngrade downgrade, Runnable notMine) {
        send(
                name,
                // Beside a release of the same claim, which may follow before this is answered.
                downgrade.claim() + " downgraded",
                () -> port.downgrade(name, downgrade.claim()),
                ReleaseResult.STILL_HELD,
                downgrade.result(),
                false,
                notMine);
    }

    private void send(
            String name,
            String id,
            Supplier<CompletableFuture<ReleaseReply>> command,
            ReleaseResult success,
            @Nullable CompletableFuture<ReleaseResult> ticket,
            boolean followsDrop,
            Runnable notMine) {
        long now = clock.getAsLong();
        long answerBy = Times.after(now, settings.commandTimeoutNanos());
        Pending mine = new Pending(name, id, command, success, ticket, followsDrop, notMine, now, answerBy);
        // It may have been given back a moment ago, after a late message.
        mine.mayRunTwice = pending.put(id, mine) != null;
        announced.remove(id);
        transmit(mine);
        wakeBy.accept(mine.due());
    }

    private void transmit(Pending mine) {
        CompletableFuture<ReleaseReply> answer;
        try {
            answer = Objects.requireNonNull(mine.command.get(), "answer");
        } catch (Throwable e) {
            answer = CompletableFuture.failedFuture(e);
        }
        mine.answer = answer;
        answer.whenComplete((reply, failure) -> {
            if (reply != null) {
                answered(mine, reply);
            } else if (!(failure instanceof CancellationException)) {
                failed(mine, failure);
            }
        });
    }

    private void answered(Pending mine, ReleaseReply reply) {
        pending.remove(mine.id, mine);
        ReleaseResult result = mine.meaningOf(reply);
        try {
            if (reply == ReleaseReply.NOT_MINE) {
                mine.notMine.run();
            }
        } finally {
            if (mine.tell(result) && result == ReleaseResult.UNCONFIRMED) {
                counters.unconfirmedReleases.increment();
            }
        }
    }

    private void failed(Pending mine, Throwable failure) {
        mine.failure = failure;
        mine.nextLook = Times.after(clock.getAsLong(), mine.patience);
        wakeBy.accept(mine.nextLook);
    }

    /** Repeats what was not answered for a while, and lets go whoever has waited for an answer long enough. */
    void tick(long now, Failures failures) {
        for (Pending mine : pending.values()) {
            failures.guard(() -> tick(mine, now));
        }
    }

    private void tick(Pending mine, long now) {
        if (now >= mine.answerBy && mine.tell(ReleaseResult.UNCONFIRMED)) {
            counters.unconfirmedReleases.increment();
            log.warn(
                    "The release of lock '" + MessageText.of(mine.name)
                            + "' was not answered; it is repeated in the background, and"
                            + " the lease ends by itself at the latest",
                    mine.failure);
        }
        if (now >= mine.nextLook) {
            repeat(mine, now);
        }
    }

    /** Nothing is repeated any longer, and nobody waits. */
    void close(Failures failures) {
        for (Pending mine : pending.values()) {
            failures.guard(() -> mine.tell(ReleaseResult.UNCONFIRMED));
        }
        pending.clear();
    }

    private void repeat(Pending mine, long now) {
        if (now >= mine.repeatUntil || (pending.size() > MOST_REPEATED && !mine.wasRepeated())) {
            pending.remove(mine.id, mine);
            if (mine.followsDrop) {
                mine.dropUnsent();
            }
            mine.tell(ReleaseResult.UNCONFIRMED);
            counters.droppedReleases.increment();
            log.warn("Gave up repeating the release of lock '" + MessageText.of(mine.name)
                    + "'; its lease ends by itself at the latest");
            return;
        }
        mine.mayRunTwice = true;
        mine.nextLook = Times.after(now, Math.max(mine.patience, REPEAT_AFTER_SILENCE_NANOS));
        mine.patience = Math.min(2 * mine.patience, RAREST_REPEAT_NANOS);
        mine.dropUnsent();
        transmit(mine);
    }

    /** Repeats at the next tick whatever is pending: the connection is new. */
    void reconnected() {
        long now = clock.getAsLong();
        for (Pending mine : pending.values()) {
            mine.mayRunTwice = true;
            mine.nextLook = Math.min(mine.nextLook, now);
        }
    }

    long due() {
        long due = Times.NEVER;
        for (Pending mine : pending.values()) {
            due = Math.min(due, mine.due());
        }
        return due;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    private static final class Pending {

        final String name;
        final String id;
        final Supplier<CompletableFuture<ReleaseReply>> command;
        final Runnable notMine;

        /**
         * Whether it is for a claim whose acquires were without an answer and are dropped, so that a last copy would find nothing to
         * undo when Redis is back. The few tenures that look the same here are over, or their lease ends by itself. Other
         * releases cannot pile up: without Redis, no lock is taken that would have to be given back.
         */
        final boolean followsDrop;

        final long answerBy;
        final long repeatUntil;
        volatile long nextLook;
        volatile @Nullable CompletableFuture<ReleaseReply> answer;
        volatile @Nullable Throwable failure;

        /** Whether an earlier copy may have run already, so that "not yours" may only say that this one came second. */
        volatile boolean mayRunTwice;

        /** How long to wait before the next repetition after an error; changed by the thread that ticks. */
        volatile long patience = FIRST_REPEAT_NANOS;

        private final ReleaseResult success;
        private final @Nullable CompletableFuture<ReleaseResult> ticket;
        private volatile boolean told;

        Pending(
                String name,
                String id,
                Supplier<CompletableFuture<ReleaseReply>> command,
                ReleaseResult success,
                @Nullable CompletableFuture<ReleaseResult> ticket,
                boolean followsDrop,
                Runnable notMine,
                long now,
                long answerBy) {
            this.name = name;
            this.id = id;
            this.command = command;
            this.success = success;
            this.ticket = ticket;
            this.followsDrop = followsDrop;
            this.notMine = notMine;
            this.answerBy = answerBy;
            this.nextLook = answerBy;
            this.repeatUntil = Times.after(now, REPEAT_FOR_NANOS);
            this.told = ticket == null;
        }

        long due() {
            return told ? nextLook : Math.min(nextLook, answerBy);
        }

        ReleaseResult meaningOf(ReleaseReply reply) {
            if (reply == ReleaseReply.RELEASED) {
                return success;
            }
            return mayRunTwice ? ReleaseResult.UNCONFIRMED : ReleaseResult.LOST;
        }

        boolean wasRepeated() {
            return patience > FIRST_REPEAT_NANOS;
        }

        /** Before it is repeated: while Redis is away, copies must not pile up. */
        void dropUnsent() {
            CompletableFuture<ReleaseReply> earlier = answer;
            if (earlier != null) {
                earlier.cancel(false);
            }
        }

        /** Tells whoever waits, unless it was told already. */
        boolean tell(ReleaseResult result) {
            told = true;
            return ticket != null && ticket.complete(result);
        }
    }
}
