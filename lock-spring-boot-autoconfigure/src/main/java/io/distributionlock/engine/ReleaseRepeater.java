package io.distributionlock.engine;

import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.internal.Internal;
import io.distributionlock.state.Times;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends releases and repeats each until it is answered, so that a lost command leaves no lock and no place in a queue behind. One
 * server and each node of a quorum have one.
 *
 * <p>It has no thread: {@link #tick} does what is due. Ticks must not overlap; everything else is thread-safe.
 *
 * @hidden
 */
@Internal
public final class ReleaseRepeater {

    /** As long as a tombstone lives: a later repetition could no longer recognise an orphan, and its lease is long over. */
    private static final long REPEAT_FOR_NANOS = Times.nanos(300_000);

    /** After an error, which is often over in a moment. */
    private static final long FIRST_REPEAT_NANOS = Times.nanos(50);

    /** The pause doubles up to this, to give a slow Redis time to answer. */
    private static final long LONGEST_PAUSE_NANOS = Times.nanos(30_000);

    /**
     * Bounds the memory during a long outage; the leases expire anyway. The oldest releases are kept, because the acquires before
     * them may have reached Redis.
     */
    private static final int MOST_REPEATED = 10_000;

    /** From so many on, ticks look at the pending releases at intervals, rather than whenever one of them is due. */
    private static final int MANY = 1_000;

    private static final long INTERVAL_OF_MANY_NANOS = FIRST_REPEAT_NANOS;

    private final long answerNanos;
    private final long pauseAfterSilenceNanos;
    private final LongSupplier clock;
    private final LongConsumer wakeBy;
    private final Map<String, Release> pending = new ConcurrentHashMap<>();

    /** No release is due earlier than this. */
    private final EarliestDue due = new EarliestDue();

    /**
     * @param answerNanos how long the first answer may take
     * @param pauseAfterSilenceNanos the shortest pause before a command that was never answered is repeated once more
     * @param clock nanoseconds, never negative
     * @param wakeBy makes sure that there is a tick at the given time
     */
    public ReleaseRepeater(long answerNanos, long pauseAfterSilenceNanos, LongSupplier clock, LongConsumer wakeBy) {
        this.answerNanos = answerNanos;
        this.pauseAfterSilenceNanos = pauseAfterSilenceNanos;
        this.clock = clock;
        this.wakeBy = wakeBy;
    }

    /** One release: the command to send, and what happens with its answer. */
    public abstract static class Release {

        final String id;
        private volatile @Nullable CompletableFuture<ReleaseReply> answer;
        private volatile @Nullable Throwable failure;
        private volatile long answerBy;
        private volatile long repeatUntil;
        private volatile long repeatAt;
        private volatile boolean overdue;
        private volatile boolean mayRunTwice;

        /** How long to wait before the next repetition after an error; changed only by ticks. */
        private volatile long pauseNanos = FIRST_REPEAT_NANOS;

        /** @param id a pending release of the same id is replaced */
        protected Release(String id) {
            this.id = id;
        }

        /** Sends one copy of the command. Must not block. */
        protected abstract CompletableFuture<ReleaseReply> send();

        /** @param mayHaveRunTwice whether an earlier copy may have run, so that "not mine" may mean that this one came second */
        protected abstract void answered(ReleaseReply reply, boolean mayHaveRunTwice);

        /** No answer came in time; the release is still repeated. */
        protected void overdue(@Nullable Throwable failure) {}

        /** It is no longer repeated. */
        protected abstract void dropped();

        /** The repeater was closed before an answer came. */
        protected void closed() {}

        /** Whether the last copy, if it was not sent yet, has nothing to undo once this is dropped. */
        protected boolean isUselessOnceDropped() {
            return false;
        }

        private long due() {
            return overdue ? repeatAt : Math.min(repeatAt, answerBy);
        }

        private boolean wasRepeated() {
            return pauseNanos > FIRST_REPEAT_NANOS;
        }

        /** Keeps copies from piling up while Redis is away. */
        private void cancelUnsent() {
            CompletableFuture<ReleaseReply> earlier = answer;
            if (earlier != null) {
                earlier.cancel(false);
            }
        }
    }

    public void send(Release release) {
        start(release);
        // A late grant of the same claim may have been released a moment ago.
        release.mayRunTwice = pending.put(release.id, release) != null;
        transmit(release);
        tickBy(release.due());
    }

    /** Does nothing if one of the same id is pending. */
    public void sendUnlessPending(Release release) {
        start(release);
        if (pending.putIfAbsent(release.id, release) == null) {
            transmit(release);
            tickBy(release.due());
        }
    }

    private void start(Release release) {
        long now = clock.getAsLong();
        release.answerBy = Times.after(now, answerNanos);
        release.repeatAt = release.answerBy;
        release.repeatUntil = Times.after(now, REPEAT_FOR_NANOS);
    }

    private void transmit(Release release) {
        CompletableFuture<ReleaseReply> answer;
        try {
            answer = Objects.requireNonNull(release.send(), "answer");
        } catch (Throwable e) {
            answer = CompletableFuture.failedFuture(e);
        }
        release.answer = answer;
        answer.whenComplete((reply, failure) -> {
            if (reply != null) {
                pending.remove(release.id, release);
                release.answered(reply, release.mayRunTwice);
            } else if (!(failure instanceof CancellationException)) {
                release.failure = failure;
                release.repeatAt = Times.after(clock.getAsLong(), release.pauseNanos);
                tickBy(release.repeatAt);
            }
        });
    }

    /**
     * Repeats what is due.
     *
     * @param guard runs the step for one release, and keeps its failure from the others
     */
    public void tick(long now, Consumer<Runnable> guard) {
        if (now < due.get()) {
            return;
        }
        due.forget();
        long next = Times.NEVER;
        for (Release release : pending.values()) {
            guard.accept(() -> tick(release, now));
            next = Math.min(next, release.due());
        }
        due.notLaterThan(pending.size() < MANY ? next : Math.max(next, Times.after(now, INTERVAL_OF_MANY_NANOS)));
    }

    private void tickBy(long moment) {
        due.notLaterThan(moment);
        wakeBy.accept(moment);
    }

    private void tick(Release release, long now) {
        if (now >= release.answerBy && !release.overdue) {
            release.overdue = true;
            release.overdue(release.failure);
        }
        if (now >= release.repeatAt) {
            repeat(release, now);
        }
    }

    private void repeat(Release release, long now) {
        if (now >= release.repeatUntil || (pending.size() > MOST_REPEATED && !release.wasRepeated())) {
            pending.remove(release.id, release);
            if (release.isUselessOnceDropped()) {
                release.cancelUnsent();
            }
            release.dropped();
            return;
        }
        release.mayRunTwice = true;
        release.repeatAt = Times.after(now, Math.max(release.pauseNanos, pauseAfterSilenceNanos));
        release.pauseNanos = Math.min(2 * release.pauseNanos, LONGEST_PAUSE_NANOS);
        release.cancelUnsent();
        transmit(release);
    }

    /** The connection is new: the client may have sent again what was pending, and the next tick repeats all of it. */
    public void reconnected() {
        for (Release release : pending.values()) {
            release.mayRunTwice = true;
        }
        repeatAtNextTick();
    }

    /** Does not wait for the pauses to end: the server answers again. */
    public void repeatAtNextTick() {
        long now = clock.getAsLong();
        for (Release release : pending.values()) {
            release.repeatAt = Math.min(release.repeatAt, now);
        }
        due.notLaterThan(now);
    }

    /** No tick is due earlier; {@link Long#MAX_VALUE} if nothing has been pending since the last one. */
    public long due() {
        return due.get();
    }

    public boolean isEmpty() {
        return pending.isEmpty();
    }

    /**
     * Repeats nothing any longer.
     *
     * @param guard as for a tick
     */
    public void close(Consumer<Runnable> guard) {
        for (Release release : pending.values()) {
            guard.accept(release::closed);
        }
        pending.clear();
    }
}
