package io.distributionlock.observe;

import io.distributionlock.Await;
import io.distributionlock.LockBackendException;
import io.distributionlock.engine.EngineSnapshot;
import io.distributionlock.engine.EngineView;
import io.distributionlock.engine.LockInspection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code distributionlocks}: what this process holds and waits for, and what the backend knows of one lock.
 * Numbers that JavaScript could not hold exactly are texts.
 */
@Endpoint(id = "distributionlocks")
public final class LocksEndpoint {

    private final Supplier<Map<String, EngineView>> engines;
    private final boolean enabled;

    /**
     * @param engines what is shown, by the names of their beans
     * @param enabled whether anything is locked at all
     */
    public LocksEndpoint(Supplier<Map<String, EngineView>> engines, boolean enabled) {
        this.engines = engines;
        this.enabled = enabled;
    }

    /**
     * What this process holds and waits for, which costs no command.
     *
     * @param name asks for one lock instead, as {@link #lock} does; for names that a path cannot hold
     */
    @ReadOperation
    // Its own return type does not tell a native image what becomes JSON.
    @RegisterReflectionForBinding({AllLocks.class, LockReport.class})
    public Object locks(@org.springframework.lang.Nullable @Nullable String name) {
        if (name != null) {
            return inspect(name);
        }
        Instant now = Instant.now();
        Map<String, ProcessLocks> executors = new TreeMap<>();
        engines.get().forEach((bean, engine) -> executors.put(bean, ProcessLocks.of(engine.snapshot(), now)));
        return new AllLocks(enabled, executors);
    }

    /** What the backend knows of one lock. A slash in its name may stand as it is. */
    @ReadOperation
    public LockReport lock(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        return inspect(String.join("/", name));
    }

    private LockReport inspect(String name) {
        Map<String, LockInBackend> executors = new TreeMap<>();
        engines.get().forEach((bean, engine) -> executors.put(bean, inspect(engine, name)));
        return new LockReport(name, enabled, executors);
    }

    private static LockInBackend inspect(EngineView engine, String name) {
        try {
            return LockInBackend.of(Await.uninterruptibly(engine.inspect(name)), engine.snapshot());
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof LockBackendException || cause instanceof UnsupportedOperationException) {
                return LockInBackend.unknown(String.valueOf(cause.getMessage()));
            }
            throw e;
        }
    }

    /**
     * The locks of this process.
     *
     * @param enabled whether anything is locked at all
     * @param executors by the names of the beans that keep the locks
     */
    public record AllLocks(boolean enabled, Map<String, ProcessLocks> executors) {}

    /**
     * The locks of this process in one place.
     *
     * @param instance how this process is named there
     */
    public record ProcessLocks(String instance, List<Held> held, List<Waiting> waiting) {

        static ProcessLocks of(EngineSnapshot snapshot, Instant now) {
            return new ProcessLocks(
                    snapshot.instance(),
                    snapshot.held().stream().map(lease -> Held.of(lease, now)).toList(),
                    snapshot.waiting().stream()
                            .map(attempt -> Waiting.of(attempt, now))
                            .toList());
        }
    }

    /** A lease of this process. */
    public record Held(
            String name,
            String key,
            String kind,
            String owner,
            String claim,
            Instant since,
            long leaseLeftMillis,
            boolean renewed,
            String fencingToken) {

        static Held of(EngineSnapshot.HeldLease lease, Instant now) {
            return new Held(
                    lease.lockName(),
                    lease.label(),
                    lease.kind().name(),
                    lease.owner(),
                    lease.claim(),
                    now.minus(lease.heldFor()),
                    lease.leaseLeft().toMillis(),
                    lease.renewed(),
                    Long.toString(lease.fencingToken()));
        }
    }

    /** An attempt of this process. */
    public record Waiting(String name, String key, String kind, String owner, Instant since) {

        static Waiting of(EngineSnapshot.WaitingAttempt attempt, Instant now) {
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
     * @param executors what is known of it, by the names of the beans that keep locks
     */
    public record LockReport(String name, boolean enabled, Map<String, LockInBackend> executors) {}

    /**
     * One lock in one place.
     *
     * @param locked whether anybody is inside, or {@code null} if that is not known
     * @param holders who is inside
     * @param waiting how many wait
     * @param queue who waits, the first of them, in their order
     * @param fencingToken the least token of the last tenure
     * @param problem why nothing is known
     */
    public record LockInBackend(
            @Nullable Boolean locked,
            List<Holder> holders,
            long waiting,
            List<Waiter> queue,
            @Nullable String fencingToken,
            @Nullable String problem) {

        static LockInBackend of(LockInspection inspection, EngineSnapshot here) {
            List<Waiter> queue = new ArrayList<>();
            for (String claim : inspection.queue()) {
                queue.add(new Waiter(queue.size() + 1, claim, isOf(here, claim)));
            }
            return new LockInBackend(
                    !inspection.inside().isEmpty(),
                    inspection.inside().stream()
                            .map(inside -> Holder.of(inside, here))
                            .toList(),
                    inspection.waiting(),
                    queue,
                    Long.toString(inspection.lastFencingToken()),
                    null);
        }

        static LockInBackend unknown(String problem) {
            return new LockInBackend(null, List.of(), 0, List.of(), null, problem);
        }

        private static boolean isOf(EngineSnapshot here, String claim) {
            return claim.startsWith(here.instance() + ":");
        }
    }

    /**
     * Who is inside.
     *
     * @param claim {@code <instance>:<number>}
     * @param here whether it is this process
     * @param reads whether others may read beside it
     * @param kept whether its work has ended, and the lock only stays taken for its minimum time
     * @param leaseLeftMillis how long yet, {@code null} without an end
     */
    public record Holder(
            String claim,
            boolean here,
            boolean reads,
            boolean kept,
            @Nullable Long leaseLeftMillis) {

        static Holder of(LockInspection.Inside inside, EngineSnapshot here) {
            Duration left = inside.leaseLeft();
            return new Holder(
                    inside.claim(),
                    LockInBackend.isOf(here, inside.claim()),
                    inside.reads(),
                    inside.kept(),
                    left == null ? null : left.toMillis());
        }
    }

    /**
     * Who waits.
     *
     * @param position its place in the queue, from 1
     * @param claim {@code <instance>:<number>}
     * @param here whether it is this process
     */
    public record Waiter(int position, String claim, boolean here) {}
}
