package io.distributionlock.quorum;

import io.distributionlock.LockKind;
import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.CommandListener;
import io.distributionlock.engine.CommandPort;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine's commands over several independent nodes. Each is sent to all of them at the same time, and answered as soon as a
 * quorum has decided.
 *
 * <p>Claims never stand in the queue of a node, for different nodes would hand the lock to different waiters. A busy lock is
 * asked for again after a random pause, under a claim that the nodes have not seen before; what the attempt before had got
 * was given back at once, so that two of them cannot hold each other up with half of the nodes each.
 *
 * <p>A process whose own threads wait for the lock that it gives back lets the others try first.
 */
final class QuorumCommandPort implements CommandPort {

    private static final long LONGEST_NODE_CLOSE_MILLIS = 2_500;

    private final List<Node> nodes;
    private final QuorumSettings settings;
    private final int needed;
    private final Alarm alarm;
    private final DoubleSupplier random;
    private final AtomicLong attempts = new AtomicLong();

    /** What is asked for or held, by the engine's claim. */
    private final Map<String, Candidate> candidates = new ConcurrentHashMap<>();

    /** What is being given back, by the engine's claim. */
    private final Map<String, CompletableFuture<ReleaseReply>> releases = new ConcurrentHashMap<>();

    /** The latest of them, by the name of the lock. */
    private final Map<String, CompletableFuture<ReleaseReply>> releasesByName = new ConcurrentHashMap<>();

    private final Candidate.Owner owner = new CandidateOwner();
    private volatile @Nullable CommandListener listener;

    /** @param random from 0 to 1 */
    QuorumCommandPort(List<Node> nodes, QuorumSettings settings, Alarm alarm, DoubleSupplier random) {
        this.nodes = List.copyOf(nodes);
        this.settings = settings;
        this.needed = settings.mode().needed(nodes.size());
        this.alarm = alarm;
        this.random = random;
    }

