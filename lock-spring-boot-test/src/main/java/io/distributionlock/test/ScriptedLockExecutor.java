package io.distributionlock.test;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.DelegatingLockExecutor.DelegatingLease;
import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.MessageText;
import io.distributionlock.local.LocalLockExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An executor whose outcomes the test decides. Locks without a script are real, but guard this process only. A scripted outcome comes
 * at once: "busy" takes no waiting time.
 *
 * <p>The latest script applies. Thread-safe.
 *
 * <pre>{@code
 * locks.when("updateOrderStatus:A1001").busy();          // each attempt for this lock
 * locks.whenNext("updateOrderStatus:A1001").backendFails();  // only the next one
 * locks.whenAny().interrupted();                         // whatever is asked for
 * }</pre>
 */
public final class ScriptedLockExecutor extends DelegatingLockExecutor implements AutoCloseable {

    private static final Duration MAX_LOSS = Duration.ofSeconds(30);

    private final LocalLockExecutor real;
    private final List<Script> scripts = new CopyOnWriteArrayList<>();
    private final List<LockRequest> requests = new CopyOnWriteArrayList<>();
    private final Set<ScriptedLease> leases = ConcurrentHashMap.newKeySet();

    /** Locks in this process where no script applies. */
    public ScriptedLockExecutor() {
        this(new LocalLockExecutor());
    }

    private ScriptedLockExecutor(LocalLockExecutor real) {
        super(real);
        this.real = real;
    }

    /** Says how each attempt for the lock of this name ends, from now on. */
    public Answer when(String name) {
        return new Answer(request -> request.name().equals(name), false);
    }

    /** Says how the next attempt for the lock of this name ends. */
    public Answer whenNext(String name) {
        return new Answer(request -> request.name().equals(name), true);
    }

    /** Says how every attempt ends, from now on. */
    public Answer whenAny() {
        return new Answer(request -> true, false);
    }

    /** Says how each attempt ends that asks for such a lock, from now on. */
    public Answer when(Predicate<? super LockRequest> asks) {
        return new Answer(asks, false);
    }

    /**
     * Takes a lock away from its present holder: its lease is lost, as when it ran out. Blocks until the holder's lease is
     * invalid.
     *
     * @return whether anybody held the lock
     */
    public boolean lose(String name) {
        return lose(name, LossReason.EXPIRED);
    }

    /** As {@link #lose(String)}, for this reason. */
    public boolean lose(String name, LossReason reason) {
        List<ScriptedLease> taken =
                leases.stream().filter(lease -> lease.name().equals(name)).toList();
        taken.forEach(lease -> lease.willBeLostFor(reason));
        boolean wasHeld = Await.uninterruptibly(real.forceRelease(name));
        // The holder is told by a message, which may still be on its way.
        taken.forEach(ScriptedLockExecutor::awaitOver);
        return wasHeld;
    }

