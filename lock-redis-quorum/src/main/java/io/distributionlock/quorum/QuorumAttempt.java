package io.distributionlock.quorum;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.TryAgainException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire a lock from a quorum of nodes, and the ownership that follows a success. Thread-safe: what follows from an
 * answer is decided under a Java lock, and done after it.
 *
 * <p>An attempt has two phases. First each node is asked for the lock; each that grants it answers with its own fencing number.
 * When a quorum has granted it, the greatest of these numbers is written back to the nodes of that quorum; a node accepts it only
 * if the claim still owns the lock there. When a quorum has accepted it, the lock is acquired.
 *
 * <p>Why fencing numbers grow. Any two successful attempts have a node in common that accepted both of their numbers, each while
 * that claim owned the lock there. The later owner was granted the lock there after the earlier number was written, so the node drew
 * a greater one for it. No node counts for an attempt with a smaller number than it drew. So the number is greater, whichever
 * nodes are up.
 *
 * <p>Why the second phase also checks the node's uptime. A node that restarted empty may have granted a lock whose earlier holder
 * still counts on it, so it must not count until every earlier lease has ended. The check comes after the grant, so a restart in
 * between would show.
 *
 * <p>Healing. A node that has no part in the ownership, for example because it came back empty, is asked again while the lock is held. It
 * counts once it has granted the lock, accepted the number and been up long enough: the same two phases, for one node.
 *
 * <p>A hopeless attempt is reported only when every node has answered or timed out. Its grants are released then, and from a node
 * that has answered no later grant can come.
 *
 * <p>A node that is overdue counts as absent if the others can tell that the lock is busy. If they are too few, the attempt waits on: with a
 * slow majority, an attempt that gave up would fail for ever. If it fails although they may answer later, it can be made again.
 */
final class QuorumAttempt {

    private enum Status {
        /** It is known not to answer. */
        NOT_ASKED,
        ASKED,
        /** The node timeout is over, and its answer may still come. */
        OVERDUE,
        GRANTED,
        /** It has granted the lock, too late to be asked for its number, which is greater. */
        GRANTED_GREATER,
        /** It has granted the lock and accepted the fencing number. */
        CONFIRMED,
        REFUSED,
        FAILED
    }

    private static final Set<Status> WITHOUT_PART =
            EnumSet.of(Status.NOT_ASKED, Status.OVERDUE, Status.REFUSED, Status.FAILED);

    /** Nodes do not know who waits. Assuming that others do applies the engine's bounds on local hand-over. */
    private static final long OTHERS_MAY_WAIT = 1;

    private final String name;

    /** The claim of this attempt at the nodes; no other attempt uses it. */
    final String claim;

    private final CompletableFuture<AcquireReply> answer;
    private final List<Node> nodes;
    private final QuorumSettings settings;
    private final int needed;
    private final long leaseMillis;

    /** The delay before the next attempt, if the lock is busy. */
    private final LongSupplier retryDelayMillis;

    /** Called if nothing is held, so that the claim can be forgotten. */
    private final Consumer<QuorumAttempt> onEnd;

    private final ReentrantLock lock = new ReentrantLock();
    private final Status[] statuses;

    /** How often each node was asked or told the number: only the latest answer changes what is known of it. */
    private final int[] questions;

    /** Whether each node may answer better if it is asked later. */
    private final boolean[] mayAnswerLater;

    /** The fencing number of each grant. */
    private final long[] fences;

    /** Whether a copy of an answered acquire may still run at the node. */
    private final boolean[] mayRunLate;

    /** What the attempt may fail of. A held lock asks such nodes again and again, and adds none. */
    private final List<Throwable> failures = new ArrayList<>(0);

    /** The greatest number of those that were asked to agree; 0 before there is a quorum of grants. */
    private long fence;

    private long greatestFenceSeen;
    private boolean acquired;

    /** When the longest lease ends that the nodes were asked for, by the clock of the port. */
    private long end;

    /** The answers to the releases, once it has ended. */
    private volatile @Nullable QuorumQuery released;

    /** How many messages said that the lock was released by force. To ask nodes again would undo that. */
    private int revocations;

    /** How many of these were wrong, as a quorum has answered: anybody may have sent them. */
    private int refuted;

