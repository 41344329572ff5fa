package io.distributionlock.observation;

import io.distributionlock.LockBackendException;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.internal.Internal;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.leader.LeaderTerm;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.monitor.LockSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code distributionlocks}: the locks that this process holds and waits for, and the state of one lock in the
 * backend. Numbers that JavaScript cannot represent exactly are strings.
 *
 * @hidden
 */
@Internal
@Endpoint(id = "distributionlocks")
public final class LocksEndpoint {

    /** How many locks, and how many attempts, are listed unless the caller asks for another number. */
    static final int LIMIT = 1_000;

    private final Supplier<Map<String, LockMonitor>> engines;
    private final Supplier<Collection<LeaderElection>> elections;
    private final boolean enabled;

    /**
     * @param engines by the names of their beans
     * @param elections in which this process stands
     * @param enabled whether locking is enabled
     */
    public LocksEndpoint(
            Supplier<Map<String, LockMonitor>> engines,
            Supplier<Collection<LeaderElection>> elections,
            boolean enabled) {
        this.engines = engines;
        this.elections = elections;
        this.enabled = enabled;
    }

    /**
     * The locks that this process holds and waits for; costs no command.
     *
     * @param name selects one lock instead, as {@link #lock} does; for names that a path cannot contain
     * @param prefix of the names to list; absent for all
     * @param limit how many to list of each executor, of what is held and of what is waited for; absent for {@value #LIMIT}
     */
    @ReadOperation
    // The return type does not tell a native image which types become JSON.
    @RegisterReflectionForBinding({AllLocks.class, LockReport.class})
    public Object locks(
            @org.springframework.lang.Nullable @Nullable String name,
            @org.springframework.lang.Nullable @Nullable String prefix,
            @org.springframework.lang.Nullable @Nullable Integer limit) {
        if (name != null) {
            return inspect(name);
        }
        Selection selection = new Selection(prefix == null ? "" : prefix, limit == null ? LIMIT : Math.max(limit, 0));
        Instant now = Instant.now();
        Map<String, ProcessLocks> executors = new TreeMap<>();
        engines.get()
                .forEach((bean, engine) -> executors.put(bean, ProcessLocks.of(engine.snapshot(), selection, now)));
        Map<String, Election> byName = new TreeMap<>();
        elections.get().forEach(election -> byName.put(election.name(), Election.of(election)));
        return new AllLocks(enabled, executors, byName);
    }

    /** The state of one lock in the backend. A slash in its name needs no escaping. */
    @ReadOperation
    public LockReport lock(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        try {
            return inspect(RequestedName.of(path));
        } catch (IllegalArgumentException misread) {
            String problem = String.valueOf(misread.getMessage());
            throw new InvalidEndpointRequestException(problem, problem);
        }
    }

    private LockReport inspect(String name) {
        Map<String, LockInBackend> executors = new TreeMap<>();
        engines.get().forEach((bean, engine) -> executors.put(bean, inspect(engine, name)));
        return new LockReport(name, enabled, executors);
    }

    private static LockInBackend inspect(LockMonitor engine, String name) {
        try {
            return LockInBackend.of(Await.uninterruptibly(engine.inspect(name)), engine.instance());
        } catch (CompletionException e) {
            return LockInBackend.unknown(String.valueOf(expected(e).getMessage()));
        }
    }

    /** What a backend fails with if it cannot be reached or cannot tell; throws all else. */
    static RuntimeException expected(CompletionException failure) {
        if (failure.getCause() instanceof LockBackendException unreachable) {
            return unreachable;
        }
        if (failure.getCause() instanceof UnsupportedOperationException unable) {
            return unable;
        }
        throw failure;
    }

    /**
     * The locks of this process.
     *
     * @param enabled whether locking is enabled
     * @param executors by bean name
     * @param elections in which this process stands, by name
     */
    public record AllLocks(boolean enabled, Map<String, ProcessLocks> executors, Map<String, Election> elections) {}

    /**
     * An election in which this process stands.
     *
     * @param lock the lock that the leader holds; ask for it to see which process leads
     * @param leads whether this process leads
     * @param fencingToken the fencing token of its term; {@code null} if it does not lead
     */
    public record Election(
            String lock, boolean leads, @Nullable String fencingToken) {

        static Election of(LeaderElection election) {
            LeaderTerm term = election.term().orElse(null);
            return new Election(
                    election.lockName(), term != null, term == null ? null : Long.toString(term.fencingToken()));
        }
    }

    /** Which locks are listed. */
    private record Selection(String prefix, int limit) {

        <T> List<T> of(List<T> all, Function<T, String> name) {
            return all.stream()
                    .filter(one -> name.apply(one).startsWith(prefix))
                    .limit(limit)
                    .toList();
        }
    }