    private static void awaitOver(Lease lease) {
        long deadline = System.nanoTime() + MAX_LOSS.toNanos();
        while (lease.isValid()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("The lease of lock '" + MessageText.of(lease.name())
                        + "' is still valid " + MAX_LOSS.toSeconds() + " s after it was taken away");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** What was asked for since the start or the last {@link #reset()}, in order, scripted or not. */
    public List<LockRequest> requests() {
        return List.copyOf(requests);
    }

    /** The names of what was asked for, in order. */
    public List<String> names() {
        return requests.stream().map(LockRequest::name).toList();
    }

    /** Forgets scripts and requests. Locks that are held stay held. */
    public void reset() {
        scripts.clear();
        requests.clear();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        requests.add(request);
        Script script = scriptFor(request);
        return script == null
                ? acquireForReal(request, owner)
                : script.ending().of(request, () -> acquireForReal(request, owner));
    }

    private CompletableFuture<LockOutcome> acquireForReal(LockRequest request, LockOwner owner) {
        CompletableFuture<LockOutcome> attempt = real.acquire(request, owner);
        CompletableFuture<LockOutcome> remembered = attempt.thenApply(this::remember);
        remembered.whenComplete((outcome, failure) -> {
            // A caller that cancels does not hold the lock afterwards, also if it came at the same moment.
            if (remembered.isCancelled() && !attempt.cancel(true)) {
                attempt.thenAccept(ScriptedLockExecutor::release);
            }
        });
        return remembered;
    }

    private LockOutcome remember(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            leases.removeIf(lease -> !lease.isValid());
            ScriptedLease lease = new ScriptedLease(acquired.lease());
            leases.add(lease);
            return new LockOutcome.Acquired(lease);
        }
        return outcome;
    }

    private static void release(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            acquired.lease().releaseAsync();
        }
    }

    private @Nullable Script scriptFor(LockRequest request) {
        for (int i = scripts.size() - 1; i >= 0; i--) {
            Script script = scripts.get(i);
            // Of two attempts at the same time, only one takes away what is meant for one.
            if (script.asks().test(request) && (!script.once() || scripts.remove(script))) {
                return script;
            }
        }
        return null;
    }

    @Override
    public void close() {
        real.close();
    }

    /** A lease that is lost for the reason of a script. */
    private static final class ScriptedLease extends DelegatingLease {

        private volatile @Nullable LossReason scripted;

        ScriptedLease(Lease real) {
            super(real);
        }

        void willBeLostFor(LossReason reason) {
            scripted = reason;
        }

        @Override
        public LossReason lossReason() {
            LossReason reason = scripted;
            return reason == null ? super.lossReason() : reason;
        }
    }

    private record Script(Predicate<? super LockRequest> asks, boolean once, Ending ending) {

        /** Each script is itself only. */
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private interface Ending {
        CompletableFuture<LockOutcome> of(LockRequest request, Attempt real);
    }

    private interface Attempt {
        CompletableFuture<LockOutcome> begin();
    }

    /** How an attempt ends. */
    public final class Answer {

        private final Predicate<? super LockRequest> asks;
        private final boolean once;

        private Answer(Predicate<? super LockRequest> asks, boolean once) {
            this.asks = asks;
            this.once = once;
        }

        /** The lock is taken for real. */
        public void granted() {
            add((request, real) -> real.begin());
        }

        /** Somebody else held the lock for the whole waiting time. */
        public void busy() {
            answer(request -> new LockOutcome.Busy(request.tryLockTime()));
        }

        /** The waiting thread was interrupted. Its flag is not set. */
        public void interrupted() {
            answer(request -> new LockOutcome.Interrupted(Duration.ZERO));
        }

        /** The backend did not answer. */
        public void backendFails() {
            backendFails(new IllegalStateException("the test has scripted a failure of the backend"));
        }

        /** The backend failed like this. */
        public void backendFails(Throwable cause) {
            answer(request -> new LockOutcome.BackendFailed(Duration.ZERO, cause));
        }

        /** The lock is taken for real and lost at once, before the work begins. */
        public void grantedAndLost() {
            add((request, attempt) -> attempt.begin().thenCompose(outcome -> {
                if (!(outcome instanceof LockOutcome.Acquired acquired)
                        || !(acquired.lease() instanceof ScriptedLease lease)) {
                    return CompletableFuture.completedFuture(outcome);
                }
                lease.willBeLostFor(LossReason.EXPIRED);
                CompletableFuture<LockOutcome> lost = new CompletableFuture<>();
                lease.onLost(told -> lost.complete(outcome));
                return real.forceRelease(lease.name()).thenCompose(held -> lost);
            }));
        }

        private void answer(Function<LockRequest, LockOutcome> outcome) {
            add((request, real) -> CompletableFuture.completedFuture(outcome.apply(request)));
        }

        private void add(Ending ending) {
            scripts.add(new Script(asks, once, ending));
        }
    }
}
