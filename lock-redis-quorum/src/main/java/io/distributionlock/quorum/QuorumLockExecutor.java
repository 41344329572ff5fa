package io.distributionlock.quorum;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.monitor.MonitoredLockExecutor;
import io.distributionlock.redis.RedisCommandPort;
import io.distributionlock.redis.RedisLockExecutor;
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
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Locks over several independent Redis servers (nodes). A client holds a lock once a quorum of the nodes, a majority or all, has
 * granted it, so a node that is down or has lost its data frees no lock.
 *
 * <p>Only {@link io.distributionlock.LockKind#REENTRANT} is supported: several nodes have no common queue, and so no order.
 *
 * <p>{@link #isLocked} returns whether a quorum of the nodes has the lock held. {@link #forceRelease} releases it at every node that
 * answers and returns whether any had it held; it fails if too few nodes answered, and does not undo what it released.
 * {@link #inspect} always fails, because the nodes may disagree about the holder; {@link #nodes()} describes each node.
 *
 * <p>Thread-safe. Connects in the background. {@link #stop} ends its threads and subscriptions.
 */
public final class QuorumLockExecutor extends MonitoredLockExecutor {

    private static final Log log = LogFactory.getLog(QuorumLockExecutor.class);

    /** Margin for thread switches and queues in this process. */
    private static final Duration SLACK = Duration.ofMillis(500);

    /** The port of the present engine. */
    private final AtomicReference<QuorumCommandPort> port;

    private final List<QuorumNode> configuredNodes;
    private final QuorumSettings settings;
    private final String keyPrefix;
    private final EngineSettings settingsOfOneNode;
    private final AtomicBoolean warnedOfLongLease = new AtomicBoolean();

    /**
     * @param keyPrefix the prefix of every key and channel; the same in all processes
     * @param engineSettings the times of this process; the command timeout is replaced by one that all nodes together need
     * @throws IllegalArgumentException if there is no node, or two have the same label
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
        super(started(withTimeForAllNodes(engineSettings, settings), present -> {
            QuorumCommandPort fresh =
                    port(nodes, settings, engineSettings.commandTimeout(), keyPrefix, present.instance());
            LockEngine engine = LockEngine.start(fresh, present);
            fresh.warmUp();
            port.set(fresh);
            return engine;
        }));
        this.port = port;
        this.configuredNodes = List.copyOf(nodes);
        this.settings = settings;
        this.keyPrefix = keyPrefix;
        this.settingsOfOneNode = engineSettings;
        warnOfMissingRestartDelay(settings);
    }

    private static EngineLockExecutor started(EngineSettings settings, Function<EngineSettings, LockEngine> starter) {
        EngineLockExecutor locks = new EngineLockExecutor(settings, starter);
        locks.engine();
        return locks;
    }

    private static QuorumCommandPort port(
            List<QuorumNode> nodes, QuorumSettings settings, Duration patience, String keyPrefix, String instance) {
        requireDifferent(nodes);
        warnOfEvenNumber(nodes.size(), settings);
        Scheduler scheduler = new SystemScheduler();
        RedisPortSettings portSettings = RedisPortSettings.of(keyPrefix, instance);
        List<Node> reached = new ArrayList<>();
        for (QuorumNode node : nodes) {
            CommandPort nodePort = new RedisCommandPort(node.template(), portSettings);
            reached.add(new Node(node.label(), nodePort, settings, patience, scheduler));
        }
        return new QuorumCommandPort(
                reached, settings, scheduler, () -> ThreadLocalRandom.current().nextDouble());
    }

    private static void warnOfMissingRestartDelay(QuorumSettings settings) {
        if (settings.restartDelay().isZero()) {
            log.warn("A node that restarts without its data counts at once and could grant a lock that is held."
                    + " Set distribution-lock.quorum.restart-delay to the longest lease, unless every node writes"
                    + " each command to disk, or is restarted by hand after that time only.");
        }
    }

    private static void requireDifferent(List<QuorumNode> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(
                    "There are no quorum nodes: configure at least one, better three or five.");
        }
        Set<String> labels = new HashSet<>();
        for (QuorumNode node : nodes) {
            if (!labels.add(node.label())) {
                throw new IllegalArgumentException(
                        "Quorum node '" + node.label() + "' is configured twice and would have two votes: remove one.");
            }
        }
    }

    private static void warnOfEvenNumber(int nodes, QuorumSettings settings) {
        if (settings.mode() == QuorumMode.MAJORITY && nodes % 2 == 0) {
            log.warn("The quorum has " + nodes + " nodes, of which "
                    + settings.mode().needed(nodes)
                    + " must agree: it tolerates no more failed nodes than one of " + (nodes - 1)
                    + ". Use an odd number.");
        }
    }

    /**
     * An attempt is a delay and two rounds of commands to all nodes, the first of which may have to connect. With a slow majority, each takes
     * as long as a command to a single Redis may.
     */
    private static EngineSettings withTimeForAllNodes(EngineSettings given, QuorumSettings settings) {
        Duration round = longest(given.commandTimeout(), settings.nodeTimeout());
        Duration together = round.plus(longest(round, Node.firstCommandTimeout()))
                .plus(settings.retryDelay().multipliedBy(3))
                .plus(SLACK);
        return given.withCommandTimeout(together);
    }

    private static Duration longest(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        warnOfLongLease(request);
        return super.acquire(request, owner);
    }

    private void warnOfLongLease(LockRequest request) {
        Duration delay = settings.restartDelay();
        if (!delay.isZero()
                && request.leaseTime().compareTo(delay) > 0
                && warnedOfLongLease.compareAndSet(false, true)) {
            log.warn("Lock '" + MessageText.of(request.name()) + "' has a lease of "
                    + request.leaseTime().toMillis()
                    + " ms, longer than distribution-lock.quorum.restart-delay (" + delay.toMillis()
                    + " ms): a node that restarts empty could grant the lock to another client meanwhile. Make the"
                    + " delay longer than the longest lease. This is logged once.");
        }
    }

    /** Returns the last known state of each node, in the order of the configuration; sends no command. */
    public List<QuorumNodeState> nodes() {
        return present().nodeStates();
    }

    /**
     * Asks each node now and returns the state of all. The future never fails. It completes after one node timeout; later, within the command
     * timeout, if a node is only slow or was never asked before.
     */
    public CompletableFuture<List<QuorumNodeState>> checkNodes() {
        return OffloadedFuture.of(present().askNodes());
    }

    List<QuorumNode> configuredNodes() {
        return configuredNodes;
    }

    /** Locks at this node only, as if it were the only Redis. The caller closes it. */
    RedisLockExecutor executorOf(QuorumNode node) {
        return new RedisLockExecutor(node.template(), keyPrefix, settingsOfOneNode.withInstance(InstanceName.create()));
    }

    boolean asksForUptime() {
        return settings.leastUptimeSeconds() > 0;
    }

    private QuorumCommandPort present() {
        return Objects.requireNonNull(port.get());
    }

    /** Returns how many nodes must grant a lock for it to be acquired. */
    public int nodesNeeded() {
        return settings.mode().needed(nodes().size());
    }
}
