package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Drives one {@link LockState} step by step: time stands still until a test lets it go on, and every decision is recorded. */
final class Script {

    static final EngineSettings SETTINGS = EngineSettings.standard("me");

    final LockState state;
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
        state = new LockState(name, settings, new ClaimNames("me"));
    }

    Script after(long millis) {
        now += Times.nanos(millis);
        return this;
    }

    /** Lets time pass and a tick happen at its end. */
    Script tickAfter(long millis) {
        after(millis);
        return step(out -> state.tick(now, out));
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
                new Attempt(null, "name"),
                now,
                SETTINGS);
        waiters.put(what, waiter);
        return step(out -> state.enter(waiter, now, out));
    }

    static LockRequest.Builder request(long waitMillis) {
        return LockRequest.named("name").tryLockTime(Duration.ofMillis(waitMillis));
    }

    Script leave(String who) {
        return step(out -> state.leave(waiters.get(who), now, out));
    }

    @Nullable
    ReleaseResult exit(String who) {
        ReleaseResult[] result = new ReleaseResult[1];
        step(out -> result[0] = state.exit(holds.get(who), new ReleaseTicket(), now, out));
        return result[0];
    }

    Script ok(Decision.SendAcquire sent, long fence, long waiting) {
        return step(out -> state.acquireAnswered(
                sent.claim(), sent.sentAt(), sent.leaseMillis(), new AcquireReply.Ok(fence, waiting), now, out));
    }

    Script busy(Decision.SendAcquire sent, long leaseLeftMillis, long fence) {
        return step(out -> state.acquireAnswered(
                sent.claim(),
                sent.sentAt(),
                sent.leaseMillis(),
                new AcquireReply.Busy(leaseLeftMillis, fence),
                now,
                out));
    }

    Script failed(Decision.SendAcquire sent) {
        return failed(sent, new IllegalStateException("refused"));
    }

    Script failed(Decision.SendAcquire sent, Throwable cause) {
        return step(out -> state.acquireFailed(sent.claim(), sent.sentAt(), cause, now, out));
    }

    Script renewed(Decision.SendRenew sent, boolean held, long waiting) {
        return step(out -> state.renewAnswered(
                sent.claim(), sent.sentAt(), sent.leaseMillis(), new RenewReply(held, waiting), null, now, out));
    }

    Script granted(String claim, long fence) {
        return step(out -> state.granted(claim, fence, now, out));
    }

    /** Whether a grant would be given back. */
    boolean isUnwanted(String claim, long fence) {
        boolean[] known = new boolean[1];
        step(out -> known[0] = state.granted(claim, fence, now, out));
        return !known[0];
    }

    interface Step {
        void run(List<Decision> out);
    }

    Script step(Step step) {
        decisions = new ArrayList<>();
        step.run(decisions);
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
        return hold != null && !hold.released && hold.tenure.isValid(now);
    }

    /** A lock that somebody else has had for a while, and this process waits for. */
    static Script waiting(String who, long waitMillis) {
        Script script = new Script().enterRenewed(who, waitMillis, 60_000);
        return script.after(1).busy(script.only(Decision.SendAcquire.class), 60_000, 7);
    }
}
