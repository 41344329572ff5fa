package io.distributionlock.quorum;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.distributionlock.backend.AcquireReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Acquires one claim of the engine: passes the answers of the nodes to its {@link QuorumAttempt}, and performs its actions. */
final class QuorumAcquire {

    /** Nodes do not know who waits. Assuming that others do applies the engine's bounds on local hand-over. */
    private static final long OTHERS_MAY_WAIT = 1;

    final String name;

    /** The claim of the engine. */
    final String claim;

    final CompletableFuture<AcquireReply> answer;
    private final QuorumAttempt attempt;
    private final List<Node> nodes;
    private final QuorumSettings settings;
    private final long leaseMillis;

    /** Called if nothing is held, so that the claim can be forgotten. */
    private final Runnable onEnd;

    /** The delay before the next attempt. */
    private final LongSupplier retryDelayMillis;

    private final ReentrantLock lock = new ReentrantLock();

    /** When the longest lease ends that the nodes were asked for, by the clock of the port. */
    private final AtomicLong end = new AtomicLong();

    /** Whether a message says that the lock was released by force. Asking the nodes again would undo that. */
    private volatile boolean revoked;

    QuorumAcquire(
            String name,
            String claim,
            CompletableFuture<AcquireReply> answer,
            QuorumAttempt attempt,
            List<Node> nodes,
            QuorumSettings settings,
            long leaseMillis,
            Consumer<QuorumAcquire> onEnd,
            LongSupplier retryDelayMillis) {
        this.name = name;
        this.claim = claim;
        this.answer = answer;
        this.attempt = attempt;
        this.nodes = nodes;
        this.settings = settings;
        this.leaseMillis = leaseMillis;
        this.onEnd = () -> onEnd.accept(this);
        this.retryDelayMillis = retryDelayMillis;
    }

    /** The claim of this attempt at the nodes. */
    String nodeClaim() {
        return attempt.claim;
    }

    /** Sends the acquire to the nodes. */
    void start(long now) {
        end.set(now + MILLISECONDS.toNanos(leaseMillis));
        for (int i = 0; i < nodes.size(); i++) {
            if (attempt.isAsked(i)) {
                ask(i, leaseMillis);
            }
        }
    }

    private void ask(int index, long millis) {
        Node node = nodes.get(index);
        Node.Sent sent = node.sending();
        node.ask(() -> node.port().acquire(name, attempt.claim, settings.leaseOnNode(millis), false))
                .whenComplete((reply, failure) -> on((mine, out) -> {
                    if (failure == null) {
                        mine.acquireAnswered(index, reply, node.isClean(sent), out);
                    } else {
                        mine.acquireFailed(index, failure, out);
                    }
                }));
    }

    private void on(BiConsumer<QuorumAttempt, List<QuorumAttempt.Action>> event) {
        List<QuorumAttempt.Action> actions = new ArrayList<>(4);
        lock.lock();
        try {
            event.accept(attempt, actions);
        } finally {
            lock.unlock();
        }
        actions.forEach(this::perform);
    }

    private void perform(QuorumAttempt.Action action) {
        if (action instanceof QuorumAttempt.Action.RaiseFence raise) {
            raiseFence(raise.node(), raise.fence());
        } else if (action instanceof QuorumAttempt.Action.Release release) {
            nodes.get(release.node()).release(name, attempt.claim, release.tombstone(), 0);
        } else if (action instanceof QuorumAttempt.Action.Acquired acquired) {
            if (!answer.complete(new AcquireReply.Ok(acquired.fence(), OTHERS_MAY_WAIT))) {
                abandon();
            }
        } else if (action instanceof QuorumAttempt.Action.Busy busy) {
            onEnd.run();
            answer.complete(new AcquireReply.Busy(retryDelayMillis.getAsLong(), busy.fence()));
        } else if (action instanceof QuorumAttempt.Action.Failed failed) {
            onEnd.run();
            answer.completeExceptionally(failed.cause());
        }
    }

    private void raiseFence(int index, long fence) {
        Node node = nodes.get(index);
        node.ask(() -> node.port()
                        .raiseFence(
                                name,
                                attempt.claim,
                                fence,
                                settings.leaseOnNode(leaseMillis),
                                settings.leastUptimeSeconds()))
                .whenComplete((reply, failure) -> on((mine, out) -> {
                    if (failure == null) {
                        mine.raiseAnswered(index, reply, out);
                    } else {
                        mine.raiseFailed(index, failure, out);
                    }
                }));
    }

    /** Releases what was granted: nobody waits for this attempt any longer. */
    void abandon() {
        onEnd.run();
        answer.completeExceptionally(abandoned());
        on(QuorumAttempt::release);
    }

    /** Ends the ownership; later answers of the nodes change nothing. Returns what is to be released. */
    List<QuorumAttempt.Action.Release> end() {
        List<QuorumAttempt.Action> releases = new ArrayList<>(nodes.size());
        lock.lock();
        try {
            attempt.release(releases);
        } finally {
            lock.unlock();
        }
        answer.completeExceptionally(abandoned());
        return releases.stream().map(QuorumAttempt.Action.Release.class::cast).toList();
    }

    private static IllegalStateException abandoned() {
        return new IllegalStateException("the attempt was abandoned");
    }

    // ------------------------------------------------------------------ the ownership

    boolean isConfirmed(int node) {
        lock.lock();
        try {
            return attempt.isConfirmed(node);
        } finally {
            lock.unlock();
        }
    }

    void goneFrom(int node) {
        on((mine, out) -> mine.goneFrom(node));
    }

    void revoked() {
        revoked = true;
    }

    boolean isRevoked() {
        return revoked;
    }

    /** The nodes that have a part in the ownership are asked for this lease now. */
    void renewed(long millis, long now) {
        long later = now + MILLISECONDS.toNanos(millis);
        end.updateAndGet(earlier -> Math.max(earlier - now, later - now) + now);
    }

    /** Asks a node again that has no part in the ownership, for what is left of the lease. */
    void heal(int node, long now) {
        long millis = NANOSECONDS.toMillis(end.get() - now);
        if (millis <= 0 || nodes.get(node).isSuspect()) {
            return;
        }
        boolean ask;
        lock.lock();
        try {
            ask = attempt.heal(node);
        } finally {
            lock.unlock();
        }
        if (ask) {
            ask(node, millis);
        }
    }
}
