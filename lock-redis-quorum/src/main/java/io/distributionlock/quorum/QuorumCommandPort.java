package io.distributionlock.quorum;

import io.distributionlock.LockKind;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.MessageText;
import io.distributionlock.redis.RedisCommandPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engine's commands over several independent nodes. Each command is sent to all nodes at once, and answered as soon as a quorum
 * has decided.
 *
 * <p>Claims never queue at a node, because different nodes would hand the lock over to different waiters. A busy lock is tried
 * again after a random delay, under a claim that is new to the nodes. What the earlier attempt was granted is released at once, so
 * that two processes do not block each other with half of the nodes each.
 *
 * <p>Each renewal also asks the nodes again that have no part in the ownership, since they were away, busy or came back empty.
 *
 * <p>A process whose own threads wait for the lock that it releases lets other processes try first.
 */
final class QuorumCommandPort implements CommandPort {

    private static final long MAX_NODE_CLOSE_MILLIS = 2_500;

    private final List<Node> nodes;
    private final QuorumSettings settings;
    private final int needed;
    private final Scheduler scheduler;
    private final DoubleSupplier random;
    private final AtomicLong numbers = new AtomicLong();

    /** What is being acquired, held or released, by the engine's claim. */
    private final Map<String, QuorumAttempt> attempts = new ConcurrentHashMap<>();

    /** The latest release of each lock, by its name. */
    private final Map<String, CompletableFuture<ReleaseReply>> releasesByName = new ConcurrentHashMap<>();

    /** @param random from 0 to 1, for retry delays */
    QuorumCommandPort(List<Node> nodes, QuorumSettings settings, Scheduler scheduler, DoubleSupplier random) {
        this.nodes = List.copyOf(nodes);
        this.settings = settings;
        this.needed = settings.mode().needed(nodes.size());
        this.scheduler = scheduler;
        this.random = random;
    }

    @Override
    public void attach(CommandListener listener) {
        nodes.forEach(node -> node.port().attach(new NodeListener(node, listener)));
    }

    /** Connects to all nodes in the background. */
    void warmUp() {
        nodes.forEach(Node::warmUp);
    }

    /** Fairness and readers need a queue, and several nodes have none in common. */
    @Override
    public Set<LockKind> kinds() {
        return Set.of(LockKind.REENTRANT);
    }

