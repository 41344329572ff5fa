package io.distributionlock.quorum;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One node: bounds the time of each command, and knows whether the node answers.
 *
 * <p>A node that did not answer in time is suspect: it is probed with a harmless command, one at a time, until it answers.
 * Meanwhile attempts leave it out if the other nodes suffice. So is one that refuses even the probe.
 *
 * <p>A suspect node may only be slow, and its late answer counts. It is away if its connection is lost, or if it has been silent for ten
 * seconds; then nobody waits for it beyond the node timeout.
 */
final class Node implements AutoCloseable {

    private static final Log log = LogFactory.getLog(Node.class);

    /** The name that probes ask for; it is never locked. */
    static final String PROBED_NAME = "distribution-lock-probe";

    /** The first command connects and loads classes before it is sent. */
    private static final long FIRST_COMMAND_NANOS = Duration.ofSeconds(2).toNanos();

    /** A node that is silent for longer counts as unreachable, not as slow. */
    private static final long MAX_SILENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long MIN_PROBE_TIMEOUT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long FIRST_PROBE_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final long MAX_PROBE_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /** When a command was sent, and over which connection. */
    record Sent(int connection, long at, long timeoutNanos) {}

    private final String label;
    private final CommandPort port;
    private final Scheduler scheduler;
    private final long timeoutNanos;
    private final long patienceNanos;
    private final NodeReleases releases;

    /** Counts connections: a command that was under way over an earlier one may run again. */
    private final AtomicInteger connections = new AtomicInteger();

    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile boolean firstCommandDone;

    private final AtomicBoolean warnedOfRefusal = new AtomicBoolean();

    private volatile boolean suspect;

    /** Whether the log says that it does not answer. */
    private volatile boolean reported;

    /** While it is suspect: when the first command was sent that it has not answered. */
    private volatile long silentSince;

    private volatile boolean closed;
    private volatile long answeredAt;
    private volatile boolean hasAnswered;
    private volatile @Nullable Throwable failure;

    /** @param patience how long an answer may take where the others do not suffice */
    Node(String label, CommandPort port, QuorumSettings settings, Duration patience, Scheduler scheduler) {
        this.label = label;
        this.port = port;
        this.scheduler = scheduler;
        this.timeoutNanos = settings.nodeTimeout().toNanos();
        this.patienceNanos = Math.max(timeoutNanos, patience.toNanos());
        this.releases = new NodeReleases(label, port, scheduler, patienceNanos);
    }

    /** How long the very first command may take, even if a quorum has answered. */
    static Duration firstCommandTimeout() {
        return Duration.ofNanos(FIRST_COMMAND_NANOS);
    }

    /** The connection is new. */
    void reconnected() {
        connections.incrementAndGet();
        releases.reconnected();
    }

    CommandPort port() {
        return port;
    }

    String label() {
        return label;
    }

    /** Connects in the background, ahead of the first attempt. */
    void warmUp() {
        probe(FIRST_PROBE_PAUSE_NANOS);
    }

    boolean hasAnswered() {
        return hasAnswered;
    }

    /** Whether a command was not answered in time, and none since. */
    boolean isSuspect() {
        return suspect;
    }

    QuorumNodeState state() {
        return new QuorumNodeState(
                label,
                hasAnswered && !suspect,
                hasAnswered ? Duration.ofNanos(Math.max(0, scheduler.nanoTime() - answeredAt)) : null,
                hasAnswered && !suspect ? null : failure);
    }

    /** What keeps it from answering, if that is known. */
    Optional<BackendProblemException> problem() {
        return hasAnswered && !suspect ? Optional.empty() : QuorumCommandPort.problemIn(failure);
    }

    // ------------------------------------------------------------------ one command