    @Override
    public void attach(CommandListener listener) {
        this.listener = listener;
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).attach(new NodeListener(i, listener));
        }
    }

    /** Connects to all nodes in the background. */
    void warmUp() {
        nodes.forEach(Node::warmUp);
    }

    /** Order and readers need a queue, and there is none over several nodes. */
    @Override
    public Set<LockKind> kinds() {
        return Set.of(LockKind.REENTRANT);
    }

    // ------------------------------------------------------------------ taking

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        CompletableFuture<AcquireReply> answer = new CompletableFuture<>();
        long pause = pauseBefore(name, leaseMillis);
        if (pause == 0) {
            start(name, claim, leaseMillis, answer);
        } else {
            alarm.after(pause, () -> {
                if (!answer.isDone()) {
                    start(name, claim, leaseMillis, answer);
                }
            });
        }
        return answer;
    }

    /**
     * A lock that is asked for while it is being given back has local waiters. They have had their share; whoever else was told
     * "busy" lately asks again within one pause at most. A short lease must not end meanwhile.
     */
    private long pauseBefore(String name, long leaseMillis) {
        CompletableFuture<ReleaseReply> release = releasesByName.get(name);
        if (release == null || release.isDone()) {
            return 0;
        }
        long longestPauseOfOthers = settings.retryDelay().toNanos() * 3 / 2;
        return Math.min(
                longestPauseOfOthers + TimeUnit.MILLISECONDS.toNanos(pauseMillis()) / 2,
                TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 4);
    }

    /** From half the delay to one and a half of it. */
    private long pauseMillis() {
        long delay = settings.retryDelay().toMillis();
        return Math.max(1, delay / 2 + (long) (random.getAsDouble() * delay));
    }

    private void start(String name, String claim, long leaseMillis, CompletableFuture<AcquireReply> answer) {
        // The part before the last colon is the process, by which nodes know whom to tell of a release by force.
        Round round = new Round(claim + "-" + attempts.incrementAndGet(), nodesToAsk(), needed);
        Candidate candidate = new Candidate(name, claim, answer, round, nodes, settings, leaseMillis, owner);
        Candidate earlier = candidates.put(claim, candidate);
        if (earlier != null) {
            earlier.abandon();
        }
        candidate.start();
    }

    /** All, or those that answer if they are enough. */
    private boolean[] nodesToAsk() {
        boolean[] asked = new boolean[nodes.size()];
        int answering = 0;
        for (int i = 0; i < asked.length; i++) {
            asked[i] = !nodes.get(i).isSuspect();
            answering += asked[i] ? 1 : 0;
        }
        if (answering < needed) {
            Arrays.fill(asked, true);
        }
        return asked;
    }

    // ------------------------------------------------------------------ keeping

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<CompletableFuture<RenewReply>> answers = new ArrayList<>(renewals.size());
        List<Question> questions = new ArrayList<>(renewals.size());
        List<List<Asked>> byNode = new ArrayList<>(nodes.size());
        nodes.forEach(node -> byNode.add(new ArrayList<>(renewals.size())));
        for (Renewal renewal : renewals) {
            Question question = new Question(nodes.size(), needed);
            questions.add(question);
            answers.add(question.result().thenApply(held -> new RenewReply(held, 1)));
            Candidate candidate = candidates.get(renewal.claim());
            for (int i = 0; i < nodes.size(); i++) {
                if (candidate != null && candidate.mayHold(i)) {
                    byNode.get(i).add(new Asked(renewal, candidate, question));
                } else {
                    question.answered(i, false);
                }
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (!byNode.get(i).isEmpty()) {
                renew(i, byNode.get(i));
            }
        }
        return answers;
    }

    /** One renewal, as one node is asked for it. */
    private record Asked(Renewal renewal, Candidate candidate, Question question) {}

    private void renew(int index, List<Asked> asked) {
        Node node = nodes.get(index);
        int connection = node.connection();
        List<Renewal> renewals = asked.stream()
                .map(each -> new Renewal(
                        each.renewal().name(),
                        each.candidate().nodeClaim(),
                        settings.leaseOnNode(each.renewal().leaseMillis())))
                .toList();
        List<CompletableFuture<RenewReply>> answers;
        try {
            answers = node.port().renew(renewals);
        } catch (RuntimeException e) {
            CompletableFuture<RenewReply> failed = CompletableFuture.failedFuture(e);
            answers = renewals.stream().map(renewal -> failed).toList();
        }
        for (int i = 0; i < asked.size(); i++) {
            Asked each = asked.get(i);
            node.await(
                    answers.get(i),
                    connection,
                    (reply, clean) -> {
                        each.candidate().renewAnswered(index, reply.held());
                        each.question().answered(index, reply.held());
                    },
                    failure -> each.question().failed(index, failure));
        }
    }

    // ------------------------------------------------------------------ giving back

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean bury, long keepMillis) {
        Candidate candidate = candidates.remove(claim);
        if (candidate == null) {
            CompletableFuture<ReleaseReply> underWay = releases.get(claim);
            return underWay != null ? underWay.copy() : CompletableFuture.completedFuture(ReleaseReply.NOT_MINE);
        }
        Question released = new Question(nodes.size(), needed);
        CompletableFuture<ReleaseReply> result =
                released.result().thenApply(yes -> yes ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE);
        releases.put(claim, result);
        releasesByName.put(name, result);
        result.whenComplete((reply, failure) -> {
            releases.remove(claim, result);
            releasesByName.remove(name, result);
        });
        giveBack(candidate, released, settings.leaseOnNode(keepMillis));
        // A caller that stops waiting must not end the release itself.
        return result.copy();
    }

    private void giveBack(Candidate candidate, Question released, long keepMillis) {
        boolean[] owed = new boolean[nodes.size()];
        for (Step.GiveBack step : candidate.end()) {
            int index = step.node();
            owed[index] = true;
            nodes.get(index)
                    .release(candidate.name, candidate.nodeClaim(), step.bury(), keepMillis)
                    .whenComplete((reply, failure) -> {
                        if (failure != null) {
                            released.failed(index, failure);
                        } else {
                            released.answered(index, reply == ReleaseReply.RELEASED);
                        }
                    });
        }
        for (int i = 0; i < owed.length; i++) {
            if (!owed[i]) {
                released.answered(i, false);
            }
        }
    }

    // ------------------------------------------------------------------ for operations

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        Question locked = new Question(nodes.size(), needed);
        for (int i = 0; i < nodes.size(); i++) {
            int index = i;
            Node node = nodes.get(i);
            node.ask(
                    () -> node.port().isLocked(name),
                    (reply, clean) -> locked.answered(index, reply),
                    failure -> locked.failed(index, failure));
        }
        return locked.result();
    }

    /**
     * Waits for all nodes, and takes one of them that had it held for enough: the holder is told by the first, and may itself have
     * freed the others by the time they are asked.
     */
    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        Question answered = new Question(nodes.size(), needed);
        AtomicBoolean anyHeld = new AtomicBoolean();
        List<CompletableFuture<@Nullable Void>> asked = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            int index = i;
            Node node = nodes.get(i);
            CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
            asked.add(done);
            node.ask(
                    () -> node.port().forceRelease(name),
                    (held, clean) -> {
                        if (held) {
                            anyHeld.set(true);
                        }
                        answered.answered(index, true);
                        done.complete(null);
                    },
                    failure -> {
                        answered.failed(index, failure);
                        done.complete(null);
                    });
        }
        return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
                .thenCompose(all -> answered.result())
                .thenApply(enough -> anyHeld.get());
    }

    /** What is known of each node. */
    List<QuorumNodeState> nodeStates() {
        return nodes.stream().map(Node::state).toList();
    }

    /** Asks every node now; completes, never with a failure, when each has answered or had its time. */
    CompletableFuture<List<QuorumNodeState>> askNodes() {
        List<CompletableFuture<@Nullable Void>> asked = new ArrayList<>();
        for (Node node : nodes) {
            CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
            asked.add(done);
            node.ask(
                    () -> node.port().isLocked(Node.PROBED_NAME),
                    (reply, clean) -> done.complete(null),
                    failure -> done.complete(null));
        }
        return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> nodeStates());
    }

    // ------------------------------------------------------------------ messages

    @Override
    public void listen() {
        for (Node node : nodes) {
            node.port().listen();
        }
    }

    private final class NodeListener implements CommandListener {

        private final int index;
        private final CommandListener engine;

        NodeListener(int index, CommandListener engine) {
            this.index = index;
            this.engine = engine;
        }

        @Override
        public void granted(String name, String claim, long fence) {
            // Nobody of this process stands in the queue of a node.
        }

        @Override
        public void revoked(String name, String nodeClaim) {
            int suffix = nodeClaim.lastIndexOf('-');
            Candidate candidate = suffix < 0 ? null : candidates.get(nodeClaim.substring(0, suffix));
            if (candidate != null && candidate.nodeClaim().equals(nodeClaim)) {
                candidate.revoked(index);
            }
        }

        @Override
        public void listening() {
            engine.listening();
        }

        @Override
        public void reconnected() {
            engine.reconnected();
        }
    }

    private final class CandidateOwner implements Candidate.Owner {

        @Override
        public void ended(Candidate candidate) {
            candidates.remove(candidate.claim, candidate);
        }

        @Override
        public void deprived(Candidate candidate) {
            Objects.requireNonNull(listener).revoked(candidate.name, candidate.claim);
        }

        @Override
        public long pauseMillis() {
            return QuorumCommandPort.this.pauseMillis();
        }
    }

    // ------------------------------------------------------------------ the end

    /** What is on its way to a node that answers gets the time for that. */
    @Override
    public void close() {
        long deadline = alarm.now() + settings.nodeTimeout().toNanos();
        while (!nodes.stream().allMatch(Node::isQuiet)
                && alarm.now() - deadline < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        List<Thread> closing = new ArrayList<>();
        for (Node node : nodes) {
            Thread thread = new Thread(node::close, "distribution-lock-close");
            thread.setDaemon(true);
            closing.add(thread);
            thread.start();
        }
        try {
            for (Thread thread : closing) {
                thread.join(LONGEST_NODE_CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        alarm.close();
    }
}
