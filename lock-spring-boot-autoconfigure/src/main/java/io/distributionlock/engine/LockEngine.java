package io.distributionlock.engine;

import io.distributionlock.BackendProblemException;
import io.distributionlock.CallbackThreads;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.MessageText;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one process: brings the events of threads, answers, messages and time to the {@link LockState} of their name,
 * and carries its decisions out through a {@link CommandPort}.
 *
 * <p>Nothing here blocks but {@link #stop}. Decisions are carried out after the state's lock was left, so no callback and no
 * I/O happens under it.
 */
public final class LockEngine implements LockExecutor, EngineView, CommandListener {

    private static final Log log = LogFactory.getLog(LockEngine.class);

    private static final int STRIPES = 64;

    /** A script must not keep Redis from its other work for long. */
    private static final int MOST_CLAIMS_OF_A_COMMAND = 250;

    /** 2^32 divided by the golden ratio, which spreads the bits of a hash (Knuth, The Art of Computer Programming, 6.4). */
    private static final int HASH_SPREAD = 0x9E3779B9;

    private static final int STRIPE_SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES);

    private final CommandPort port;
    private final EngineSettings settings;
    private final LongSupplier clock;
    private final long origin;
    private final Executor callbacks;
    private final EngineCounters counters = new EngineCounters();
    private final Failures failures = new Failures();
    private final Releases releases;
    private final Deadlines deadlines = new Deadlines();

    /** What could not be carried out, and is tried again. */
    private final Undone undone = new Undone();

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final ClaimNames claims;
    private final Set<LockKind> kinds;
    private @Nullable EngineThread thread;
    private volatile boolean stopping;

    /** No tick comes any more. */
    private volatile boolean over;

    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * An engine that is driven from outside by {@link #tick}.
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
        this.releases = new Releases(port, settings, counters, this::now, this::wakeBy);
        this.claims = new ClaimNames(settings.instance());
        this.kinds = Collections.unmodifiableSet(EnumSet.copyOf(port.kinds()));
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(releases::announce);
        }
        port.attach(this);
    }

    /** An engine with a thread of its own, on the system's monotonic clock. */
    public static LockEngine start(CommandPort port, EngineSettings settings) {
        return start(port, settings, System::nanoTime);
    }

    static LockEngine start(CommandPort port, EngineSettings settings, LongSupplier clock) {
        LockEngine engine = new LockEngine(port, settings, clock, CallbackThreads.executor());
        EngineThread thread = new EngineThread(engine, engine::now);
        engine.thread = thread;
        thread.start();
        return engine;
    }

    @Override
    public EngineCounters counters() {
        return counters;
    }

    @Override
    public EngineSnapshot snapshot() {
        SnapshotBuilder snapshot = new SnapshotBuilder();
        for (Stripe stripe : stripes) {
            stripe.show(snapshot, this::now);
        }
        return snapshot.build(settings.instance());
    }

    /** How many names this process holds or waits for at present. */
    public int activeNames() {
        int active = 0;
        for (Stripe stripe : stripes) {
            active += stripe.size();
        }
        return active;
    }

    /** Nanoseconds since this engine was made. */
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
                    + "' is asked for as " + request.kind() + ", but this executor has only " + kinds()
                    + ". Ask for one of these, or use another executor."));
        }
        Attempt attempt = new Attempt(this, request.name());
        Waiter waiter = new Waiter(request, owner, attempt, now(), settings);
        attempt.standsFor(waiter);
        try {
            onEvent(request.name(), true, (state, now, out) -> {
                if (stopping && state.holdCount(owner, now) == 0) {
                    out.add(new Decision.Fail(waiter, new LockOutcome.BackendFailed(Duration.ZERO, stoppedCause())));
                } else {
                    state.enter(waiter, now, out);
                }
            });
        } catch (Throwable e) {
            // If it is granted the lock nevertheless, it gives it back, as its future is complete.
            attempt.completeExceptionally(e);
        }
        return attempt;
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return count(name, state -> state.holdCount(owner, now()));
    }

    private int count(String name, ToIntFunction<LockState> holds) {
        Stripe stripe = stripeOf(name);
        stripe.lock.lock();
        try {
            LockState state = stripe.get(name);
            return state == null ? 0 : holds.applyAsInt(state);
        } finally {
            stripe.lock.unlock();
        }
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return answerInTime(name, () -> port.isLocked(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return answerInTime(name, () -> port.forceRelease(name));
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return answerInTime(name, () -> port.inspect(name));
    }

    private <T> CompletableFuture<T> answerInTime(String name, Supplier<CompletableFuture<T>> question) {
        long asked = now();
        CompletableFuture<T> answer = ask(question);
        answerBy(answer, () -> answer.completeExceptionally(port.explained(settings.noAnswer())));
        return answer.handle((result, failure) -> {
            if (failure != null) {
                Throwable cause = reason(failure);
                if (cause instanceof UnsupportedOperationException unsupported) {
                    throw unsupported;
                }
                throw new LockBackendException(name, Times.between(asked, now()), cause);
            }
            return result;
        });
    }

    private static Throwable reason(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** A future of our own, which may be completed here: the port's is not. */
    private static <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
        try {
            return question.get().copy();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Sees to it that a future is complete when a command may have had its answer, if not by that answer. */
    private void answerBy(CompletableFuture<?> answer, Runnable silence) {
        if (answer.isDone()) {
            return;
        }
        long moment = Times.after(now(), settings.commandTimeoutNanos());
        deadlines.add(answer, moment, silence);
        wakeBy(moment);
        if (over) {
            silence.run();
        }
    }

    /** Takes an attempt out of its queue; {@code false} if its outcome is decided already. */
    boolean leave(String name, Waiter waiter) {
        boolean[] left = {false};
        onEvent(name, false, (state, now, out) -> left[0] = state.leave(waiter, now, out));
        return left[0];
    }

    CompletableFuture<ReleaseResult> release(String name, Hold hold) {
        ReleaseTicket ticket = new ReleaseTicket();
        boolean known = onEvent(name, false, (state, now, out) -> {
            ReleaseResult result = state.exit(hold, ticket, now, out);
            if (result != null) {
                ticket.complete(result);
            }
        });
        if (!known) {
            // The name was forgotten: whoever still has a lease of it lost it, or has released it.
            ticket.complete(hold.released ? ReleaseResult.ALREADY_RELEASED : ReleaseResult.LOST);
            hold.released = true;
        }
        return ticket;
    }

    CompletableFuture<Boolean> extend(String name, Hold hold, Duration holdLockTime) {
        Extension extension = new Extension();
        return answer(
                name, extension, (state, now, out) -> state.extend(hold, holdLockTime.toNanos(), extension, now, out));
    }

    CompletableFuture<Boolean> confirm(String name, Hold hold) {
        Extension confirmation = new Extension();
        return answer(name, confirmation, (state, now, out) -> state.confirm(hold, confirmation, now, out));
    }

    private CompletableFuture<Boolean> answer(String name, Extension extension, Stripe.Event event) {
        if (!onEvent(name, false, event)) {
            extension.complete(false);
        }
        answerBy(extension, () -> extension.complete(false));
        return extension;
    }

    void detach(String name, Hold hold) {
        onEvent(name, false, (state, now, out) -> state.detach(hold));
    }

    /** @param atOnce on the thread that finds the loss out, which the listener must not block; else on a thread of its own */
    void whenLost(String name, Hold hold, Runnable listener, boolean atOnce) {
        Runnable told = atOnce ? () -> run(listener) : () -> callbacks.execute(() -> run(listener));
        boolean known = onEvent(name, false, (state, now, out) -> state.whenLost(hold, told, now, out));
        if (!known && !hold.released) {
            perform(name, new Decision.TellLoss(List.of(told)));
        }
    }

    // ------------------------------------------------------------------ CommandListener

    @Override
    public void granted(String name, String claim, long fence) {
        boolean[] wanted = {false};
        onEvent(name, false, (state, now, out) -> wanted[0] = state.granted(claim, fence, now, out));
        if (!wanted[0]) {
            releases.giveBack(name, claim);
        }
    }

    /** A backend that has lost what it was told last may hold the lock for a claim that was given up. */
    @Override
    public void asked(String name, String claim) {
        boolean[] known = {false};
        onEvent(name, false, (state, now, out) -> known[0] = state.has(claim));
        if (!known[0]) {
            releases.giveBack(name, claim);
        }
    }

    @Override
    public void revoked(String name, String claim) {
        onEvent(name, false, (state, now, out) -> state.revoked(claim, now, out));
    }

    @Override
    public void listening() {
        onEveryName(LockState::listening);
    }

    @Override
    public void reconnected() {
        releases.reconnected();
        onEveryName(LockState::reconnected);
        wakeBy(0);
    }

    // ------------------------------------------------------------------ time

    /** Does what is due now. Called by one thread at a time. */
    public void tick() {
        long now = now();
        Decisions todo = new Decisions();
        for (Stripe stripe : stripes) {
            try {
                stripe.tick(now, todo, failures);
            } catch (Throwable e) {
                failures.tell(e);
            }
        }
        perform(todo);
        releases.tick(now, failures);
        deadlines.tick(now, failures);
        undone.tick(now, this::carryOut, failures);
    }

    /** When {@link #tick} has to be called at the latest, in nanoseconds since this engine was made. */
    public long due() {
        long due = Math.min(Math.min(releases.due(), deadlines.due()), undone.due());
        for (Stripe stripe : stripes) {
            due = Math.min(due, stripe.due());
        }
        return due;
    }

    private void wakeBy(long moment) {
        if (thread != null) {
            thread.wakeBy(moment);
        }
    }

    // ------------------------------------------------------------------ the end

    @Override
    public void stop(Duration timeout) {
        stopping = true;
        if (!stopped.compareAndSet(false, true)) {
            return;
        }
        onEveryName((state, now, out) -> state.refuseWaiters(stoppedCause(), now, out));
        awaitUntil(Times.after(now(), timeout.toNanos()), this::isQuiet);
        onEveryName(LockState::takeAway);
        awaitUntil(Times.after(now(), settings.commandTimeoutNanos()), this::isQuiet);
        if (thread != null) {
            thread.stop();
        }
        failures.guard(port::close);
        over = true;
        undone.tryAgain(now(), this::carryOut, failures);
        releases.close(failures);
        deadlines.tick(Times.NEVER, failures);
    }

    /** Whether it was told to stop; it never starts again. */
    boolean isStopped() {
        return stopped.get();
    }

    private boolean isQuiet() {
        for (Stripe stripe : stripes) {
            if (!stripe.isEmpty()) {
                return false;
            }
        }
        return releases.isEmpty();
    }

    private void awaitUntil(long deadline, Supplier<Boolean> condition) {
        while (!condition.get() && now() < deadline && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(Times.nanos(5));
        }
    }

    private static BackendProblemException stoppedCause() {
        return new BackendProblemException(
                "This application is shutting down and takes no new locks.",
                "Ask for locks before its context closes.",
                null);
    }

    // ------------------------------------------------------------------ events in, decisions out

    private Stripe stripeOf(String name) {
        // By the upper bits of a product: the stripe's own map goes by the lower bits of the hash, and would have few
        // buckets.
        return stripes[name.hashCode() * HASH_SPREAD >>> STRIPE_SHIFT];
    }

    /** @return whether there was a state for the event to happen to */
    private boolean onEvent(String name, boolean create, Stripe.Event event) {
        Stripe stripe = stripeOf(name);
        List<Decision> out = new ArrayList<>(4);
        stripe.lock.lock();
        try {
            LockState state = stripe.get(name);
            if (state == null) {
                if (!create) {
                    return false;
                }
                state = new LockState(name, settings, claims);
                stripe.add(state);
            }
            try {
                event.on(state, now(), out);
            } finally {
                stripe.settle(state);
                releases.announce(out);
            }
        } finally {
            stripe.lock.unlock();
            // Also what was decided before something went wrong: the state takes it as done.
            wakeBy(stripe.due());
            for (Decision decision : out) {
                perform(name, decision);
            }
        }
        return true;
    }

    private void onEveryName(Stripe.Event event) {
        Decisions todo = new Decisions();
        for (Stripe stripe : stripes) {
            try {
                stripe.forEach(now(), todo, event, failures);
            } catch (Throwable e) {
                failures.tell(e);
            }
        }
        perform(todo);
        wakeBy(due());
    }

    /** Renewals go first and together: they are what cannot wait. Never throws. */
    private void perform(Decisions todo) {
        failures.guard(() -> sendRenewals(todo));
        for (Decisions.Share share : todo.shares()) {
            failures.guard(() -> performAllButRenewals(share));
        }
    }

    private void sendRenewals(Decisions todo) {
        List<CommandPort.Renewal> renewals = new ArrayList<>();
        List<Decision.SendRenew> sent = new ArrayList<>();
        for (Decisions.Share share : todo.shares()) {
            for (Decision decision : share.decisions()) {
                if (decision instanceof Decision.SendRenew renew) {
                    renewals.add(new CommandPort.Renewal(share.name(), renew.claim(), renew.leaseMillis()));
                    sent.add(renew);
                }
            }
        }
        if (!renewals.isEmpty()) {
            sendRenewals(renewals, sent);
        }
    }

    /** Heartbeats of one name travel together, however many attempts wait for it. */
    private void performAllButRenewals(Decisions.Share share) {
        List<Decision.SendAcquire> heartbeats = new ArrayList<>();
        for (Decision decision : share.decisions()) {
            if (decision instanceof Decision.SendAcquire acquire && acquire.inQueue()) {
                heartbeats.add(acquire);
            } else if (!(decision instanceof Decision.SendRenew)) {
                perform(share.name(), decision);
            }
        }
        if (settings.grantsNeedConfirmation()) {
            // Whether a claim that has won may be used is told of each alone.
            heartbeats.forEach(heartbeat -> sendAcquire(share.name(), heartbeat));
            return;
        }
        for (int start = 0; start < heartbeats.size(); start += MOST_CLAIMS_OF_A_COMMAND) {
            int end = Math.min(heartbeats.size(), start + MOST_CLAIMS_OF_A_COMMAND);
            sendHeartbeats(share.name(), heartbeats.subList(start, end));
        }
    }

    /** Never throws, whatever is called in it: the decisions beside this one have to be carried out as well. */
    private void perform(String name, Decision decision) {
        try {
            carryOut(name, decision);
        } catch (Throwable e) {
            if (isWorthRepeating(decision)) {
                undone.add(name, decision, now());
                wakeBy(undone.due());
            }
            failures.tell(e);
        }
    }

    /** What the state gives up on by itself, when no answer has come in time, is not repeated: it could run too late. */
    private static boolean isWorthRepeating(Decision decision) {
        return !(decision instanceof Decision.SendAcquire
                || decision instanceof Decision.SendRenew
                || decision instanceof Decision.SendCheck
                || decision instanceof Decision.Drop);
    }

    private void carryOut(String name, Decision decision) {
        if (decision instanceof Decision.SendAcquire acquire) {
            sendAcquire(name, acquire);
        } else if (decision instanceof Decision.SendRelease release) {
            releases.send(name, release);
        } else if (decision instanceof Decision.SendDowngrade downgrade) {
            releases.send(name, downgrade, () -> revoked(name, downgrade.claim()));
        } else if (decision instanceof Decision.SendRenew renew) {
            sendRenewals(List.of(new CommandPort.Renewal(name, renew.claim(), renew.leaseMillis())), List.of(renew));
        } else if (decision instanceof Decision.Inquire) {
            port.inquire(name);
        } else if (decision instanceof Decision.SendCheck check) {
            sendCheck(name, check);
        } else if (decision instanceof Decision.Drop drop) {
            drop.flight().drop();
        } else if (decision instanceof Decision.Grant grant) {
            EngineLease lease = new EngineLease(this, name, grant.hold());
            countHandover(grant.hold().way);
            Attempt attempt = grant.waiter().attempt;
            if (!attempt.complete(new LockOutcome.Acquired(lease)) && !attempt.hasGot(grant.hold())) {
                // Somebody completed the future by other means than cancel: nobody will release this lease.
                release(name, grant.hold());
            }
        } else if (decision instanceof Decision.Refuse refuse) {
            refuse.waiter().attempt.completeExceptionally(refuse.mistake());
        } else if (decision instanceof Decision.Fail fail) {
            countFailure(fail.outcome());
            fail.waiter().attempt.complete(explained(fail.outcome()));
        } else if (decision instanceof Decision.Answer answer) {
            answer.extension().complete(answer.held());
        } else if (decision instanceof Decision.TellLoss loss) {
            tellLoss(name, loss.listeners());
        } else if (decision instanceof Decision.Lost) {
            counters.lostLeases.increment();
            log.warn("Lost lock '" + MessageText.of(name) + "' before it was released");
        }
    }

    private LockOutcome explained(LockOutcome outcome) {
        if (!(outcome instanceof LockOutcome.BackendFailed failed)) {
            return outcome;
        }
        Throwable reason =
                failed.cause() instanceof BackendProblemException problem ? problem.getCause() : failed.cause();
        if (!(reason instanceof TimeoutException silence)) {
            return outcome;
        }
        Throwable explanation = port.explained(silence);
        return explanation == silence ? outcome : new LockOutcome.BackendFailed(failed.waited(), explanation);
    }

    private void countHandover(Way way) {
        if (way == Way.PASSED_ON) {
            counters.localHandovers.increment();
        } else if (way == Way.HANDED_OVER) {
            counters.remoteHandovers.increment();
        }
    }

    private void countFailure(LockOutcome.NotAcquired outcome) {
        if (outcome instanceof LockOutcome.Busy) {
            counters.busyAttempts.increment();
        } else if (outcome instanceof LockOutcome.BackendFailed || outcome instanceof LockOutcome.NotReplicated) {
            counters.backendFailures.increment();
        }
    }

    private void sendAcquire(String name, Decision.SendAcquire acquire) {
        String claim = acquire.claim();
        long sentAt = acquire.sentAt();
        CompletableFuture<AcquireReply> answer;
        try {
            // Whoever waits is told of a grant by message, and whoever holds of a release by force.
            port.listen();
            answer = Objects.requireNonNull(
                    port.acquire(name, claim, acquire.leaseMillis(), acquire.inQueue()), "answer");
        } catch (Throwable e) {
            answer = CompletableFuture.failedFuture(e);
        }
        acquire.flight().carries(answer);
        answer.whenComplete((reply, failure) -> onEvent(name, false, (state, now, out) -> {
            if (reply != null) {
                state.acquireAnswered(claim, sentAt, acquire.leaseMillis(), reply, now, out);
            } else {
                state.acquireFailed(claim, sentAt, failure, now, out);
            }
        }));
    }

    private void sendHeartbeats(String name, List<Decision.SendAcquire> heartbeats) {
        List<CommandPort.Bidding> biddings = heartbeats.stream()
                .map(each -> new CommandPort.Bidding(each.claim(), each.leaseMillis()))
                .toList();
        CompletableFuture<List<AcquireReply>> answer;
        try {
            port.listen();
            answer = Objects.requireNonNull(port.acquireAll(name, biddings), "answer");
        } catch (Throwable e) {
            answer = CompletableFuture.failedFuture(e);
        }
        Flight.share(heartbeats.stream().map(Decision.SendAcquire::flight).toList(), answer);
        answer.whenComplete((replies, failure) -> onEvent(name, false, (state, now, out) -> {
            for (int i = 0; i < heartbeats.size(); i++) {
                Decision.SendAcquire sent = heartbeats.get(i);
                if (replies != null) {
                    state.acquireAnswered(sent.claim(), sent.sentAt(), sent.leaseMillis(), replies.get(i), now, out);
                } else {
                    state.acquireFailed(sent.claim(), sent.sentAt(), reason(failure), now, out);
                }
            }
        }));
    }

    private void sendRenewals(List<CommandPort.Renewal> renewals, List<Decision.SendRenew> sent) {
        List<CompletableFuture<RenewReply>> answers;
        try {
            answers = port.renew(renewals);
        } catch (Throwable e) {
            if (renewals.size() > 1) {
                // One that cannot be sent must not keep the others from being sent, now and each time again.
                for (int i = 0; i < sent.size(); i++) {
                    sendRenewals(List.of(renewals.get(i)), List.of(sent.get(i)));
                }
                return;
            }
            answers = List.of(CompletableFuture.failedFuture(e));
        }
        for (int i = 0; i < sent.size(); i++) {
            String name = renewals.get(i).name();
            Decision.SendRenew renew = sent.get(i);
            CompletableFuture<RenewReply> answer = answers.get(i);
            if (answer == null) {
                renewAnswered(name, renew, null);
            } else {
                answer.whenComplete((reply, failure) -> renewAnswered(name, renew, reply));
            }
        }
    }

    private void sendCheck(String name, Decision.SendCheck check) {
        CompletableFuture<RenewReply> answer;
        try {
            answer = port.renew(List.of(new CommandPort.Renewal(name, check.claim(), 0)))
                    .get(0);
            Objects.requireNonNull(answer, "answer");
        } catch (Throwable e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete((reply, failure) -> {
            boolean known = onEvent(name, false, (state, now, out) -> {
                if (reply != null) {
                    state.checkAnswered(check.claim(), check.sentAt(), reply, check.asking(), now, out);
                } else {
                    state.checkFailed(check.claim(), check.sentAt(), check.asking(), now, out);
                }
            });
            if (!known) {
                check.asking().forEach(each -> each.complete(false));
            }
        });
    }

    private void renewAnswered(String name, Decision.SendRenew renew, @Nullable RenewReply reply) {
        if (reply != null && reply.held() && renew.leaseMillis() > 0) {
            counters.renewals.increment();
        }
        boolean known = onEvent(name, false, (state, now, out) -> {
            if (reply != null) {
                state.renewAnswered(
                        renew.claim(), renew.sentAt(), renew.leaseMillis(), reply, renew.extension(), now, out);
            } else {
                state.renewFailed(renew.claim(), renew.sentAt(), renew.extension(), now, out);
            }
        });
        if (!known && renew.extension() != null) {
            renew.extension().complete(false);
        }
    }

    private void tellLoss(String name, List<Runnable> listeners) {
        if (listeners.size() > 1) {
            // One by one: if there is no thread for them, none is told twice.
            listeners.forEach(listener -> perform(name, new Decision.TellLoss(List.of(listener))));
            return;
        }
        listeners.forEach(Runnable::run);
    }

    private static void run(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) {
            log.error("A listener of a lost lease failed", e);
        }
    }
}
