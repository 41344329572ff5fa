package io.distributionlock.testing;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks in memory, records what happens, and answers the next attempt as scripted. Simple on purpose: fair, without
 * expiry, one monitor.
 */
public class ScriptedLockExecutor implements LockExecutor {

    private final Map<String, Holding> holdings = new HashMap<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private final Deque<LockOutcome> scripted = new ArrayDeque<>();
    private final List<LockRequest> requests = new CopyOnWriteArrayList<>();
    private final List<String> events;
    private final List<ScriptedLease> leases = new CopyOnWriteArrayList<>();
    private ReleaseResult nextRelease = ReleaseResult.RELEASED;
    private @Nullable List<CompletableFuture<ReleaseResult>> withheld;
    private volatile boolean confirms = true;
    private long fence;

    public ScriptedLockExecutor() {
        this(new CopyOnWriteArrayList<>());
    }

    /** Writes its events into a list that others write into as well. */
    public ScriptedLockExecutor(List<String> events) {
        this.events = events;
    }

    /** Answers the next attempt with this, whatever it asks for. */
    public synchronized ScriptedLockExecutor answerNext(LockOutcome outcome) {
        scripted.add(outcome);
        return this;
    }

    /** Answers the next release with this; the lock is released in any case. */
    public synchronized ScriptedLockExecutor nextRelease(ReleaseResult result) {
        nextRelease = result;
        return this;
    }

    /** Releases take place, but are not answered until {@link #answerReleases}. */
    public synchronized void withholdReleases() {
        withheld = new ArrayList<>();
    }

    /** From now on, no lease is confirmed, as if the backend did not answer. */
    public void confirmNothing() {
        confirms = false;
    }

    /** How many releases wait for their answer. */
    public synchronized int withheldReleases() {
        return withheld == null ? 0 : withheld.size();
    }

    /** Answers the releases that were withheld, whose number this returns. */
    public int answerReleases(ReleaseResult result) {
        List<CompletableFuture<ReleaseResult>> answers;
        synchronized (this) {
            answers = withheld == null ? List.of() : withheld;
            withheld = null;
        }
        answers.forEach(answer -> answer.complete(result));
        return answers.size();
    }

    private synchronized CompletableFuture<ReleaseResult> answered(ReleaseResult result) {
        if (withheld == null) {
            return CompletableFuture.completedFuture(result);
        }
        CompletableFuture<ReleaseResult> answer = new CompletableFuture<>();
        withheld.add(answer);
        return answer;
    }

