package io.distributionlock.state;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.RenewReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Drives one {@link LockState} step by step: time stands still until a test advances it, and every decision is recorded. */
public final class Script {

    public static final EngineSettings SETTINGS = EngineSettings.standard("me");

    final LockState state;
    private final AnswerTimeout timeout;
    long now = Times.nanos(10_000);
    List<Decision> decisions = new ArrayList<>();
    final Map<String, Waiter> waiters = new HashMap<>();
    final Map<String, Hold> holds = new HashMap<>();
    final Map<String, LockOutcome.NotAcquired> failures = new HashMap<>();
    private final Map<String, LockOwner> owners = new HashMap<>();

    Script() {
        this(SETTINGS);
    }

    Script(EngineSettings settings) {
        this("name", settings);
    }

    Script(String name, EngineSettings settings) {
        timeout = new AnswerTimeout(settings);
        state = new LockState(name, new StateContext(settings, new ClaimIdGenerator("me"), timeout));
    }

    Script after(long millis) {
        now += Times.nanos(millis);
        return this;
    }

    /** Lets time pass and a tick happen at its end. */
    Script tickAfter(long millis) {
        after(millis);
        return on(new Event.Tick());
    }

    Script enter(String who, long waitMillis, long holdMillis) {
        return enter(who, who, request(waitMillis).holdLockTime(Duration.ofMillis(holdMillis)));
    }

    Script enterRenewed(String who, long waitMillis, long leaseMillis) {
        return enter(who, who, request(waitMillis).renewedLease(Duration.ofMillis(leaseMillis)));
    }

    Script enter(String what, String owner, LockRequest.Builder request) {
        Waiter waiter = new Waiter(
                request.build(),
                owners.computeIfAbsent(owner, unused -> LockOwner.unique()),
                new CompletableFuture<>(),
                now,
                timeout);
        waiters.put(what, waiter);
        return on(new Event.Acquire(waiter));
    }

    static LockRequest.Builder request(long waitMillis) {
        return LockRequest.named("name").tryLockTime(Duration.ofMillis(waitMillis));
    }

    Script leave(String who) {
        return on(new Event.Cancel(waiters.get(who)));
    }

    /** Releases a hold: returns the result, or {@code null} if only the answer of the backend can show it. */
    @Nullable
    ReleaseResult exit(String who) {
        on(new Event.Release(holds.get(who), new CompletableFuture<>()));
        List<Decision.Released> known = all(Decision.Released.class);
        decisions.removeAll(known);
        return known.isEmpty() ? null : known.get(0).result();
    }

    Script ok(Decision.SendAcquire sent, long fence, long waiting) {
        return on(new Event.AcquireAnswered(sent, new AcquireReply.Ok(fence, waiting)));
    }

    Script busy(Decision.SendAcquire sent, long leaseLeftMillis, long fence) {
        return on(new Event.AcquireAnswered(sent, new AcquireReply.Busy(leaseLeftMillis, fence)));
    }

    Script failed(Decision.SendAcquire sent) {
        return failed(sent, new IllegalStateException("refused"));
    }

    Script failed(Decision.SendAcquire sent, Throwable cause) {
        return on(new Event.AcquireFailed(sent, cause));
    }

    Script renewed(Decision.SendRenew sent, boolean held, long waiting) {
        return on(new Event.RenewAnswered(sent, new RenewReply(held, waiting)));
    }

    Script granted(Claim claim) {
        return on(new Event.Granted(claim));
    }

    /** Another command of this process has had the first answer of all. */
    Script firstAnswer() {
        timeout.end();
        return on(new Event.FirstAnswer());
    }

    /** Whether a grant would be released because this process does not know the claim. */
    boolean isUnwanted(Claim claim) {
        granted(claim);
        return !all(Decision.ReleaseUnknown.class).isEmpty();
    }

    /** Whether the answer to another process's inquiry would be that this one knows the claim. */
    boolean knows(Claim claim) {
        return state.on(new Event.Inquired(claim), now, new ArrayList<>());
    }

    Script on(Event event) {
        decisions = new ArrayList<>();
        state.on(event, now, decisions);
        for (Decision decision : decisions) {
            if (decision instanceof Decision.Grant grant) {
                holds.put(nameOf(grant.waiter()), grant.hold());
            } else if (decision instanceof Decision.Fail fail) {
                failures.put(nameOf(fail.waiter()), fail.outcome());
            }
        }
        return this;
    }

    private String nameOf(Waiter waiter) {
        return waiters.entrySet().stream()
                .filter(entry -> entry.getValue() == waiter)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    <D extends Decision> D only(Class<D> type) {
        List<D> found = all(type);
        if (found.size() != 1) {
            throw new AssertionError("Expected one " + type.getSimpleName() + " in " + decisions);
        }
        return found.get(0);
    }

    <D extends Decision> List<D> all(Class<D> type) {
        return decisions.stream().filter(type::isInstance).map(type::cast).toList();
    }

    boolean holds(String who) {
        Hold hold = holds.get(who);
        return hold != null && !hold.released && hold.ownership.isValid(now);
    }

    /** A lock that another process holds and this one waits for. */
    static Script waiting(String who, long waitMillis) {
        Script script = new Script().enterRenewed(who, waitMillis, 60_000);
        return script.after(1).busy(script.only(Decision.SendAcquire.class), 60_000, 7);
    }
}
