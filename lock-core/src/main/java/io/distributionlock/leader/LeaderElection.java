package io.distributionlock.leader;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.event.LeadershipGrantedEvent;
import io.distributionlock.event.LeadershipRevokedEvent;
import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.ElectionLocks;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockMonitor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;

/**
 * Elects one of all instances that stand under this name: the holder of the lock {@code leader:<name>}. The others wait in its queue,
 * so that one of them leads as soon as the leader stops, or when its lease expires after a crash.
 *
 * <p>As a bean, it starts and stops with the application, and publishes {@link LeadershipGrantedEvent} and
 * {@link LeadershipRevokedEvent}. Elsewhere, call {@link #start} and {@link #stop()}. An election stands again after each term that has
 * ended, until it stops.
 *
 * <p>Two instances never lead at once by a valid lease. An instance that was frozen does not know that its lease has expired until it
 * looks at its clock again: let what the leader writes to check {@link LeaderTerm#fencingToken()}.
 *
 * <p>Thread-safe. Waiting for leadership holds no thread.
 */
public final class LeaderElection implements SmartLifecycle, ApplicationEventPublisherAware, AutoCloseable {

    /** The length of the lease unless an election says otherwise. */
    public static final Duration DEFAULT_LEASE_TIME = Duration.ofSeconds(15);

    private static final Log log = LogFactory.getLog(LeaderElection.class);

    private static final Executor STOPS = DaemonThreads.each("distribution-lock-leader-stop");

    private final String name;
    private final LockTemplate locks;
    private final LockRequest request;
    private final List<LeaderListener> listeners = new CopyOnWriteArrayList<>(List.of(new EventPublisher()));
    private volatile ApplicationEventPublisher publisher = event -> {};
    private final AtomicReference<@Nullable LeaderCandidate> candidate = new AtomicReference<>();

    /** An election with the {@linkplain #DEFAULT_LEASE_TIME default lease}. */
    public LeaderElection(LockTemplate locks, String name) {
        this(locks, name, DEFAULT_LEASE_TIME);
    }

    /**
     * An election that is not started.
     *
     * @param locks where the lock is kept
     * @param name the same for all instances of which one leads
     * @param leaseTime how long the others wait after a crash of the leader. A leader that cannot renew its lease stops after two thirds
     *     of this time
     */
    public LeaderElection(LockTemplate locks, String name, Duration leaseTime) {
        Arguments.require("the LockTemplate of a LeaderElection", locks);
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException(
                    "The name of a LeaderElection is null or blank. Use a text that says what" + " the leader does.");
        }
        this.name = name;
        this.locks = locks;
        this.request = LockRequest.named(ElectionLocks.PREFIX + name)
                .tryLockTime(LockRequest.FOREVER)
                .renewedLease(leaseTime)
                .maxHoldTime(null)
                .fenced()
                .label(ElectionLocks.PREFIX + name)
                .build();
    }

    /** The name of the election. */
    public String name() {
        return name;
    }

    /** The name of the lock that the leader holds. */
    public String lockName() {
        return request.name();
    }

    /**
     * Whether this instance leads: it holds a lease that is valid by the local monotonic clock, and has not begun to stop. Costs no
     * command. The answer can be outdated at once, as for {@link io.distributionlock.Lease#isValid()}.
     */
    public boolean isLeader() {
        return term().isPresent();
    }

    /** The present term of this instance; empty if it does not lead. */
    public Optional<LeaderTerm> term() {
        LeaderCandidate present = candidate.get();
        return Optional.ofNullable(present == null ? null : present.term());
    }

    /**
     * Asks the backend which instance leads, by its name in the backend, {@code <host>-<pid>-<random>}; empty if none does. The future
     * completes exceptionally with a {@link LockBackendException} if the backend fails, and with an
     * {@link UnsupportedOperationException} if it cannot tell, as a quorum.
     */
    public CompletableFuture<Optional<String>> leader() {
        if (!(locks.executor().backend() instanceof LockMonitor monitor)) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("The executor of election '"
                    + MessageText.of(name) + "' cannot tell who holds lock '" + MessageText.of(lockName()) + "'."));
        }
        return OffloadedFuture.of(monitor.inspect(lockName()).thenApply(LeaderElection::holder));
    }

    private static Optional<String> holder(LockInspection lock) {
        return lock.inside().stream()
                .map(LockInspection.Inside::claim)
                .map(ClaimIds::instanceOf)
                .findFirst();
    }

    /** Adds a listener, which is told of the terms that begin or end from now on. */
    public void addListener(LeaderListener listener) {
        listeners.add(Arguments.require("the listener of election '" + MessageText.of(name) + "'", listener));
    }

    /** Publishes events there as well. */
    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher applicationPublisher) {
        publisher = applicationPublisher;
    }

    /** Stands for election. Does not block; does nothing if already started. */
    @Override
    public void start() {
        LeaderCandidate next = new LeaderCandidate(name, locks, request, new AllListeners());
        if (candidate.compareAndSet(null, next)) {
            next.stand();
        }
    }

    /**
     * Stops leading and waiting. Blocks until the listeners have returned, for at most one lease time, and the lock is released, for at
     * most the command timeout; the next instance leads from then on. Called by one of its listeners, it does not wait: they are told of
     * the end, and the lock is released, when that one has returned. Does nothing if already stopped.
     */
    @Override
    public void stop() {
        LeaderCandidate last = candidate.getAndSet(null);
        if (last != null) {
            last.stop(request.leaseTime());
        }
    }

    /** As {@link #stop()}, on another thread. */
    @Override
    public void stop(Runnable callback) {
        STOPS.execute(() -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        });
    }

    /** As {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    @Override
    public boolean isRunning() {
        return candidate.get() != null;
    }

    /** Starts before and stops after what has the default phase: schedulers and message listeners, which may work for the leader. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }

    @Override
    public String toString() {
        return "LeaderElection '" + MessageText.of(name) + "'" + (isLeader() ? ", leads" : ", does not lead");
    }

    /** Isolates the listeners from each other. */
    private final class AllListeners implements LeaderListener {

        @Override
        public void onGranted(LeaderTerm term) {
            for (LeaderListener listener : listeners) {
                guard(() -> listener.onGranted(term));
            }
        }

        @Override
        public void onRevoked(LeaderTerm term) {
            for (LeaderListener listener : listeners) {
                guard(() -> listener.onRevoked(term));
            }
        }

        private void guard(Runnable call) {
            try {
                call.run();
            } catch (Throwable e) {
                log.warn("A listener of election '" + MessageText.of(name) + "' failed", e);
            }
        }
    }

    /** Publishes on the calling thread: the lock is released only after {@code @EventListener} methods have returned as well. */
    private final class EventPublisher implements LeaderListener {

        @Override
        public void onGranted(LeaderTerm term) {
            publisher.publishEvent(new LeadershipGrantedEvent(name, tokenOf(term)));
        }

        @Override
        public void onRevoked(LeaderTerm term) {
            publisher.publishEvent(new LeadershipRevokedEvent(name, tokenOf(term), !term.isValid()));
        }

        private long tokenOf(LeaderTerm term) {
            return term.lease().knownFencingToken().orElse(0);
        }
    }
}