    // ------------------------------------------------------------------ acquiring

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        CompletableFuture<AcquireReply> answer = new CompletableFuture<>();
        long delay = delayAfterRelease(name, leaseMillis);
        if (delay == 0) {
            start(name, claim, leaseMillis, answer);
        } else {
            scheduler.schedule(delay, () -> {
                if (!answer.isDone()) {
                    start(name, claim, leaseMillis, answer);
                }
            });
        }
        return answer;
    }

    /**
     * While this process releases a lock, its next acquire waits a little longer than the longest retry delay, but at most a quarter of the
     * lease. It comes from a local waiter, and this process has just had its turn; meanwhile each of the others has tried once.
     */
    private long delayAfterRelease(String name, long leaseMillis) {
        CompletableFuture<ReleaseReply> release = releasesByName.get(name);
        if (release == null || release.isDone()) {
            return 0;
        }
        long longestRetryDelay = settings.retryDelay().toNanos() * 3 / 2;
        return Math.min(
                longestRetryDelay + TimeUnit.MILLISECONDS.toNanos(retryDelayMillis()) / 2,
                TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 4);
    }

    /** At random from half the configured delay to one and a half times that. */
    private long retryDelayMillis() {
        long delay = settings.retryDelay().toMillis();
        return Math.max(1, delay / 2 + (long) (random.getAsDouble() * delay));
    }

    private void start(String name, String claim, long leaseMillis, CompletableFuture<AcquireReply> answer) {
        QuorumAttempt former = attempts.get(claim);
        if (former != null && !former.abandonUnlessHeld(scheduler.nanoTime())) {
            // Its answer is on the way to the caller that asks again. Giving the lock back would take it from that
            // caller.
            answer.completeExceptionally(new TryAgainException("An earlier attempt of this claim has the lock."));
            return;
        }
        // The part before the last colon names the process, which a node notifies of a force-release.
        QuorumAttempt attempt = new QuorumAttempt(
                name,
                claim + "-" + numbers.incrementAndGet(),
                answer,
                nodes,
                settings,
                leaseMillis,
                this::retryDelayMillis,
                ended -> attempts.remove(claim, ended));
        QuorumAttempt earlier = attempts.put(claim, attempt);
        if (earlier != null) {
            earlier.abandon();
        }
        attempt.start(nodesToAsk(), scheduler.nanoTime());
        answer.thenAccept(reply -> {
            if (attempt.lacksNodes()) {
                scheduler.schedule(settings.retryDelay().toNanos(), () -> heal(attempt));
            }
        });
    }

    /**
     * Asks nodes again that have no part in the ownership, ahead of the first renewal: most often, another process has just tried there, and
     * given up what it got. While a bare majority has the lock, one that loses its data would let a second holder in.
     */
    private void heal(QuorumAttempt attempt) {
        if (!attempt.isRevoked()) {
            long now = scheduler.nanoTime();
            for (int node = 0; node < nodes.size(); node++) {
                attempt.heal(node, now);
            }
        }
    }

    /** The nodes that answer, if they are a quorum; otherwise all nodes. */
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

    // ------------------------------------------------------------------ renewing

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<CompletableFuture<RenewReply>> answers = new ArrayList<>(renewals.size());
        List<QuorumQuery> queries = new ArrayList<>(renewals.size());
        long now = scheduler.nanoTime();
        List<List<Asked>> byNode = new ArrayList<>(nodes.size());
        nodes.forEach(node -> byNode.add(new ArrayList<>(renewals.size())));
        for (Renewal renewal : renewals) {
            QuorumQuery query = query();
            queries.add(query);
            answers.add(query.result().thenApply(held -> new RenewReply(held, 1)));
            QuorumAttempt attempt = attempts.get(renewal.claim());
            if (attempt != null) {
                attempt.renewed(renewal.leaseMillis(), now);
                int revocations = attempt.revocations();
                query.result().thenAccept(held -> {
                    if (held) {
                        attempt.stillHeld(revocations);
                    }
                });
            }
            for (int i = 0; i < nodes.size(); i++) {
                if (attempt != null && attempt.isConfirmed(i)) {
                    byNode.get(i).add(new Asked(renewal, attempt, query));
                } else if (attempt == null || attempt.isRevoked()) {
                    query.count(false, null);
                } else {
                    // It may have a part by the next renewal.
                    query.count(
                            null,
                            new IllegalStateException("node " + nodes.get(i).label() + " does not have the lock"));
                    attempt.heal(i, now);
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

    /** One renewal at one node. */
    private record Asked(Renewal renewal, QuorumAttempt attempt, QuorumQuery query) {}

    private void renew(int index, List<Asked> asked) {
        Node node = nodes.get(index);
        List<Renewal> renewals = asked.stream()
                .map(each -> new Renewal(
                        each.renewal().name(),
                        each.attempt().claim,
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
            node.bounded(answers.get(i), () -> {}).thenApply(RenewReply::held).whenComplete((held, failure) -> {
                if (Boolean.FALSE.equals(held)) {
                    each.attempt().goneFrom(index);
                }
                each.query().count(held, failure);
            });
        }
    }

    // ------------------------------------------------------------------ releasing

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        QuorumAttempt attempt = attempts.get(claim);
        if (attempt == null) {
            return CompletableFuture.completedFuture(ReleaseReply.NOT_MINE);
        }
        CompletableFuture<ReleaseReply> result = attempt.end(settings.leaseOnNode(minHoldMillis))
                .thenApply(released -> released ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE);
        releasesByName.put(name, result);
        result.whenComplete((reply, failure) -> {
            attempts.remove(claim, attempt);
            releasesByName.remove(name, result);
        });
        // A caller that stops waiting must not end the release itself.
        return result.copy();
    }

    // ------------------------------------------------------------------ for operations

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        QuorumQuery locked = query();
        askAll(port -> port.isLocked(name), locked::count);
        return locked.result();
    }

    /**
     * Waits for all nodes; the lock was held if any of them says so. The first node notifies the holder, which may release the lock
     * at the others before they are asked.
     */
    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        QuorumQuery answered = query();
        AtomicBoolean anyHeld = new AtomicBoolean();
        return askAll(port -> port.forceRelease(name), (held, failure) -> {
                    if (Boolean.TRUE.equals(held)) {
                        anyHeld.set(true);
                    }
                    answered.count(true, failure);
                })
                .thenCompose(all -> answered.result())
                .thenApply(enough -> anyHeld.get());
    }

    private QuorumQuery query() {
        return new QuorumQuery(nodes.size(), needed);
    }

    /** Completes when each node has answered, failed or let its time pass, and never fails itself. A late answer is still passed on. */
    private <T> CompletableFuture<@Nullable Void> askAll(
            Function<CommandPort, CompletableFuture<T>> command, BiConsumer<T, Throwable> onAnswer) {
        CompletableFuture<?>[] turns = nodes.stream()
                .map(node -> {
                    CompletableFuture<Boolean> turn = new CompletableFuture<>();
                    node.ask(() -> command.apply(node.port()), () -> turn.complete(false))
                            .whenComplete(onAnswer)
                            .whenComplete((reply, failure) -> turn.complete(true));
                    return turn;
                })
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(turns);
    }

    /** The last known state of each node. */
    List<QuorumNodeState> nodeStates() {
        return nodes.stream().map(Node::state).toList();
    }

    /** Asks every node now. Completes when each has answered or timed out; never fails. */
    CompletableFuture<List<QuorumNodeState>> askNodes() {
        return askAll(port -> port.isLocked(Node.PROBED_NAME), (reply, failure) -> {})
                .thenApply(all -> nodeStates());
    }

    @Override
    public String endpoint() {
        return "the quorum of " + nodes.stream().map(Node::label).collect(Collectors.joining(", "));
    }

    /** Says what is known of each node that failed; otherwise names those to which there is no connection yet, if the others are too few. */
    @Override
    public Throwable explained(Throwable failure) {
        if (failure instanceof BackendProblemException) {
            return failure;
        }
        // What the same problem of several nodes is called, once.
        Map<String, BackendProblemException> problems = new LinkedHashMap<>();
        Stream.concat(
                        Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
                                .map(QuorumCommandPort::problemIn),
                        nodes.stream().map(Node::problem))
                .flatMap(Optional::stream)
                .forEach(problem -> problems.putIfAbsent(problem.description(), problem));
        if (!problems.isEmpty()) {
            return new BackendProblemException(
                    MessageText.sentence(inTime(failure).getMessage()) + " " + String.join(" ", problems.keySet()),
                    problems.values().stream()
                            .map(BackendProblemException::action)
                            .distinct()
                            .collect(Collectors.joining(" ")),
                    failure);
        }
        List<String> silent = nodes.stream()
                .filter(node -> !node.hasAnswered())
                .map(Node::label)
                .toList();
        return nodes.size() - silent.size() >= needed
                ? inTime(failure)
                : RedisCommandPort.explained(failure, String.join(", ", silent));
    }

    /** The engine's own timeout names the command timeout of a single Redis. Here the time follows from other settings. */
    private static Throwable inTime(Throwable failure) {
        return failure instanceof TimeoutException
                ? new TimeoutException("Too few nodes of the quorum answered in time.")
                : failure;
    }

    /** What the causes of a failure say that can be done about it. */
    static Optional<BackendProblemException> problemIn(@Nullable Throwable failure) {
        return Failures.causes(failure)
                .filter(BackendProblemException.class::isInstance)
                .map(BackendProblemException.class::cast)
                .findFirst();
    }

    // ------------------------------------------------------------------ messages

    @Override
    public void listen() {
        for (Node node : nodes) {
            node.port().listen();
        }
    }

    private final class NodeListener implements CommandListener {

        private final Node node;
        private final CommandListener engine;

        NodeListener(Node node, CommandListener engine) {
            this.node = node;
            this.engine = engine;
        }

        @Override
        public void granted(String name, String claim) {
            // No claim ever queues at a node.
        }

        @Override
        public void revoked(String name, String nodeClaim) {
            int suffix = nodeClaim.lastIndexOf('-');
            String claim = suffix < 0 ? nodeClaim : nodeClaim.substring(0, suffix);
            QuorumAttempt attempt = attempts.get(claim);
            if (attempt != null && attempt.claim.equals(nodeClaim)) {
                attempt.revoked();
                engine.revoked(name, claim);
            }
        }

        @Override
        public void listening() {
            engine.listening();
        }

        @Override
        public void reconnected() {
            node.reconnected();
            engine.reconnected();
        }
    }

    // ------------------------------------------------------------------ closing

    /** Releases to nodes that answer get one node timeout to arrive. */
    @Override
    public void close() {
        long deadline = scheduler.nanoTime() + settings.nodeTimeout().toNanos();
        while (!nodes.stream().allMatch(Node::isQuiet)
                && scheduler.nanoTime() - deadline < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        Executor closers = DaemonThreads.each("distribution-lock-close");
        CompletableFuture<Boolean> closed = CompletableFuture.allOf(nodes.stream()
                        .map(node -> CompletableFuture.runAsync(node::close, closers))
                        .toArray(CompletableFuture<?>[]::new))
                .handle((all, failure) -> true);
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(MAX_NODE_CLOSE_MILLIS), () -> closed.complete(true));
        Await.uninterruptibly(closed);
        scheduler.close();
    }
}
