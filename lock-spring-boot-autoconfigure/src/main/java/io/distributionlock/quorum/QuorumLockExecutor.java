package io.distributionlock.quorum;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.engine.EngineCounters;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.EngineSnapshot;
import io.distributionlock.engine.EngineView;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.engine.LockInspection;
import io.distributionlock.redis.RedisCommandPort;
import io.distributionlock.redis.RedisPortSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Locks that are kept in several independent Redis servers, and held by whom a majority of them, or all, say so. A server that
 * loses its data, or is away, frees no lock.
 *
 * <p>The kind {@link io.distributionlock.LockKind#REENTRANT} only: there is no queue over several servers, and so no order.
 *
 * <p>Thread-safe. Connects in the background. {@link #stop} ends its threads and its subscriptions.
 */
public final class QuorumLockExecutor implements LockExecutor, EngineView, AutoCloseable {

    private static final Log log = LogFactory.getLog(QuorumLockExecutor.class);

    /** For the way through threads and queues of this process. */
    private static final Duration SLACK = Duration.ofMillis(500);

    private final LockEngine engine;
    private final QuorumCommandPort port;
    private final QuorumSettings settings;
    private final AtomicBoolean warnedOfLongLease = new AtomicBoolean();

    /**
     * @param keyPrefix what every key and channel begins with; the same in all processes
     * @param engineSettings the times of this process; the command timeout is replaced by what the nodes may take together
     * @throws IllegalArgumentException if there is no node, or one twice
     */
    public QuorumLockExecutor(
            List<QuorumNode> nodes, QuorumSettings settings, String keyPrefix, EngineSettings engineSettings) {
        requireDifferent(nodes);
        warnOfEvenNumber(nodes.size(), settings);
        this.settings = settings;
        Alarm alarm = new SystemAlarm();
        RedisPortSettings portSettings = RedisPortSettings.of(keyPrefix, engineSettings.instance());
        List<Node> reached = new ArrayList<>();
        for (QuorumNode node : nodes) {
            NodePort nodePort = new RedisNodePort(new RedisCommandPort(node.template(), portSettings));
            reached.add(new Node(node.label(), nodePort, settings, alarm));
        }
        this.port = new QuorumCommandPort(
                reached, settings, alarm, () -> ThreadLocalRandom.current().nextDouble());
        this.engine = LockEngine.start(port, withTimeForAllNodes(engineSettings, settings));
        reached.forEach(Node::warmUp);
        warnOfForgetfulNodes(settings);
    }

    private static void warnOfForgetfulNodes(QuorumSettings settings) {
        if (settings.restartDelay().isZero()) {
            log.warn(
                    "A node that is started again without its data counts at once and could give away what is held. Set"
                            + " distribution-lock.quorum.restart-delay to the longest lease, unless the nodes write every command to disk"
                            + " or are brought back by hand after that time.");
        }
    }

    private static void requireDifferent(List<QuorumNode> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("There is no node: name at least one, better three or five.");
        }
        Set<String> labels = new HashSet<>();
        for (QuorumNode node : nodes) {
            if (!labels.add(node.label())) {
                throw new IllegalArgumentException(
                        "Node '" + node.label() + "' is named twice. It would have two votes: take one of them out.");
            }
        }
    }

    private static void warnOfEvenNumber(int nodes, QuorumSettings settings) {
        if (settings.mode() == QuorumMode.MAJORITY && nodes % 2 == 0) {
            log.warn("Locks are kept over " + nodes + " nodes, of which "
                    + settings.mode().needed(nodes)
                    + " have to agree: no more of them may be away than of " + (nodes - 1)
                    + ". An odd number is better.");
        }
    }

    /** An attempt is two commands to all nodes at the same time, after a pause; the first one may have to connect. */
    private static EngineSettings withTimeForAllNodes(EngineSettings given, QuorumSettings settings) {
        Duration together = settings.nodeTimeout()
                .multipliedBy(2)
                .plus(Node.firstAnswerTimeout())
                .plus(settings.retryDelay().multipliedBy(3))
                .plus(SLACK);
        return new EngineSettings(
                given.instance(),
                together,
                given.grantLease(),
                given.heartbeat(),
                given.handoverMaxCount(),
                given.handoverMaxTime());
    }

    @Override
    public Set<LockKind> kinds() {
        return engine.kinds();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        if (!kinds().contains(request.kind())) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("Lock '" + request.name()
                    + "' is asked for as " + request.kind() + ", but the quorum executor takes only " + kinds()
                    + ": there is no queue over several servers. Use that kind, or the redis executor."));
        }
        warnOfLongLease(request);
        return engine.acquire(request, owner);
    }

    private void warnOfLongLease(LockRequest request) {
        Duration delay = settings.restartDelay();
        if (!delay.isZero()
                && request.holdLockTime().compareTo(delay) > 0
                && warnedOfLongLease.compareAndSet(false, true)) {
            log.warn("Lock '" + request.name() + "' has leases of "
                    + request.holdLockTime().toMillis()
                    + " ms, longer than distribution-lock.quorum.restart-delay (" + delay.toMillis()
                    + " ms): a node that is started again empty could give it to another meanwhile. Make the delay longer"
                    + " than the longest lease. This is told once.");
        }
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return engine.holdCount(name, owner);
    }

    /** Asks whether a quorum of the nodes say that the lock is held; see {@link LockExecutor#isLocked}. */
    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return engine.isLocked(name);
    }

    /**
     * Frees a lock at all nodes that answer. The future tells whether any of them had it held; it fails if too few answered, and
     * what was freed then stays free.
     */
    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return engine.forceRelease(name);
    }

    @Override
    public void stop(Duration timeout) {
        engine.stop(timeout);
    }

    /** Stops without waiting for holders: what is still held is released and reported as lost. */
    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    @Override
    public EngineCounters counters() {
        return engine.counters();
    }

    @Override
    public EngineSnapshot snapshot() {
        return engine.snapshot();
    }

    /** Fails: several servers have no one answer to who is inside. {@link #nodes()} tells of each. */
    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return engine.inspect(name);
    }

    /** How many names this process holds or waits for at present. */
    public int activeNames() {
        return engine.activeNames();
    }

    /** What is known of each node, in the order of the configuration; asks nobody. */
    public List<QuorumNodeState> nodes() {
        return port.nodeStates();
    }

    /**
     * Asks each node now, and tells what is known of it then. The future completes after the time per node at the latest, and not
     * with a failure.
     */
    public CompletableFuture<List<QuorumNodeState>> checkNodes() {
        return port.askNodes();
    }

    /** How many nodes have to answer for a lock to be got. */
    public int nodesNeeded() {
        return settings.mode().needed(port.nodeStates().size());
    }
}
