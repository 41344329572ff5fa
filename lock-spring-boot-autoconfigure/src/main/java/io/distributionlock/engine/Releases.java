package io.distributionlock.engine;

import io.distributionlock.ReleaseResult;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Releases on their way, and those that were not answered: they are repeated until they are, so that no lock and no place in
 * a queue stays behind because a command was lost.
 */
final class Releases {

    private static final Log log = LogFactory.getLog(Releases.class);

    /** As long as a tombstone lives: a later repetition could not tell an orphan any more, and its lease is long over. */
    private static final long REPEAT_FOR_NANOS = Times.nanos(300_000);

    private static final long FIRST_REPEAT_NANOS = Times.nanos(1_000);

    /** Repeated ever more rarely, so that a Redis that is slow to answer gets the time to. */
    private static final long RAREST_REPEAT_NANOS = Times.nanos(30_000);

    /** While Redis is away for long, memory must not fill up with releases; the leases end by themselves. */
    private static final int MOST_REPEATED = 10_000;

    private final CommandPort port;
    private final EngineSettings settings;
    private final EngineCounters counters;
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();

    Releases(CommandPort port, EngineSettings settings, EngineCounters counters) {
        this.port = port;
        this.settings = settings;
        this.counters = counters;
    }

    void send(String name, Decision.SendRelease release, long now) {
        Pending mine = new Pending(name, release, now, settings);
        pending.put(release.claim(), mine);
        transmit(mine);
    }

    private void transmit(Pending mine) {
        CompletableFuture<ReleaseReply> answer = command(mine);
        mine.answer = answer;
        answer.whenComplete((reply, failure) -> {
            if (reply != null) {
                answered(mine, reply);
            } else if (mine.answer == answer) {
                unanswered(mine, failure);
            }
        });
    }

    private CompletableFuture<ReleaseReply> command(Pending mine) {
        Decision.SendRelease release = mine.release;
        try {
            return port.release(mine.name, release.claim(), release.bury(), release.keepMillis());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(Pending mine, ReleaseReply reply) {
        pending.remove(mine.release.claim(), mine);
        if (reply == ReleaseReply.RELEASED) {
            mine.tell(ReleaseResult.RELEASED);
        } else if (!mine.mayHaveRun) {
            mine.tell(ReleaseResult.LOST);
        } else if (mine.tell(ReleaseResult.UNCONFIRMED)) {
            // An earlier copy may have freed the lock and lost its answer on the way.
            counters.unconfirmedReleases.increment();
        }
    }

    /** Whoever waits for this release is let go; the repetition goes on in the background. */
    private void unanswered(Pending mine, @Nullable Throwable failure) {
        if (mine.tell(ReleaseResult.UNCONFIRMED)) {
            counters.unconfirmedReleases.increment();
            log.warn(
                    "The release of lock '" + mine.name
                            + "' was not answered; it is repeated in the background, and the"
                            + " lease ends by itself at the latest",
                    failure);
        }
    }

    /** Repeats what was not answered for a while. */
    void tick(long now) {
        for (Pending mine : pending.values()) {
            if (now < mine.nextLook) {
                continue;
            }
            if (now >= mine.answerDue) {
                unanswered(mine, null);
            }
            if (now >= mine.repeatUntil || pending.size() > MOST_REPEATED) {
                pending.remove(mine.release.claim(), mine);
                counters.droppedReleases.increment();
                log.warn("Gave up repeating the release of lock '" + mine.name + "'");
            } else {
                mine.lookAgain(now);
                mine.dropUnsent();
                transmit(mine);
            }
        }
    }

    /** Repeats at the next tick whatever is pending: the connection is new. */
    void reconnected(long now) {
        for (Pending mine : pending.values()) {
            mine.mayHaveRun = true;
            mine.nextLook = Math.min(mine.nextLook, now);
        }
    }

    long due() {
        long due = Times.NEVER;
        for (Pending mine : pending.values()) {
            due = Math.min(due, mine.nextLook);
        }
        return due;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    private static final class Pending {

        final String name;
        final Decision.SendRelease release;
        final long repeatUntil;

        /** For how long whoever released waits for the answer, over however many connections. */
        final long answerDue;

        volatile long nextLook;

        /** Whether the release may have run without an answer, so that it finds nothing to do when it runs again. */
        volatile boolean mayHaveRun;

        /** How long to wait before the next repetition; used by the thread that ticks. */
        long patience = FIRST_REPEAT_NANOS;

        volatile @Nullable CompletableFuture<ReleaseReply> answer;

        Pending(String name, Decision.SendRelease release, long now, EngineSettings settings) {
            this.name = name;
            this.release = release;
            this.repeatUntil = Times.after(now, REPEAT_FOR_NANOS);
            this.answerDue = Times.after(now, settings.commandTimeoutNanos());
            this.nextLook = answerDue;
        }

        void lookAgain(long now) {
            long next = Times.after(now, patience);
            nextLook = now < answerDue ? Math.min(next, answerDue) : next;
            patience = Math.min(2 * patience, RAREST_REPEAT_NANOS);
        }

        /** Before it is repeated: while Redis is away, copies must not pile up. */
        void dropUnsent() {
            mayHaveRun = true;
            CompletableFuture<ReleaseReply> earlier = answer;
            answer = null;
            if (earlier != null) {
                earlier.cancel(false);
            }
        }

        boolean tell(ReleaseResult result) {
            return release.ticket() != null && release.ticket().complete(result);
        }
    }
}
