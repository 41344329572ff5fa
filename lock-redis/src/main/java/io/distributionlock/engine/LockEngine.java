package io.distributionlock.engine;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.internal.Pipeline;
import io.distributionlock.internal.UserThreads;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.monitor.LockSnapshot;
import io.distributionlock.state.AnswerTimeout;
import io.distributionlock.state.Claim;
import io.distributionlock.state.ClaimIdGenerator;
import io.distributionlock.state.Decision;
import io.distributionlock.state.Event;
import io.distributionlock.state.FastPathGate;
import io.distributionlock.state.Hold;
import io.distributionlock.state.LockState;
import io.distributionlock.state.SnapshotBuilder;
import io.distributionlock.state.StateContext;
import io.distributionlock.state.Times;
import io.distributionlock.state.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one process: passes the {@link Event}s of threads, answers, messages and time to the {@link LockState} of their
 * name, and its decisions to the {@link DecisionDispatcher}.
 *
 * <p>Only {@link #stop} blocks. Decisions are carried out after the state's lock was released, so no callback and no I/O runs
 * under it.
 *
 * @hidden
 */
@Internal
public final class LockEngine implements LockExecutor, LockMonitor, CommandListener {

    private static final Log log = LogFactory.getLog(LockEngine.class);

    private static final int STRIPES = 64;

    /** How often a process that no message notifies checks what it holds: bounds how late it notices a forced release. */
    private static final long BETWEEN_CHECKS_NANOS = Times.nanos(5_000);

    /** 2^32 divided by the golden ratio, which spreads the bits of a hash (Knuth, The Art of Computer Programming, 6.4). */
    private static final int HASH_SPREAD = 0x9E3779B9;

    private static final int STRIPE_SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES);

    private final CommandPort port;
    private final EngineSettings settings;
    private final LongSupplier clock;
    private final long origin;
    private final Executor callbacks;
    private final Answers answers;
    private final PendingReleases releases;
    private final DecisionDispatcher dispatcher;
    private final StateStripe[] stripes = new StateStripe[STRIPES];
    private final StateContext context;
    private final Set<LockKind> kinds;
    private @Nullable EngineThread thread;

    /** When all that is held is checked, if no message notifies this process. */
    private volatile long nextCheck;

    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * Creates an engine that its caller drives by {@link #tick}.
     *
     * @param clock monotonic time in nanoseconds, of any origin
     * @param callbacks runs the listeners of lost leases
     */
    public LockEngine(CommandPort port, EngineSettings settings, LongSupplier clock, Executor callbacks) {
        this.port = port;
        this.settings = settings;
        this.clock = clock;
        this.origin = clock.getAsLong();
        this.callbacks = callbacks;
        AnswerTimeout timeout = new AnswerTimeout(settings);
        Outage outage = new Outage(port, timeout, settings.commandTimeoutNanos(), this::now);
        this.answers = new Answers(port, timeout, outage, this::now, this::wakeBy);
        this.releases = new PendingReleases(port, settings, outage, this::now, this::wakeBy);
        this.context = new StateContext(
                settings,
                new ClaimIdGenerator(settings.instance()),
                timeout,
                new FastPathGate(releases::areMany),
                port::pollMillis);
        this.dispatcher = new DecisionDispatcher(this, answers, port, releases, context);
        this.kinds = Collections.unmodifiableSet(EnumSet.copyOf(port.kinds()));
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new StateStripe(releases::announce);
        }
        port.attach(this);
    }

    /** Starts an engine on the system's monotonic clock, with a thread of its own from the first event on. */
    public static LockEngine start(CommandPort port, EngineSettings settings) {
        return start(port, settings, System::nanoTime);
    }

    static LockEngine start(CommandPort port, EngineSettings settings, LongSupplier clock) {
        LockEngine engine = new LockEngine(port, settings, clock, UserThreads.executor());
        engine.thread = new EngineThread(engine, engine::now);
        return engine;
    }

    @Override
    public String instance() {
        return settings.instance();
    }

    @Override
    public LockSnapshot snapshot() {
        SnapshotBuilder snapshot = new SnapshotBuilder();
        for (StateStripe stripe : stripes) {
            stripe.show(snapshot, this::now);
        }
        return snapshot.build(instance());
    }

    /** How many names this process holds or waits for at present. */
    public int activeNames() {
        int active = 0;
        for (StateStripe stripe : stripes) {
            active += stripe.size();
        }
        return active;
    }

    /** Connects in the background, ahead of the first lock. */
    public void connect() {
        port.connect();
    }

    /** Nanoseconds since this engine was created. */
    long now() {
        return clock.getAsLong() - origin;
    }

    // ------------------------------------------------------------------ LockExecutor

    @Override
    public Set<LockKind> kinds() {
        return kinds;
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        if (!kinds().contains(request.kind())) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("Lock '" + MessageText.of(request.name())
                    + "' was requested as " + request.kind() + ", but this executor supports only " + kinds()
                    + ". Request one of these, or use another executor."));
        }
        AcquireFuture attempt = new AcquireFuture(this, request.name());
        Waiter waiter = new Waiter(request, owner, attempt, now(), context.timeout());
        attempt.standsFor(waiter);
        try {
            on(request.name(), new Event.Acquire(waiter));
        } catch (Throwable e) {
            attempt.decideBy(e);
        }
        return attempt;
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        StateStripe stripe = stripeOf(name);
        stripe.lock.lock();
        try {
            LockState state = stripe.get(name);
            return state == null ? 0 : state.holdCount(owner, now());
        } finally {
            stripe.lock.unlock();
        }
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return OffloadedFuture.of(answers.query(name, "Checking", () -> port.isLocked(name)));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return OffloadedFuture.of(
                answers.queryInSteps(name, "Forced release of", answered -> port.forceRelease(name, answered)));
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return OffloadedFuture.of(answers.query(name, "Inspecting", () -> port.inspect(name)));
    }

    // ------------------------------------------------------------------ attempts and leases

    /** Takes an attempt out of its queue; {@code false} if its outcome is decided already. */
    boolean cancel(String name, Waiter waiter) {
        return on(name, new Event.Cancel(waiter));
    }

    CompletableFuture<ReleaseResult> release(String name, Hold hold) {
        CompletableFuture<ReleaseResult> result = new CompletableFuture<>();
        on(name, new Event.Release(hold, result));
        return result.thenApply(answer -> {
            if (answer == ReleaseResult.LOST) {
                FailureLog.guard(() -> on(name, new Event.FoundLost(hold, now())));
            }
            return answer;
        });
    }

    /** Asks whether a hold is still held. The answer is no if none comes in time. */
    CompletableFuture<Boolean> whetherHeld(String name, Function<CompletableFuture<Boolean>, Event> question) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        on(name, question.apply(result));
        answers.completeInTime(result, () -> result.complete(false));
        return result;
    }

    /** The fencing token of a hold. The future fails if the lease is over, or with a {@link LockBackendException}. */
    CompletableFuture<Long> number(String name, Hold hold) {
        long askedAt = now();
        CompletableFuture<Long> result = new CompletableFuture<>();
        on(name, new Event.Number(hold, result));
        answers.completeInTime(
                result, () -> result.completeExceptionally(context.timeout().noAnswer()));
        return result.handle((token, failure) -> {
            if (failure == null) {
                return token;
            }
            Throwable cause = Failures.unwrapped(failure);
            if (cause instanceof IllegalStateException over && !isHeld(hold)) {
                throw new IllegalStateException("Lock '" + MessageText.of(name) + "': " + over.getMessage(), over);
            }
            throw new LockBackendException(
                    name, "Drawing a fencing token for", Times.between(askedAt, now()), port.explained(cause));
        });
    }

    boolean isHeld(Hold hold) {
        return !hold.released && hold.ownership.isValid(now());
    }

    /** Runs a listener of a lost lease on a thread that it may block. */
    void callBack(Runnable listener) {
        callbacks.execute(() -> callBackAtOnce(listener));
        if (UserThreads.areMissing()) {
            wakeBy(0);
        }
    }

    /** Runs a listener of a lost lease on the thread that notices the loss, which the listener must not block. */
    static void callBackAtOnce(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) {
            log.error("A listener of a lost lease failed", e);
        }
    }

    // ------------------------------------------------------------------ CommandListener

    @Override
    public void granted(String name, String claim) {
        onMessage(claim, own -> on(name, new Event.Granted(own)));
    }

    @Override
    public void probed(String name, String claim) {
        onMessage(claim, own -> on(name, new Event.OwnerProbed(own)));
    }

    @Override
    public void revoked(String name, String claim) {
        onMessage(claim, own -> on(name, new Event.Revoked(own)));
    }

    /** A message concerns a claim of this process, or nobody here. */
    private void onMessage(String claim, Consumer<Claim> event) {
        Claim own = context.claims().made(claim);
        if (own != null) {
            event.accept(own);
        }
    }

    @Override
    public void listening() {
        onEveryName(new Event.Listening());
    }

    @Override
    public void reconnected() {
        releases.reconnected();
        context.fastPathGate().close(now());
        onEveryName(new Event.Reconnected());
        wakeBy(0);
    }

    // ------------------------------------------------------------------ time

    /** Does what is due now. Called by one thread at a time. */
    public void tick() {
        long now = now();
        List<Decision.Batch> decided = new ArrayList<>();
        for (StateStripe stripe : stripes) {
            try {
                stripe.tick(now, decided);
            } catch (Throwable e) {
                FailureLog.report(e);
            }
        }
        Pipeline.of(() -> {
            dispatcher.dispatch(decided);
            if (now >= checkDue()) {
                nextCheck = Times.after(now, BETWEEN_CHECKS_NANOS);
                // Messages count as received from now on: whatever an earlier one could have reported is looked up.
                onEveryName(new Event.Listening());
            }
            releases.tick(now);
            answers.tick(now);
        });
    }

    /** When the next {@link #tick} is due, in nanoseconds since this engine was created. */
    public long due() {
        long due = Times.NEVER;
        for (StateStripe stripe : stripes) {
            due = Math.min(due, stripe.due());
        }
        if (due != Times.NEVER) {
            due = Math.min(due, checkDue());
        }
        return Math.min(Math.min(due, releases.due()), answers.due());
    }

    private long checkDue() {
        return port.pollMillis() == 0 ? Times.NEVER : nextCheck;
    }

    /** Makes sure that a tick follows at this time. */
    void wakeBy(long moment) {
        if (thread != null) {
            thread.wakeBy(moment);
        }
    }

    // ------------------------------------------------------------------ stop

    @Override
    public void stop(Duration timeout) {
        long patience = Math.max(0, NANOSECONDS.convert(timeout));
        answers.reportNoOutage();
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        onEveryName(new Event.RefuseWaiters(stoppedCause()));
        // Not for releases that the backend does not answer: no running method is behind them.
        awaitUntil(Times.after(now(), patience), () -> activeNames() == 0);
        onEveryName(new Event.RevokeAll());
        awaitUntil(Times.after(now(), settings.commandTimeoutNanos()), () -> activeNames() == 0 && releases.isEmpty());
        if (thread != null) {
            thread.stop();
        }
        FailureLog.guard(port::close);
        releases.close();
        answers.close();
    }

    /** Whether it was stopped; it never starts again. */
    boolean isStopped() {
        return stopped.get();
    }

    private void awaitUntil(long deadline, BooleanSupplier condition) {
        while (!condition.getAsBoolean()
                && now() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(Times.nanos(5));
        }
    }

    private static BackendProblemException stoppedCause() {
        String description = "This application is shutting down and acquires no new locks.";
        return new BackendProblemException(description, "Acquire locks before its context closes.", null);
    }

    // ------------------------------------------------------------------ events in, decisions out

    private StateStripe stripeOf(String name) {
        // By the upper bits of a product: the stripe's own map uses the lower bits of the hash, and would have few
        // buckets.
        return stripes[name.hashCode() * HASH_SPREAD >>> STRIPE_SHIFT];
    }

    /** @return whether this process knows the claim or attempt that the event concerns */
    boolean on(String name, Event event) {
        StateStripe stripe = stripeOf(name);
        // Few events lead to more decisions than two.
        List<Decision> out = new ArrayList<>(2);
        stripe.lock.lock();
        try {
            LockState state = stripe.get(name);
            if (state == null) {
                if (!(event instanceof Event.Acquire)) {
                    event.onUnknownClaim(out);
                    return false;
                }
                state = new LockState(name, context);
                stripe.add(state);
            }
            try {
                return on(state, event, out);
            } finally {
                stripe.settle(state);
                releases.announce(out);
            }
        } finally {
            stripe.lock.unlock();
            // Even after a failure: the state counts all that it has decided as done.
            wakeBy(Math.min(stripe.due(), checkDue()));
            for (Decision decision : out) {
                dispatcher.dispatch(name, decision);
            }
        }
    }

    private boolean on(LockState state, Event event, List<Decision> out) {
        long now = now();
        if (stopped.get()
                && event instanceof Event.Acquire acquire
                && state.holdCount(acquire.waiter().owner, now) == 0) {
            out.add(new Decision.Fail(acquire.waiter(), new LockOutcome.BackendFailed(Duration.ZERO, stoppedCause())));
            return true;
        }
        return state.on(event, now, out);
    }

    private void onEveryName(Event event) {
        List<Decision.Batch> decided = new ArrayList<>();
        for (StateStripe stripe : stripes) {
            try {
                stripe.forEach(this::now, decided, event);
            } catch (Throwable e) {
                FailureLog.report(e);
            }
        }
        Pipeline.of(() -> dispatcher.dispatch(decided));
        wakeBy(due());
    }
}