    QuorumAttempt(
            String name,
            String claim,
            CompletableFuture<AcquireReply> answer,
            List<Node> nodes,
            QuorumSettings settings,
            long leaseMillis,
            LongSupplier retryDelayMillis,
            Consumer<QuorumAttempt> onEnd) {
        this.name = name;
        this.claim = claim;
        this.answer = answer;
        this.nodes = nodes;
        this.settings = settings;
        this.needed = settings.mode().needed(nodes.size());
        this.leaseMillis = leaseMillis;
        this.retryDelayMillis = retryDelayMillis;
        this.onEnd = onEnd;
        this.statuses = new Status[nodes.size()];
        this.questions = new int[nodes.size()];
        this.mayAnswerLater = new boolean[nodes.size()];
        this.fences = new long[nodes.size()];
        this.mayRunLate = new boolean[nodes.size()];
    }

    /** Lets an event happen, and does afterwards what follows from it. */
    private void on(Consumer<List<Runnable>> event) {
        List<Runnable> out = new ArrayList<>(4);
        lock.lock();
        try {
            event.accept(out);
        } finally {
            lock.unlock();
        }
        out.forEach(Runnable::run);
    }

    // ------------------------------------------------------------------ the attempt

    /** @param asked for each node, whether it is asked */
    void start(boolean[] asked, long now) {
        on(out -> {
            end = now + MILLISECONDS.toNanos(leaseMillis);
            Arrays.fill(statuses, Status.NOT_ASKED);
            for (int node = 0; node < asked.length; node++) {
                if (asked[node]) {
                    ask(node, leaseMillis, out);
                }
            }
        });
    }

    private void ask(int index, long millis, List<Runnable> out) {
        mayRunLate[index] |= statuses[index] == Status.OVERDUE;
        statuses[index] = Status.ASKED;
        int question = ++questions[index];
        Node node = nodes.get(index);
        out.add(() -> {
            Node.Sent sent = node.sending();
            node.ask(
                            () -> node.port().acquire(name, claim, settings.leaseOnNode(millis), false),
                            () -> on(then -> overdue(index, question, then)))
                    .whenComplete((reply, failure) ->
                            on(then -> acquireAnswered(index, question, reply, failure, node.isClean(sent), then)));
        });
    }

    private void overdue(int node, int question, List<Runnable> out) {
        if (question == questions[node]) {
            statuses[node] = Status.OVERDUE;
            decide(out);
        }
    }

    /** @param clean whether no copy of an answered acquire can still be under way */
    private void acquireAnswered(
            int node,
            int question,
            @Nullable AcquireReply reply,
            @Nullable Throwable failure,
            boolean clean,
            List<Runnable> out) {
        // A node without memory must not be asked to store a tombstone for each attempt that it has refused.
        mayRunLate[node] |= failure != null && !Node.isAnswer(failure) || !clean;
        if (!isAwaited(node, question)) {
            return;
        }
        if (failure != null) {
            failed(node, failure);
        } else if (reply instanceof AcquireReply.Ok ok) {
            fences[node] = ok.fence();
            granted(node, out);
        } else {
            statuses[node] = Status.REFUSED;
            if (reply instanceof AcquireReply.Busy busy) {
                greatestFenceSeen = Math.max(greatestFenceSeen, busy.fence());
            }
        }
        decide(out);
    }

    /** A holder keeps its number. */
    private void granted(int node, List<Runnable> out) {
        boolean chosen = fence > 0 && released == null;
        boolean greater = chosen && !acquired && fences[node] > fence;
        statuses[node] = greater ? Status.GRANTED_GREATER : Status.GRANTED;
        if (chosen && !greater) {
            raiseFence(node, out);
        }
    }

    /** Takes the answer to a question, so that the node cannot become overdue with it any more. */
    private boolean isAwaited(int node, int question) {
        if (question != questions[node]) {
            return false;
        }
        questions[node]++;
        return true;
    }

    private void failed(int node, Throwable cause) {
        statuses[node] = Status.FAILED;
        mayAnswerLater[node] = Node.isForNow(cause);
        if (isOpen()) {
            failures.add(cause);
        }
    }

    private void raiseFence(int index, List<Runnable> out) {
        int question = ++questions[index];
        long number = fence;
        Node node = nodes.get(index);
        out.add(() -> node.ask(
                        () -> node.port()
                                .raiseFence(
                                        name,
                                        claim,
                                        number,
                                        settings.leaseOnNode(leaseMillis),
                                        settings.leastUptimeSeconds()),
                        () -> on(then -> overdue(index, question, then)))
                .whenComplete((reply, failure) -> on(then -> raiseAnswered(index, question, reply, failure, then))));
    }

