package io.distributionlock.quorum;

import io.distributionlock.engine.AcquireReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/** Brings the answers of the nodes to the {@link Round} of one claim of the engine, and carries out what it decides. */
final class Candidate {

    /** Others may always want the lock: nodes do not know who waits, so the engine's bound for its own threads applies. */
    private static final long OTHERS_MAY_WAIT = 1;

    /** What a candidate tells of its own accord. */
    interface Owner {

        /** Nothing is held, and the claim need not be remembered. */
        void ended(Candidate candidate);

        /** It was deprived of its lock by force. */
        void deprived(Candidate candidate);

        /** How long to wait before the next attempt. */
        long pauseMillis();
    }

    final String name;

    /** The claim by which the engine knows it. */
    final String claim;

    final CompletableFuture<AcquireReply> answer;
    private final Round round;
    private final List<Node> nodes;
    private final QuorumSettings settings;
    private final long nodeLeaseMillis;
    private final Owner owner;
    private final ReentrantLock lock = new ReentrantLock();

    Candidate(
            String name,
            String claim,
            CompletableFuture<AcquireReply> answer,
            Round round,
            List<Node> nodes,
            QuorumSettings settings,
            long leaseMillis,
            Owner owner) {
        this.name = name;
        this.claim = claim;
        this.answer = answer;
        this.round = round;
        this.nodes = nodes;
        this.settings = settings;
        this.nodeLeaseMillis = settings.leaseOnNode(leaseMillis);
        this.owner = owner;
    }

    /** The claim by which the nodes know it. */
    String nodeClaim() {
        return round.claim;
    }

    /** Asks the nodes. */
    void start() {
        for (int i = 0; i < nodes.size(); i++) {
            if (!round.isAsked(i)) {
                continue;
            }
            int index = i;
            Node node = nodes.get(i);
            node.ask(
                    () -> node.port().acquire(name, round.claim, nodeLeaseMillis),
                    (reply, clean) -> on((mine, out) -> mine.acquireAnswered(index, reply, clean, out)),
                    failure -> on((mine, out) -> mine.acquireFailed(index, failure, out)));
        }
    }

    private void on(BiConsumer<Round, List<Step>> event) {
        List<Step> todo = new ArrayList<>(4);
        lock.lock();
        try {
            event.accept(round, todo);
        } finally {
            lock.unlock();
        }
        todo.forEach(this::perform);
    }

    private void perform(Step step) {
        if (step instanceof Step.Raise raise) {
            raise(raise);
        } else if (step instanceof Step.GiveBack giveBack) {
            nodes.get(giveBack.node()).release(name, round.claim, giveBack.bury(), 0);
        } else if (step instanceof Step.Won won) {
            if (!answer.complete(new AcquireReply.Ok(won.fence(), OTHERS_MAY_WAIT))) {
                abandon();
            }
        } else if (step instanceof Step.Busy busy) {
            owner.ended(this);
            answer.complete(new AcquireReply.Busy(owner.pauseMillis(), busy.fence()));
        } else if (step instanceof Step.Failed failed) {
            owner.ended(this);
            answer.completeExceptionally(failed.cause());
        } else if (step instanceof Step.Deprived) {
            owner.deprived(this);
        }
    }

    private void raise(Step.Raise raise) {
        Node node = nodes.get(raise.node());
        node.ask(
                () -> node.port()
                        .raiseFence(name, round.claim, raise.fence(), nodeLeaseMillis, settings.leastUptimeSeconds()),
                (reply, clean) -> on((mine, out) -> mine.raiseAnswered(raise.node(), reply, out)),
                failure -> on((mine, out) -> mine.raiseFailed(raise.node(), failure, out)));
    }

    /** Gives back what there is, without a word to anybody: nobody waits for this candidate any longer. */
    void abandon() {
        owner.ended(this);
        answer.completeExceptionally(new IllegalStateException("the attempt was given up"));
        on(Round::giveBack);
    }

    /** What has to be given back; from now on nothing that is heard of the nodes changes anything. */
    List<Step.GiveBack> end() {
        List<Step> todo = new ArrayList<>(nodes.size());
        lock.lock();
        try {
            round.giveBack(todo);
        } finally {
            lock.unlock();
        }
        answer.completeExceptionally(new IllegalStateException("the attempt was given up"));
        return todo.stream().map(Step.GiveBack.class::cast).toList();
    }

    boolean mayHold(int node) {
        lock.lock();
        try {
            return round.mayHold(node);
        } finally {
            lock.unlock();
        }
    }

    void renewAnswered(int node, boolean held) {
        on((mine, out) -> mine.renewAnswered(node, held));
    }

    void revoked(int node) {
        on((mine, out) -> mine.revoked(node, out));
    }
}