    /** Acquires a lock for another owner. */
    public synchronized Lease occupy(String name) {
        LockRequest request = LockRequest.named(name).tryLockTime(Duration.ZERO).build();
        LockOutcome outcome = acquireNow(request, LockOwner.unique());
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return acquired.lease();
        }
        throw new IllegalStateException("Lock '" + name + "' is held already");
    }

    /** Everything that was asked for, in order. */
    public List<LockRequest> requests() {
        return requests;
    }

    /** The names of everything that was asked for, in order. */
    public List<String> names() {
        return requests.stream().map(LockRequest::name).toList();
    }

    /** What happened, in order: {@code lock NAME}, {@code unlock NAME}, and whatever a test adds. */
    public List<String> events() {
        return events;
    }

    /** The leases that were given out, in order. */
    public List<ScriptedLease> leases() {
        return leases;
    }

    public synchronized boolean isHeld(String name) {
        return holdings.containsKey(name);
    }

    public synchronized boolean nothingHeldOrWaiting() {
        return holdings.isEmpty() && waiters.isEmpty();
    }

    public synchronized int waiting() {
        return waiters.size();
    }

    @Override
    public synchronized CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        requests.add(request);
        LockOutcome answer = scripted.poll();
        if (answer == null) {
            answer = acquireNow(request, owner);
        }
        if (answer instanceof LockOutcome.Busy busy
                && !busy.byOwner()
                && !request.tryLockTime().isZero()
                && isHeld(request.name())) {
            return waitFor(request, owner);
        }
        return CompletableFuture.completedFuture(answer);
    }

    private LockOutcome acquireNow(LockRequest request, LockOwner owner) {
        Holding holding = holdings.get(request.name());
        if (holding != null && !holding.owner.equals(owner)) {
            return new LockOutcome.Busy(Duration.ZERO);
        }
        if (holding != null && request.refuseReentry()) {
            return new LockOutcome.Busy(Duration.ZERO, true);
        }
        if (holding == null) {
            holding = new Holding(owner, ++fence);
            holdings.put(request.name(), holding);
            events.add("lock " + request.name());
        }
        holding.count++;
        ScriptedLease lease = new ScriptedLease(request, holding);
        leases.add(lease);
        return new LockOutcome.Acquired(lease);
    }

    private CompletableFuture<LockOutcome> waitFor(LockRequest request, LockOwner owner) {
        CompletableFuture<LockOutcome> future = new CompletableFuture<>();
        Waiter waiter = new Waiter(request, owner, future);
        waiters.add(waiter);
        future.whenComplete((outcome, failure) -> remove(waiter));
        long limit = Math.min(request.tryLockTime().toMillis(), TimeUnit.HOURS.toMillis(1));
        return future.completeOnTimeout(new LockOutcome.Busy(request.tryLockTime()), limit, TimeUnit.MILLISECONDS);
    }

    private synchronized void remove(Waiter waiter) {
        waiters.remove(waiter);
    }

    private void passOn(String name) {
        List<Waiter> woken = new ArrayList<>();
        List<LockOutcome> outcomes = new ArrayList<>();
        synchronized (this) {
            for (Waiter waiter : List.copyOf(waiters)) {
                if (waiter.request.name().equals(name) && !holdings.containsKey(name)) {
                    waiters.remove(waiter);
                    woken.add(waiter);
                    outcomes.add(acquireNow(waiter.request, waiter.owner));
                }
            }
        }
        for (int i = 0; i < woken.size(); i++) {
            if (!woken.get(i).future.complete(outcomes.get(i))
                    && outcomes.get(i) instanceof LockOutcome.Acquired acquired) {
                acquired.lease().release();
            }
        }
    }

    @Override
    public synchronized int holdCount(String name, LockOwner owner) {
        Holding holding = holdings.get(name);
        return holding != null && holding.owner.equals(owner) ? holding.count : 0;
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return CompletableFuture.completedFuture(isHeld(name));
    }

    private static final class Holding {
        private final LockOwner owner;
        private final long fence;
        private int count;

        private Holding(LockOwner owner, long fence) {
            this.owner = owner;
            this.fence = fence;
        }
    }

    private record Waiter(LockRequest request, LockOwner owner, CompletableFuture<LockOutcome> future) {}

    /** A lease that a test can take away. */
    public final class ScriptedLease implements Lease {

        private final LockRequest request;
        private final Holding holding;
        private final List<Consumer<? super Lease>> lostListeners = new ArrayList<>();
        private boolean lost;
        private boolean released;

        private ScriptedLease(LockRequest request, Holding holding) {
            this.request = request;
            this.holding = holding;
        }

        /** Loses the lease, and tells the listeners on the calling thread. */
        public void lose() {
            List<Consumer<? super Lease>> told;
            synchronized (ScriptedLockExecutor.this) {
                lost = true;
                holdings.remove(request.name(), holding);
                told = List.copyOf(lostListeners);
                events.add("lose " + request.name());
            }
            told.forEach(listener -> listener.accept(this));
        }

        @Override
        public String name() {
            return request.name();
        }

        @Override
        public long fencingToken() {
            return holding.fence;
        }

        @Override
        public boolean isValid() {
            synchronized (ScriptedLockExecutor.this) {
                return !lost && !released;
            }
        }

        @Override
        public Duration remaining() {
            return isValid() ? request.leaseTime() : Duration.ZERO;
        }

        @Override
        public boolean confirm() {
            events.add("confirm " + request.name());
            return confirms && isValid();
        }

        @Override
        public boolean extend(Duration holdLockTime) {
            events.add("extend " + request.name());
            return isValid();
        }

        @Override
        public void waiveMinHoldTime() {
            if (request.refuseRepeats()) {
                events.add("waive " + request.name());
            }
        }

        @Override
        public CompletableFuture<Boolean> confirmAsync() {
            return CompletableFuture.completedFuture(confirm());
        }

        @Override
        public CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
            return CompletableFuture.completedFuture(extend(holdLockTime));
        }

        @Override
        public CompletableFuture<ReleaseResult> releaseAsync() {
            return answered(releaseNow());
        }

        @Override
        public void onLost(Consumer<? super Lease> listener) {
            boolean already;
            synchronized (ScriptedLockExecutor.this) {
                already = lost;
                lostListeners.add(listener);
            }
            if (already) {
                listener.accept(this);
            }
        }

        @Override
        public ReleaseResult release() {
            return releaseAsync().join();
        }

        private ReleaseResult releaseNow() {
            ReleaseResult result;
            synchronized (ScriptedLockExecutor.this) {
                if (released) {
                    return ReleaseResult.ALREADY_RELEASED;
                }
                released = true;
                if (lost) {
                    return ReleaseResult.LOST;
                }
                holding.count--;
                if (holding.count > 0) {
                    return ReleaseResult.STILL_HELD;
                }
                holdings.remove(request.name(), holding);
                events.add("unlock " + request.name());
                result = nextRelease;
                nextRelease = ReleaseResult.RELEASED;
            }
            passOn(request.name());
            return result;
        }
    }
}