    private void raiseAnswered(
            int node, int question, @Nullable RaiseFenceReply reply, @Nullable Throwable failure, List<Runnable> out) {
        if (!isAwaited(node, question)) {
            return;
        }
        if (failure != null) {
            failed(node, failure);
        } else if (reply == RaiseFenceReply.TOO_YOUNG) {
            failed(
                    node,
                    new IllegalStateException(
                            "a node restarted too recently to count (distribution-lock.quorum.restart-delay)"));
        } else {
            statuses[node] = reply == RaiseFenceReply.RAISED ? Status.CONFIRMED : Status.REFUSED;
        }
        decide(out);
    }

    private void decide(List<Runnable> out) {
        if (!isOpen()) {
            return;
        }
        if (isTimeToChoose()) {
            choose(out);
        }
        if (count(Status.CONFIRMED) >= needed) {
            acquired = true;
            admitThoseWithGreater(out);
            out.add(() -> {
                if (!answer.complete(new AcquireReply.Ok(fence, OTHERS_MAY_WAIT))) {
                    abandon();
                }
            });
        } else if (isHopeless()) {
            Runnable outcome = outcomeOfFailure();
            release(0, out);
            out.add(() -> onEnd.accept(this));
            out.add(outcome);
        }
    }

    private boolean isHopeless() {
        int agreed = agreeing() + count(Status.GRANTED_GREATER);
        return count(Status.ASKED) == 0
                && agreed < needed
                && (agreed + count(Status.OVERDUE) < needed || absent() <= statuses.length - needed);
    }

    private int absent() {
        return count(Status.FAILED) + count(Status.NOT_ASKED) + count(Status.OVERDUE);
    }

    /** How many have agreed to the number, or may still. */
    private int agreeing() {
        return count(Status.GRANTED) + count(Status.CONFIRMED);
    }

    /** When a quorum has granted the lock, and again when there is none but with a node that has drawn a greater number. */
    private boolean isTimeToChoose() {
        if (fence == 0) {
            return agreeing() >= needed;
        }
        return count(Status.ASKED) == 0 && agreeing() < needed && agreeing() + count(Status.GRANTED_GREATER) >= needed;
    }

    /** Asks all that have granted the lock to agree to the greatest of their numbers, also those that agreed to a smaller one. */
    private void choose(List<Runnable> out) {
        boolean[] asked = new boolean[statuses.length];
        for (int node = 0; node < statuses.length; node++) {
            asked[node] = hasGranted(node);
            if (asked[node]) {
                fence = Math.max(fence, fences[node]);
            }
        }
        for (int node = 0; node < statuses.length; node++) {
            if (asked[node]) {
                statuses[node] = Status.GRANTED;
                raiseFence(node, out);
            }
        }
    }

    private boolean hasGranted(int node) {
        return switch (statuses[node]) {
            case GRANTED, GRANTED_GREATER, CONFIRMED -> true;
            case OVERDUE -> fences[node] > 0;
            case NOT_ASKED, ASKED, REFUSED, FAILED -> false;
        };
    }

    /** They count for the holder, which keeps its number. */
    private void admitThoseWithGreater(List<Runnable> out) {
        for (int node = 0; node < statuses.length; node++) {
            if (statuses[node] == Status.GRANTED_GREATER) {
                statuses[node] = Status.GRANTED;
                raiseFence(node, out);
            }
        }
    }

    /** Whether it is neither acquired nor released yet. */
    private boolean isOpen() {
        return !acquired && released == null;
    }

    /** "Busy" only if enough nodes answered to acquire a free lock. */
    private Runnable outcomeOfFailure() {
        int absent = absent();
        if (absent <= statuses.length - needed) {
            long seen = greatestFenceSeen;
            return () -> answer.complete(new AcquireReply.Busy(retryDelayMillis.getAsLong(), seen));
        }
        String what = absent + " of " + statuses.length + " nodes did not answer or do not count, and " + needed
                + " have to agree";
        Throwable first = failures.isEmpty() ? null : failures.get(0);
        Throwable cause = enoughMayAnswerLater()
                ? new TryAgainException(what, true, first)
                : new IllegalStateException(what, first);
        failures.forEach(cause::addSuppressed);
        return () -> answer.completeExceptionally(cause);
    }

