package io.distributionlock.quorum;

import io.distributionlock.engine.CommandListener;
import io.distributionlock.engine.ReleaseReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One node: gives each command to it its short time, and knows whether the node answers.
 *
 * <p>A node that has not answered in time is asked again and again by a harmless command of its own, one at a time, until it
 * does. Meanwhile attempts go on without it where the others are enough.
 */
final class Node implements AutoCloseable {

    private static final Log log = LogFactory.getLog(Node.class);

    /** Asked for to see whether a node answers. Never taken. */
    static final String PROBED_NAME = "distribution-lock-probe";

    /** A first command connects, and loads classes, before it is sent. */
    private static final long FIRST_ANSWER_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long SHORTEST_PROBE_TIMEOUT_NANOS =
            Duration.ofSeconds(1).toNanos();
    private static final long FIRST_PROBE_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LONGEST_PROBE_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /** What a node answered. */
    interface Answer<T> {

        /** @param clean whether no copy of the command can still be under way */
        void accept(T reply, boolean clean);
    }

    private final String label;
    private final NodePort port;
    private final Alarm alarm;
    private final long timeoutNanos;
    private final NodeReleases releases;

    /** Counts the connections; what was under way over an earlier one may run again. */
    private final AtomicInteger connections = new AtomicInteger();

    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile boolean heardOf;
    private volatile boolean suspect;
    private volatile boolean closed;
    private volatile long answeredAt;
    private volatile boolean answered;
    private volatile @Nullable Throwable failure;

    Node(String label, NodePort port, QuorumSettings settings, Alarm alarm) {
        this.label = label;
        this.port = port;
        this.alarm = alarm;
        this.timeoutNanos = settings.nodeTimeout().toNanos();
        this.releases = new NodeReleases(this, alarm, settings.nodeTimeout().toNanos());
    }

    /** The longest time that a command may take: that of the very first. */
    static Duration firstAnswerTimeout() {
        return Duration.ofNanos(FIRST_ANSWER_NANOS);
    }

    void attach(CommandListener listener) {
        port.attach(new CommandListener() {
            @Override
            public void granted(String name, String claim, long fence) {
                listener.granted(name, claim, fence);
            }

            @Override
            public void revoked(String name, String claim) {
                listener.revoked(name, claim);
            }

            @Override
            public void listening() {
                listener.listening();
            }

            @Override
            public void reconnected() {
                connections.incrementAndGet();
                releases.reconnected();
                listener.reconnected();
            }
        });
    }

    NodePort port() {
        return port;
    }

    String label() {
        return label;
    }

    /** Connects in the background, so that the first attempt finds a connection. */
    void warmUp() {
        probe(FIRST_PROBE_PAUSE_NANOS);
    }

    /** Whether it has not answered in time, nor since. */
    boolean isSuspect() {
        return suspect;
    }

    QuorumNodeState state() {
        return new QuorumNodeState(
                label,
                answered && !suspect,
                answered ? Duration.ofNanos(Math.max(0, alarm.now() - answeredAt)) : null,
                answered && !suspect ? null : failure);
    }

    // ------------------------------------------------------------------ one command

    /** Sends a command, and tells its answer or its failure, whichever comes first; never both, and in time. */
    <T> void ask(Supplier<CompletableFuture<T>> command, Answer<T> onAnswer, Consumer<Throwable> onFailure) {
        int connection = connections.get();
        CompletableFuture<T> future;
        try {
            future = command.get();
        } catch (RuntimeException e) {
            future = CompletableFuture.failedFuture(e);
        }
        await(future, connection, onAnswer, onFailure);
    }

    /** Waits for the answer to a command that was sent just now. */
    <T> void await(CompletableFuture<T> future, int connection, Answer<T> onAnswer, Consumer<Throwable> onFailure) {
        long sentAt = alarm.now();
        long patience = patience();
        AtomicBoolean settled = new AtomicBoolean();
        Alarm.Handle timeout = alarm.after(patience, () -> {
            if (settled.compareAndSet(false, true)) {
                TimeoutException late = new TimeoutException("node " + label + " did not answer within "
                        + Duration.ofNanos(patience).toMillis() + " ms (distribution-lock.quorum.node-timeout)");
                // If it has not been sent yet, it need not be.
                future.cancel(false);
                hasFailed(late);
                onFailure.accept(late);
            }
        });
        future.whenComplete((reply, problem) -> {
            if (!settled.compareAndSet(false, true)) {
                return;
            }
            timeout.cancel();
            if (problem != null) {
                hasFailed(problem);
                onFailure.accept(new IllegalStateException("node " + label + " failed: " + problem, problem));
            } else {
                hasAnswered();
                boolean clean = connection == connections.get() && alarm.now() - sentAt <= patience / 2;
                onAnswer.accept(reply, clean);
            }
        });
    }

    int connection() {
        return connections.get();
    }

    private long patience() {
        return heardOf ? timeoutNanos : Math.max(timeoutNanos, FIRST_ANSWER_NANOS);
    }

    private void hasAnswered() {
        heardOf = true;
        answered = true;
        answeredAt = alarm.now();
        if (suspect) {
            suspect = false;
            log.info("Node " + label + " of the quorum answers again");
        }
    }

    private void hasFailed(Throwable problem) {
        heardOf = true;
        failure = problem;
        if (!suspect && !closed) {
            suspect = true;
            log.warn("Node " + label + " of the quorum does not answer: " + problem);
        }
        probe(FIRST_PROBE_PAUSE_NANOS);
    }

    private void probe(long pauseNanos) {
        if (closed || !probing.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Boolean> answer;
        try {
            answer = port.isLocked(PROBED_NAME);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Boolean> asked = answer;
        AtomicBoolean settled = new AtomicBoolean();
        Alarm.Handle timeout =
                alarm.after(Math.max(SHORTEST_PROBE_TIMEOUT_NANOS, heardOf ? timeoutNanos : FIRST_ANSWER_NANOS), () -> {
                    if (settled.compareAndSet(false, true)) {
                        asked.cancel(false);
                        probeAgain(new TimeoutException("no answer from node " + label), pauseNanos);
                    }
                });
        asked.whenComplete((reply, problem) -> {
            if (settled.compareAndSet(false, true)) {
                timeout.cancel();
                if (problem != null) {
                    probeAgain(problem, pauseNanos);
                } else {
                    probing.set(false);
                    hasAnswered();
                    releases.reachable();
                }
            }
        });
    }

    private void probeAgain(Throwable problem, long pauseNanos) {
        heardOf = true;
        failure = problem;
        if (!suspect && !closed) {
            suspect = true;
            log.warn("Node " + label + " of the quorum does not answer: " + problem);
        }
        alarm.after(pauseNanos, () -> {
            probing.set(false);
            probe(Math.min(2 * pauseNanos, LONGEST_PROBE_PAUSE_NANOS));
        });
    }

    // ------------------------------------------------------------------ giving back

    /** Gives back a claim, again and again until the node answers; see {@link NodeReleases}. */
    CompletableFuture<ReleaseReply> release(String name, String claim, boolean bury, long keepMillis) {
        return releases.send(name, claim, bury, keepMillis);
    }

    boolean isQuiet() {
        return suspect || releases.isEmpty();
    }

    long droppedReleases() {
        return releases.dropped();
    }

    @Override
    public void close() {
        closed = true;
        port.close();
    }
}
