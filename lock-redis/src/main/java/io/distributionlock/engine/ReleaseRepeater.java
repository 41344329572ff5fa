package io.distributionlock.engine;

import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.Internal;
import io.distributionlock.state.Times;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends releases and repeats each until it is answered, so that a lost command leaves no lock and no place in a queue behind. One that
 * {@linkplain Release#retriesAfterAnswer retried after its answer} is repeated even then. One server and each node of a quorum have a
 * repeater.
 *
 * <p>It has no thread: {@link #tick} does what is due. Ticks must not overlap; everything else is thread-safe.
 *
 * @hidden
 */
@Internal
public final class ReleaseRepeater {

    /** As long as a tombstone lives: a later repetition could no longer recognise an orphan, and its lease is long over. */
    private static final long REPEAT_FOR_NANOS = Times.nanos(300_000);

    /** Pause after an error, which is often over in a moment. */
    private static final long FIRST_REPEAT_NANOS = Times.nanos(50);

    /** Pause after the answer to a release that is retried nevertheless: most duplicates are late by moments. */
    private static final long FIRST_LATE_PAUSE_NANOS = Times.nanos(1_000);

    /** The pause doubles up to this, to give a slow Redis time to answer. It bounds how long a duplicate holds the lock. */
    private static final long MAX_PAUSE_NANOS = Times.nanos(30_000);

    /**
     * Bounds the memory during a long outage; the leases expire anyway. The oldest releases are kept, because the acquires before
     * them may have reached Redis.
     */
    private static final int MAX_REPEATED = 10_000;

    /**
     * From so many on, ticks look at the pending releases at intervals, rather than whenever one of them is due. As many that are retried
     * after their answers cost about fifty commands a second.
     */
    private static final int MANY = 1_000;

    private static final long INTERVAL_OF_MANY_NANOS = FIRST_REPEAT_NANOS;

    private final long answerNanos;
    private final long pauseAfterSilenceNanos;
    private final LongSupplier clock;
    private final LongConsumer wakeBy;
    private final Map<String, Release> pending = new ConcurrentHashMap<>();

    /** No release is due earlier than this. */
    private final AtomicLong due = new AtomicLong(Times.NEVER);

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

        private enum State {

            /** Its first answer may come in time. */
            SENT,

            /** No answer came in time, and its caller knows. It is repeated. */
            OVERDUE,

            /** It was answered, and is at most {@linkplain #retriesAfterAnswer repeated} in case of duplicates. */
            ANSWERED
        }

        final String id;
        private final AtomicReference<State> state = new AtomicReference<>(State.SENT);
        private volatile @Nullable CompletableFuture<ReleaseReply> answer;

        /** Of the copy before that, which may have been sent: if both are answered, the first says what became of the lock. */
        private volatile @Nullable CompletableFuture<ReleaseReply> earlierAnswer;

        private volatile @Nullable Throwable failure;
        private volatile long answerBy;
        private volatile long repeatUntil;
        private volatile long repeatAt;
        private volatile boolean mayRunTwice;

        /** How long to wait before the next repetition after an error. */
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

        /** Whether it is repeated even after its answer, for as long as a tombstone lives: a late acquire ignores the tombstone. */
        protected boolean retriesAfterAnswer() {
            return false;
        }

        /** Whether it was answered, and is only retried. */
        protected final boolean isAnswered() {
            return state.get() == State.ANSWERED;
        }

        /** Whether the last copy, if it was not sent yet, has nothing to undo once this is dropped. */
        protected boolean isUselessOnceDropped() {
            return false;
        }

        private long due() {
            return state.get() == State.SENT ? Math.min(repeatAt, answerBy) : repeatAt;
        }

        private boolean wasRepeated() {
            return pauseNanos > FIRST_REPEAT_NANOS;
        }

        /** Drops the copy before the last if it was not sent yet, so that copies do not pile up while Redis is away. */
        private void expect(CompletableFuture<ReleaseReply> next) {
            cancelUnsent(earlierAnswer);
            earlierAnswer = answer;
            answer = next;
        }

        /** Drops the copies that were not sent yet. */
        private void cancelUnsent() {
            cancelUnsent(earlierAnswer);
            cancelUnsent(answer);
        }

        private static void cancelUnsent(@Nullable CompletableFuture<ReleaseReply> copy) {
            if (copy != null) {
                copy.cancel(false);
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

    /** Does nothing if one of the same id has no answer yet. */
    public void sendUnlessPending(Release release) {
        start(release);
        Release earlier = pending.putIfAbsent(release.id, release);
        if (earlier == null) {
            transmit(release);
            tickBy(release.due());
        } else if (earlier.isAnswered()) {
            earlier.repeatAt = clock.getAsLong();
            tickBy(earlier.repeatAt);
        }
    }

    private void start(Release release) {
        long now = clock.getAsLong();
        release.answerBy = Times.after(now, answerNanos);
        release.repeatAt = release.answerBy;
        release.repeatUntil = Times.after(now, REPEAT_FOR_NANOS);
    }

    private void transmit(Release release) {
        CompletableFuture<ReleaseReply> answer = Failures.caught(release::send);
        release.expect(answer);
        answer.whenComplete((reply, failure) -> {
            if (reply != null) {
                answered(release, reply);
            } else if (answer == release.answer && !release.isAnswered()) {
                release.failure = failure;
                release.repeatAt = Times.after(clock.getAsLong(), release.pauseNanos);
                tickBy(release.repeatAt);
            }
        });
    }

    private void answered(Release release, ReleaseReply reply) {
        if (release.state.getAndSet(Release.State.ANSWERED) == Release.State.ANSWERED) {
            return;
        }
        release.cancelUnsent();
        if (release.retriesAfterAnswer()) {
            release.pauseNanos = 2 * FIRST_LATE_PAUSE_NANOS;
            release.repeatAt = Times.after(clock.getAsLong(), FIRST_LATE_PAUSE_NANOS);
            tickBy(release.repeatAt);
        } else {
            pending.remove(release.id, release);
        }
        release.answered(reply, release.mayRunTwice);
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
        // Before the look at all of them, so that none that is noted meanwhile is overlooked.
        due.set(Times.NEVER);
        long next = Times.NEVER;
        for (Release release : pending.values()) {
            guard.accept(() -> tick(release, now));
            next = Math.min(next, release.due());
        }
        noteDue(pending.size() < MANY ? next : Math.max(next, Times.after(now, INTERVAL_OF_MANY_NANOS)));
    }

    private void tickBy(long moment) {
        noteDue(moment);
        wakeBy.accept(moment);
    }

    private void noteDue(long moment) {
        if (moment < due.get()) {
            due.accumulateAndGet(moment, Math::min);
        }
    }

    private void tick(Release release, long now) {
        if (now >= release.answerBy && release.state.compareAndSet(Release.State.SENT, Release.State.OVERDUE)) {
            release.overdue(release.failure);
        }
        if (now >= release.repeatAt) {
            repeat(release, now);
        }
    }

    private void repeat(Release release, long now) {
        if (now >= release.repeatUntil || (pending.size() > MAX_REPEATED && !release.wasRepeated())) {
            pending.remove(release.id, release);
            if (release.isUselessOnceDropped()) {
                release.cancelUnsent();
            }
            if (release.isAnswered()) {
                transmit(release);
            } else {
                release.dropped();
            }
            return;
        }
        release.mayRunTwice = true;
        release.repeatAt = Times.after(now, Math.max(release.pauseNanos, pauseAfterSilenceNanos));
        release.pauseNanos = Math.min(2 * release.pauseNanos, MAX_PAUSE_NANOS);
        transmit(release);
    }

    /** The connection is new: the client may have sent again what was pending, and the next tick repeats all of it. */
    public void reconnected() {
        for (Release release : pending.values()) {
            release.mayRunTwice = true;
        }
        repeatAtNextTick();
    }

    /** Does not wait for the pauses to end: the server answers again. Copies that the former connection carried arrive soon. */
    public void repeatAtNextTick() {
        long now = clock.getAsLong();
        for (Release release : pending.values()) {
            long soon = release.isAnswered() ? Times.after(now, FIRST_LATE_PAUSE_NANOS) : now;
            release.repeatAt = Math.min(release.repeatAt, soon);
        }
        noteDue(now);
    }

    /** No tick is due earlier; {@link Long#MAX_VALUE} if nothing has been pending since the last one. */
    public long due() {
        return due.get();
    }

    /** Whether all are answered. */
    public boolean isEmpty() {
        return pending.values().stream().allMatch(Release::isAnswered);
    }

    boolean areMany() {
        return pending.size() >= MANY;
    }

    /**
     * Stops repeating.
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