    private boolean enoughMayAnswerLater() {
        int present = 0;
        for (int i = 0; i < statuses.length; i++) {
            boolean absent = statuses[i] == Status.FAILED || statuses[i] == Status.NOT_ASKED;
            boolean later = statuses[i] == Status.NOT_ASKED || mayAnswerLater[i];
            if (!absent || later && !nodes.get(i).isAway()) {
                present++;
            }
        }
        return present >= needed;
    }

    private int count(Status wanted) {
        int count = 0;
        for (Status status : statuses) {
            if (status == wanted) {
                count++;
            }
        }
        return count;
    }

    // ------------------------------------------------------------------ the ownership

    /** Whether the node has a part in the ownership. */
    boolean isConfirmed(int node) {
        lock.lock();
        try {
            return released == null && statuses[node] == Status.CONFIRMED;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is held, but nodes have no part in it, or have not answered yet. */
    boolean lacksNodes() {
        lock.lock();
        try {
            return acquired && released == null && count(Status.CONFIRMED) + count(Status.GRANTED) < statuses.length;
        } finally {
            lock.unlock();
        }
    }

    /** The lock is gone from a node that had a part in the ownership. */
    void goneFrom(int node) {
        on(out -> statuses[node] = statuses[node] == Status.CONFIRMED ? Status.REFUSED : statuses[node]);
    }

    /** A message says that the lock was released by force. */
    void revoked() {
        on(out -> revocations++);
    }

    /** How many messages have said so. */
    int revocations() {
        lock.lock();
        try {
            return revocations;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A quorum still has the lock.
     *
     * @param earlier how many messages had said that the lock was released by force when it was asked
     */
    void stillHeld(int earlier) {
        on(out -> refuted = Math.max(refuted, earlier));
    }

    /** Whether the lock was released by force, as far as is known. */
    boolean isRevoked() {
        lock.lock();
        try {
            return revocations > refuted;
        } finally {
            lock.unlock();
        }
    }

    /** The nodes that have a part in the ownership are asked for this lease now. */
    void renewed(long millis, long now) {
        on(out -> end = now + Math.max(end - now, MILLISECONDS.toNanos(millis)));
    }

    /** Asks a node again that has no part in the ownership, for what is left of the lease. */
    void heal(int node, long now) {
        on(out -> {
            long millis = NANOSECONDS.toMillis(end - now);
            if (acquired
                    && released == null
                    && millis > 0
                    && WITHOUT_PART.contains(statuses[node])
                    && !nodes.get(node).isSuspect()) {
                ask(node, millis, out);
            }
        });
    }

    // ------------------------------------------------------------------ the end

    /** Releases what was granted: nobody waits for this attempt any longer. */
    void abandon() {
        onEnd.accept(this);
        end(0);
    }

    /** Does the same unless a quorum has agreed, for a lease that goes on; returns whether it is done. */
    boolean abandonUnlessHeld(long now) {
        on(out -> {
            if (!acquired || end - now <= 0) {
                release(0, out);
            }
        });
        if (released == null) {
            return false;
        }
        abandon();
        return true;
    }

    /**
     * Ends the attempt or the ownership, once; later answers of the nodes change nothing.
     *
     * @return whether a quorum had the lock held
     */
    CompletableFuture<Boolean> end(long minHoldMillis) {
        on(out -> release(minHoldMillis, out));
        answer.completeExceptionally(new IllegalStateException("the attempt was abandoned"));
        return Objects.requireNonNull(released).result();
    }

    private void release(long minHoldMillis, List<Runnable> out) {
        if (released != null) {
            return;
        }
        QuorumQuery answers = new QuorumQuery(nodes.size(), needed);
        released = answers;
        for (int i = 0; i < statuses.length; i++) {
            Node node = nodes.get(i);
            boolean tombstone = mayRunLate[i] || statuses[i] == Status.ASKED || statuses[i] == Status.OVERDUE;
            boolean mayOwn = statuses[i] != Status.NOT_ASKED && statuses[i] != Status.REFUSED;
            out.add(
                    tombstone || mayOwn
                            ? () -> node.release(name, claim, tombstone, minHoldMillis)
                                    .thenApply(reply -> reply == ReleaseReply.RELEASED)
                                    .whenComplete(answers::count)
                            : () -> answers.count(false, null));
        }
    }
}
