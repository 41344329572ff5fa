package io.distributionlock.quorum;

import io.distributionlock.MessageText;
import io.distributionlock.engine.ReleaseReply;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** What has to be given back at one node: each release is repeated until it is answered, so that no lease stays behind there. */
final class NodeReleases {

    private static final Log log = LogFactory.getLog(NodeReleases.class);

    /** As long as a tombstone lives: after that a repetition could not tell an orphan any more. */
    private static final long REPEAT_FOR_NANOS = Duration.ofMinutes(5).toNanos();

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

    /** While the node is away for long, memory must not fill up; the leases end by themselves. */
    private static final int MOST_PENDING = 10_000;

    private final Node node;
    private final Alarm alarm;
    private final long timeoutNanos;
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();
    private final AtomicLong dropped = new AtomicLong();

    NodeReleases(Node node, Alarm alarm, long timeoutNanos) {
        this.node = node;
        this.alarm = alarm;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Sends a release. The future completes with the first answer. It fails if that came to a repetition and says "not yours",
     * which may mean that the first copy has done it; and if there was no answer for minutes.
     */
    CompletableFuture<ReleaseReply> send(String name, String claim, boolean bury, long keepMillis) {
        Pending release = new Pending(name, claim, bury, keepMillis, alarm.now() + REPEAT_FOR_NANOS);
        pending.add(release);
        transmit(release, 1);
        return release.result;
    }

    private void transmit(Pending release, int copy) {
        release.latestCopy = copy;
        CompletableFuture<ReleaseReply> answer;
        try {
            answer = node.port().release(release.name, release.claim, release.bury, release.keepMillis);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        release.latest = answer;
        long pause = release.pauseNanos;
        release.pauseNanos = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        release.timer = alarm.after(Math.max(timeoutNanos, pause), () -> repeat(release, copy));
        answer.whenComplete((reply, failure) -> {
            if (reply != null) {
                answered(release, reply, copy);
            }
        });
    }

    private void answered(Pending release, ReleaseReply reply, int copy) {
        if (pending.remove(release)) {
            Alarm.Handle timer = release.timer;
            if (timer != null) {
                timer.cancel();
            }
            if (reply == ReleaseReply.NOT_MINE && copy > 1) {
                release.result.completeExceptionally(
                        new IllegalStateException("node " + node.label() + " may have released it before"));
            } else {
                release.result.complete(reply);
            }
        }
    }

    /** Runs on the alarm's thread alone. */
    private void repeat(Pending release, int copy) {
        if (!pending.contains(release) || release.latestCopy != copy) {
            return;
        }
        if (alarm.now() - release.repeatUntil >= 0 || pending.size() > MOST_PENDING) {
            drop(release);
            return;
        }
        CompletableFuture<ReleaseReply> earlier = release.latest;
        if (earlier != null) {
            earlier.cancel(false);
        }
        transmit(release, copy + 1);
    }

    private void drop(Pending release) {
        if (pending.remove(release)) {
            dropped.incrementAndGet();
            log.warn("Gave up repeating the release of lock '" + MessageText.of(release.name) + "' at node "
                    + node.label());
            release.result.completeExceptionally(
                    new IllegalStateException("node " + node.label() + " never answered the release"));
        }
    }

    /** Over a new connection everything is sent again. */
    void reconnected() {
        reachable();
    }

    /** The node answers again: it need not wait for its next turn. */
    void reachable() {
        for (Pending release : pending) {
            int copy = release.latestCopy;
            alarm.after(0, () -> repeat(release, copy));
        }
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    long dropped() {
        return dropped.get();
    }

    private static final class Pending {

        final String name;
        final String claim;
        final boolean bury;
        final long keepMillis;
        final long repeatUntil;
        final CompletableFuture<ReleaseReply> result = new CompletableFuture<>();
        volatile int latestCopy;
        volatile long pauseNanos = FIRST_PAUSE_NANOS;
        volatile @Nullable CompletableFuture<ReleaseReply> latest;
        volatile Alarm.@Nullable Handle timer;

        Pending(String name, String claim, boolean bury, long keepMillis, long repeatUntil) {
            this.name = name;
            this.claim = claim;
            this.bury = bury;
            this.keepMillis = keepMillis;
            this.repeatUntil = repeatUntil;
        }
    }
}