    /**
     * The locks of this process in one executor.
     *
     * @param instance the name of this process in the backend
     * @param holds how many leases it has, also those that are not listed
     * @param waits how many attempts wait, also those that are not listed
     */
    public record ProcessLocks(String instance, int holds, int waits, List<Held> held, List<Waiting> waiting) {

        static ProcessLocks of(LockSnapshot all, Selection listed, Instant now) {
            return new ProcessLocks(
                    all.instance(),
                    all.held().size(),
                    all.waiting().size(),
                    listed.of(all.held(), LockSnapshot.HeldLease::lockName).stream()
                            .map(lease -> Held.of(lease, now))
                            .toList(),
                    listed.of(all.waiting(), LockSnapshot.WaitingAttempt::lockName).stream()
                            .map(attempt -> Waiting.of(attempt, now))
                            .toList());
        }
    }

    /**
     * A lease of this process.
     *
     * @param fencingToken its fencing token; {@code null} if none was drawn
     */
    public record Held(
            String name,
            String key,
            String kind,
            String owner,
            String claim,
            Instant since,
            long leaseLeftMillis,
            boolean renewed,
            @Nullable String fencingToken) {

        static Held of(LockSnapshot.HeldLease lease, Instant now) {
            return new Held(
                    lease.lockName(),
                    lease.label(),
                    lease.kind().name(),
                    lease.owner(),
                    lease.claim(),
                    now.minus(lease.heldFor()),
                    lease.leaseLeft().toMillis(),
                    lease.renewed(),
                    lease.fencingToken() == 0 ? null : Long.toString(lease.fencingToken()));
        }
    }

    /** An attempt of this process. */
    public record Waiting(String name, String key, String kind, String owner, Instant since) {

        static Waiting of(LockSnapshot.WaitingAttempt attempt, Instant now) {
            return new Waiting(
                    attempt.lockName(),
                    attempt.label(),
                    attempt.kind().name(),
                    attempt.owner(),
                    now.minus(attempt.waited()));
        }
    }

    /**
     * One lock.
     *
     * @param executors its state in each executor, by bean name
     */
    public record LockReport(String name, boolean enabled, Map<String, LockInBackend> executors) {}

    /**
     * One lock in one executor.
     *
     * @param locked whether the lock is held, or {@code null} if unknown
     * @param holders the current holders
     * @param waiting the number of waiters
     * @param queue the first waiters, in their order
     * @param fencingToken the first token of the last ownership that drew one; {@code null} if none is known
     * @param problem why the state is unknown
     */
    public record LockInBackend(
            @Nullable Boolean locked,
            List<Holder> holders,
            long waiting,
            List<Waiter> queue,
            @Nullable String fencingToken,
            @Nullable String problem) {

        static LockInBackend of(LockInspection inspection, String here) {
            List<Waiter> queue = new ArrayList<>();
            for (String claim : inspection.queue()) {
                queue.add(new Waiter(queue.size() + 1, claim, ClaimIds.isOf(here, claim)));
            }
            return new LockInBackend(
                    !inspection.inside().isEmpty(),
                    inspection.inside().stream()
                            .map(inside -> Holder.of(inside, here))
                            .toList(),
                    inspection.waiting(),
                    queue,
                    inspection.lastFencingToken() == 0 ? null : Long.toString(inspection.lastFencingToken()),
                    null);
        }

        static LockInBackend unknown(String problem) {
            return new LockInBackend(null, List.of(), 0, List.of(), null, problem);
        }
    }

    /**
     * A holder.
     *
     * @param claim {@code <instance>:<number>}
     * @param here whether it belongs to this process
     * @param permits how many permits there were for it when it was admitted; {@code null} if this is a lock
     * @param reads whether it shares the lock with other readers
     * @param minHold whether its work has ended and the lock stays held only for its minimum hold time
     * @param leaseLeftMillis remaining lease time; {@code null} if the key has no TTL (edited by hand)
     */
    public record Holder(
            String claim,
            boolean here,
            @Nullable Integer permits,
            boolean reads,
            boolean minHold,
            @Nullable Long leaseLeftMillis) {

        static Holder of(LockInspection.Inside inside, String here) {
            Duration left = inside.leaseLeft();
            return new Holder(
                    inside.claim(),
                    ClaimIds.isOf(here, inside.claim()),
                    inside.permits() == 0 ? null : inside.permits(),
                    inside.reads(),
                    inside.minHold(),
                    left == null ? null : left.toMillis());
        }
    }

    /**
     * A waiter.
     *
     * @param position its place in the queue, from 1
     * @param claim {@code <instance>:<number>}
     * @param here whether it belongs to this process
     */
    public record Waiter(int position, String claim, boolean here) {}
}