    /**
     * Sends a command. The future completes by the answer or a failure.
     *
     * @param whenOverdue runs if the node timeout is over, and the answer is still waited for
     */
    <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> command, Runnable whenOverdue) {
        return bounded(Failures.caught(command), whenOverdue);
    }

    /** As above, for a command that was sent just now. */
    <T> CompletableFuture<T> bounded(CompletableFuture<T> command, Runnable whenOverdue) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        new Command<>(
                        command,
                        scheduler.nanoTime(),
                        reply -> {
                            answered();
                            answer.complete(reply);
                        },
                        problem -> {
                            failed(problem);
                            answer.completeExceptionally(
                                    problem instanceof TimeoutException
                                            ? problem
                                            : new IllegalStateException(
                                                    "node " + label + " failed: " + problem, problem));
                        })
                .settle(timeoutNanos(), patienceNanos, whenOverdue);
        return answer;
    }

    /** Passes on either the answer or the failure of a command. */
    private final class Command<T> {

        private final CompletableFuture<T> command;
        private final long sentAt;
        private final Consumer<T> onAnswer;
        private final Consumer<Throwable> onFailure;
        private final AtomicBoolean settled = new AtomicBoolean();
        private volatile @Nullable Future<?> timer;

        Command(CompletableFuture<T> command, long sentAt, Consumer<T> onAnswer, Consumer<Throwable> onFailure) {
            this.command = command;
            this.sentAt = sentAt;
            this.onAnswer = onAnswer;
            this.onFailure = onFailure;
        }

        /** @param patience how long it may take if the node is only slow */
        void settle(long timeout, long patience, Runnable whenOverdue) {
            scheduleOverdue(timeout, patience, whenOverdue);
            command.whenComplete((reply, problem) -> {
                if (settled.compareAndSet(false, true)) {
                    Future<?> present = timer;
                    if (present != null) {
                        present.cancel(false);
                    }
                    if (problem == null) {
                        onAnswer.accept(reply);
                    } else {
                        onFailure.accept(problem);
                    }
                }
            });
        }

        private void scheduleOverdue(long delay, long patience, Runnable whenOverdue) {
            timer = scheduler.schedule(delay, () -> {
                if (settled.get()) {
                    return;
                }
                long elapsed = scheduler.nanoTime() - sentAt;
                overdue(sentAt, elapsed);
                if (patience > elapsed && !isAway()) {
                    timer = scheduler.schedule(patience - elapsed, this::fail);
                    whenOverdue.run();
                } else {
                    fail();
                }
            });
        }

        private void fail() {
            if (settled.compareAndSet(false, true)) {
                // Not sent yet, it need not be sent at all.
                command.cancel(false);
                onFailure.accept(late(scheduler.nanoTime() - sentAt));
            }
        }
    }

    /** To be noted before a command is sent. */
    Sent sending() {
        return new Sent(connections.get(), scheduler.nanoTime(), timeoutNanos());
    }

    /** Whether no copy of a command can still be under way that was answered just now. */
    boolean isClean(Sent command) {
        return command.connection() == connections.get()
                && scheduler.nanoTime() - command.at() <= command.timeoutNanos() / 2;
    }

    private Throwable late(long nanos) {
        long millis = Duration.ofNanos(nanos).toMillis();
        return hasAnswered
                ? port.explained(new TimeoutException("node " + label + " did not answer within " + millis
                        + " ms (distribution-lock.quorum.node-timeout)"))
                : new TimeoutException(
                        "not connected yet to node " + label + ", which did not answer within " + millis + " ms");
    }

    private long timeoutNanos() {
        return firstCommandDone ? timeoutNanos : Math.max(timeoutNanos, FIRST_COMMAND_NANOS);
    }

    private void answered() {
        firstCommandDone = true;
        hasAnswered = true;
        answeredAt = scheduler.nanoTime();
        suspect = false;
        if (reported) {
            reported = false;
            log.info("Node " + label + " of the quorum answers again");
        }
    }

    private void failed(Throwable problem) {
        firstCommandDone = true;
        if (isAnswer(problem)) {
            refused(problem);
        } else {
            suspect(problem);
        }
        probe(FIRST_PROBE_PAUSE_NANOS);
    }

    /** The probe finds out whether it refuses everything, or only writes because its memory is full. */
    private void refused(Throwable problem) {
        failure = problem;
        if (!suspect && warnedOfRefusal.compareAndSet(false, true)) {
            log.warn("Node " + label + " of the quorum answers, and has refused a command: " + problem
                    + " This is logged once.");
        }
    }

    /** It may only be slow, which a busy machine is for moments: the log says nothing yet. */
    private void overdue(long sentAt, long elapsed) {
        if (!suspect) {
            silentSince = sentAt;
            failure = late(elapsed);
            suspect = true;
        }
        probe(FIRST_PROBE_PAUSE_NANOS);
    }

    /** Whether nobody should wait for its answer: there is no connection, or it has been silent for long. */
    boolean isAway() {
        TimeoutException unanswered = new TimeoutException("node " + label + " did not answer");
        return port.explained(unanswered) != unanswered
                || suspect && scheduler.nanoTime() - silentSince >= MAX_SILENCE_NANOS;
    }

    private void suspect(Throwable problem) {
        failure = problem;
        if (!suspect) {
            silentSince = scheduler.nanoTime();
            suspect = true;
        }
        if (!reported && !closed) {
            reported = true;
            log.warn("Node " + label + " of the quorum "
                    + (isAnswer(problem) ? "refuses every command: " : "does not answer: ") + problem);
        }
    }

    /** Whether the node has answered that it does not run the command. */
    static boolean isAnswer(Throwable problem) {
        return Failures.isAny(
                problem,
                cause -> cause instanceof TryAgainException refusal && !refusal.mayHaveRun()
                        || BackendProblemException.isAnswer(cause));
    }

    /** Whether the same command may succeed later: it was not answered in time, or is refused for the moment. */
    static boolean isForNow(Throwable problem) {
        return Failures.isAny(
                problem, cause -> cause instanceof TimeoutException || cause instanceof TryAgainException);
    }

    private void probe(long pauseNanos) {
        if (closed || !probing.compareAndSet(false, true)) {
            return;
        }
        long timeout = Math.max(MIN_PROBE_TIMEOUT_NANOS, timeoutNanos());
        new Command<>(
                        Failures.caught(() -> port.isLocked(PROBED_NAME)),
                        scheduler.nanoTime(),
                        reply -> {
                            probing.set(false);
                            boolean wasGone = reported;
                            answered();
                            if (wasGone) {
                                // Of one that was only slow, the answers are on their way.
                                releases.reachable();
                            }
                        },
                        problem -> probeAgain(problem, pauseNanos))
                .settle(timeout, timeout, () -> {});
    }

    private void probeAgain(Throwable problem, long pauseNanos) {
        firstCommandDone = true;
        suspect(problem);
        scheduler.schedule(pauseNanos, () -> {
            probing.set(false);
            probe(Math.min(2 * pauseNanos, MAX_PROBE_PAUSE_NANOS));
        });
    }

    // ------------------------------------------------------------------ releases

    /** Releases a claim, and repeats that until the node answers; see {@link NodeReleases#send}. */
    CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return releases.send(name, claim, tombstone, minHoldMillis);
    }

    /** Whether closing need not wait for releases: there are none, or the node does not answer anyway. */
    boolean isQuiet() {
        return suspect || releases.isEmpty();
    }

    @Override
    public void close() {
        closed = true;
        port.close();
    }
}
