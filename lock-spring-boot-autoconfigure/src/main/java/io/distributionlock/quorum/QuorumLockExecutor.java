package io.distributionlock.quorum;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.MessageText;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.redis.RedisCommandPort;
import io.distributionlock.redis.RedisPortSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Locks that are kept in several independent Redis servers, and held by whom a majority of them, or all, say so. A server that
 * loses its data, or is away, frees no lock.
 *
 * <p>The kind {@link io.distributionlock.LockKind#REENTRANT} only: there is no queue over several servers, and so no order.
 *
 * <p>A lock counts as locked ({@link #isLocked}) if a quorum of the nodes say so. {@link #forceRelease} frees it at all nodes that
 * answer and tells whether any of them had it held; it fails if too few answered, and what was freed then stays free.
 * {@link #inspect} fails: several servers have no one answer to who is inside; {@link #nodes()} tells of each.
 *
 * <p>Thread-safe. Connects in the background. {@link #stop} ends its threads and its subscriptions.
 */
public final class QuorumLockExecutor extends EngineLockExecutor {

    private static final Log log = LogFactory.getLog(QuorumLockExecutor.class);

    /** For the way through threads and queues of this process. */
    private static final Duration SLACK = Duration.ofMillis(500);

    /** That of the present engine. */
    private final AtomicReference<QuorumCommandPort> port;

    private final QuorumSettings settings;
    private final AtomicBoolean warnedOfLongLease = new AtomicBoolean();

    /**
     * @param keyPrefix what every key and channel begins with; the same in all processes
     * @param engineSettings the times of this process; the command timeout is replaced by what the nodes may take together
     * @throws IllegalArgumentException if there is no node, or one twice
     */
    public QuorumLockExecutor(
            List<QuorumNode> nodes, QuorumSettings settings, String keyPrefix, EngineSettings engineSettings) {
        this(nodes, settings, keyPrefix, engineSettings, new AtomicReference<>());
    }

    private QuorumLockExecutor(
            List<QuorumNode> nodes,
            QuorumSettings settings,
            String keyPrefix,
            EngineSettings engineSettings,
            AtomicReference<QuorumCommandPort> port) {
        super(withTimeForAllNodes(engineSettings, settings), present -> {
            QuorumCommandPort fresh = port(nodes, settings, keyPrefix, present.instance());
            LockEngine engine = LockEngine.start(fresh, present);
            fresh.warmUp();
            port.set(fresh);
            return engine;
        });
        this.port = port;
        this.settings = settings;
        warnOfForgetfulNodes(settings);
    }

    private static QuorumCommandPort port(
            List<QuorumNode> nodes, QuorumSettings settings, String keyPrefix, String instance) {
        requireDifferent(nodes);
        warnOfEvenNumber(nodes.size(), settings);
        Alarm alarm = new SystemAlarm();
        RedisPortSettings portSettings = RedisPortSettings.of(keyPrefix, instance);
        List<Node> reached = new ArrayList<>();
        for (QuorumNode node : nodes) {
            NodePort nodePort = new RedisNodePort(new RedisCommandPort(node.template(), portSettings));
            reached.add(new Node(node.label(), nodePort, settings, alarm));
        }
        return new QuorumCommandPort(
                reached, settings, alarm, () -> ThreadLocalRandom.current().nextDouble());
    }

    private static void warnOfForgetfulNodes(QuorumSettings settings) {
        if (settings.restartDelay().isZero()) {
            log.warn("A node that is started again without its data counts at once and could give away what is held."
                    + " Set distribution-lock.quorum.restart-delay to the longest lease, unless the nodes write"
                    + " every command to disk or are brought back by hand after that time.");
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
        return given.withCommandTimeout(together);
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        warnOfLongLease(request);
        return super.acquire(request, owner);
    }

    private void warnOfLongLease(LockRequest request) {
        Duration delay = settings.restartDelay();
        if (!delay.isZero()
                && request.holdLockTime().compareTo(delay) > 0
                && warnedOfLongLease.compareAndSet(false, true)) {
            log.warn("Lock '" + MessageText.of(request.name()) + "' has leases of "
                    + request.holdLockTime().toMillis()
                    + " ms, longer than distribution-lock.quorum.restart-delay (" + delay.toMillis()
                    + " ms): a node that is started again empty could give it to another meanwhile. Make the delay"
                    + " longer than the longest lease. This is told once.");
        }
    }

    /** What is known of each node, in the order of the configuration; asks nobody. */
    public List<QuorumNodeState> nodes() {
        return present().nodeStates();
    }

    /**
     * Asks each node now, and tells what is known of it then. The future completes after the time per node at the latest, and not
     * with a failure.
     */
    public CompletableFuture<List<QuorumNodeState>> checkNodes() {
        return present().askNodes();
    }

    private QuorumCommandPort present() {
        return Objects.requireNonNull(port.get());
    }

    /** How many nodes have to answer for a lock to be got. */
    public int nodesNeeded() {
        return settings.mode().needed(nodes().size());
    }
}
