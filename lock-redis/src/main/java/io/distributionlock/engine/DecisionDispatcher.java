package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.MessageText;
import io.distributionlock.state.Decision;
import io.distributionlock.state.Event;
import io.distributionlock.state.Hold;
import io.distributionlock.state.InFlightAcquire;
import io.distributionlock.state.StateContext;
import io.distributionlock.state.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the {@link Decision}s of a {@link LockEngine}: sends commands through its {@link CommandPort}, returns their answers
 * as {@link Event}s, and completes the futures of callers. It runs outside of the locks under which decisions are made.
 */
final class DecisionDispatcher {

    private static final Log log = LogFactory.getLog(LockEngine.class);

    private final LockEngine engine;
    private final Answers answers;
    private final CommandPort port;
    private final PendingReleases releases;
    private final StateContext context;

    /** Whether it is logged that renewals are refused, and none has succeeded since. */
    private final AtomicBoolean renewalsRefused = new AtomicBoolean();

    DecisionDispatcher(
            LockEngine engine, Answers answers, CommandPort port, PendingReleases releases, StateContext context) {
        this.engine = engine;
        this.answers = answers;
        this.port = port;
        this.context = context;
        this.releases = releases;
    }

    /** Carries out the decisions of several names, renewals first and together: they cannot wait. Never throws. */
    void dispatch(List<Decision.Batch> batches) {
        FailureLog.guard(() -> sendRenewals(batches));
        for (Decision.Batch batch : batches) {
            FailureLog.guard(() -> dispatchAllButRenewals(batch));
        }
    }

    /** Carries out one decision. Never throws, so that those that follow are carried out as well. */
    void dispatch(String name, Decision decision) {
        try {
            carryOut(name, decision);
        } catch (Throwable e) {
            FailureLog.report(e);
            FailureLog.guard(() -> answerWhoWaits(name, decision, e));
        }
    }

    /** The state counts the decision as done. It notices itself when a command has no answer. */
    private void answerWhoWaits(String name, Decision decision, Throwable failure) {
        if (decision instanceof Decision.Grant grant) {
            if (futureOf(grant.waiter()).decideBy(failure)) {
                engine.release(name, grant.hold());
            }
        } else if (decision instanceof Decision.Fail fail) {
            futureOf(fail.waiter()).decide(fail.outcome());
        } else if (decision instanceof Decision.SendRelease release && release.result() != null) {
            release.result().complete(ReleaseResult.UNCONFIRMED);
        }
    }

    private void carryOut(String name, Decision decision) {
        if (decision instanceof Decision.SendAcquire acquire) {
            sendAcquire(name, acquire);
        } else if (decision instanceof Decision.SendRelease release) {
            releases.send(name, release);
        } else if (decision instanceof Decision.Grant grant) {
            grant(name, grant);
        } else if (decision instanceof Decision.Answer<?> answer) {
            answer.complete();
        } else if (decision instanceof Decision.SendRenew renew) {
            sendRenewals(List.of(renewal(name, renew)), List.of(renew));
        } else if (decision instanceof Decision.SendNumber number) {
            sendNumber(name, number);
        } else if (decision instanceof Decision.NotNumbered notNumbered) {
            notNumbered.result().completeExceptionally(notNumbered.cause());
        } else if (decision instanceof Decision.Fail fail) {
            futureOf(fail.waiter()).decide(answers.explained(fail.outcome()));
        } else if (decision instanceof Decision.ReleaseUnknown unknown) {
            releases.releaseUnknown(name, unknown.claim());
        } else if (decision instanceof Decision.ProbeOwners) {
            port.probeOwners(name);
        } else if (decision instanceof Decision.Drop drop) {
            drop.flight().drop();
        } else if (decision instanceof Decision.ReportLoss loss) {
            loss.listeners().forEach(listener -> FailureLog.guard(listener::lost));
            if (loss.reason() != null) {
                log.warn("Lost lock '" + MessageText.of(name) + "' before it was released: "
                        + loss.reason().cause()
                        + ". Another holder may have acquired the lock in the meantime. "
                        + loss.reason().advice());
            }
        }
    }

    // ------------------------------------------------------------------ outcomes

    private void grant(String name, Decision.Grant grant) {
        if (grant.waiter().wantsToken() && grant.hold().token() == 0) {
            numberThenComplete(name, grant);
        } else {
            complete(name, grant.waiter(), grant.hold());
        }
    }

    private void complete(String name, Waiter waiter, Hold hold) {
        if (!futureOf(waiter).decide(new LockOutcome.Acquired(new EngineLease(engine, name, hold)))) {
            // Its holder has ended it meanwhile: nobody will release this lease.
            engine.release(name, hold);
        }
    }

    /** The waiter joined an ownership without a number, so its number is drawn before it gets its lease. */
    private void numberThenComplete(String name, Decision.Grant grant) {
        Waiter waiter = grant.waiter();
        futureOf(waiter).awaitsNumber(grant.hold());
        CompletableFuture<Long> number = engine.number(name, grant.hold());
        // The attempt may end before the number counts as failed.
        answers.completeBy(waiter.deadline(), number, () -> number.cancel(false));
        number.whenComplete((token, failure) -> {
            if (failure == null) {
                complete(name, waiter, grant.hold());
                return;
            }
            engine.release(name, grant.hold());
            if (number.isCancelled()) {
                long now = engine.now();
                boolean silent = now - grant.hold().since >= context.settings().silenceNanos();
                dispatch(name, new Decision.Fail(waiter, waiter.outcomeAtDeadline(silent, now, context.timeout())));
            } else {
                futureOf(waiter)
                        .decide(new LockOutcome.BackendFailed(
                                waiter.waited(engine.now()), Failures.unwrapped(failure)));
            }
        });
    }

    private static AcquireFuture futureOf(Waiter waiter) {
        return (AcquireFuture) waiter.attempt;
    }

    // ------------------------------------------------------------------ commands

    private void sendAcquire(String name, Decision.SendAcquire acquire) {
        Failures.caught(() -> {
                    // Messages report grants to waiters and forced releases to holders.
                    port.listen();
                    return acquire.flight().send(() -> send(name, acquire));
                })
                .whenComplete((reply, failure) -> acquireAnswered(name, acquire, reply, failure));
    }

    private void acquireAnswered(
            String name, Decision.SendAcquire acquire, @Nullable AcquireReply reply, @Nullable Throwable failure) {
        answers.answered(failure);
        engine.on(
                name,
                reply != null
                        ? new Event.AcquireAnswered(acquire, reply)
                        : new Event.AcquireFailed(acquire, Failures.unwrapped(Objects.requireNonNull(failure))));
    }

    private CompletableFuture<AcquireReply> send(String name, Decision.SendAcquire acquire) {
        String claim = acquire.claim().text();
        return acquire.uncontended()
                ? port.acquireUncontended(name, claim, acquire.leaseMillis(), acquire.inQueue())
                : port.acquire(name, claim, acquire.leaseMillis(), acquire.inQueue());
    }

    /** Sends the heartbeats of a name in as few commands as the port allows. */
    private void dispatchAllButRenewals(Decision.Batch batch) {
        List<Decision.SendAcquire> heartbeats = new ArrayList<>();
        for (Decision decision : batch.decisions()) {
            if (decision instanceof Decision.SendAcquire acquire && acquire.inQueue()) {
                heartbeats.add(acquire);
            } else if (!(decision instanceof Decision.SendRenew)) {
                dispatch(batch.name(), decision);
            }
        }
        int most = port.maxHeartbeatEntries();
        if (most == 1) {
            heartbeats.forEach(heartbeat -> sendAcquire(batch.name(), heartbeat));
            return;
        }
        for (int start = 0; start < heartbeats.size(); start += most) {
            int end = Math.min(heartbeats.size(), start + most);
            sendHeartbeats(batch.name(), heartbeats.subList(start, end));
        }
    }

    private void sendHeartbeats(String name, List<Decision.SendAcquire> heartbeats) {
        List<CommandPort.HeartbeatEntry> entries = heartbeats.stream()
                .map(each -> new CommandPort.HeartbeatEntry(each.claim().text(), each.leaseMillis()))
                .toList();
        CompletableFuture<List<AcquireReply>> answer = Failures.caught(() -> {
            port.listen();
            return port.acquireAll(name, entries);
        });
        answers.expect(answer);
        InFlightAcquire.share(
                heartbeats.stream().map(Decision.SendAcquire::flight).toList(), answer);
        answer.whenComplete((replies, failure) -> {
            for (int i = 0; i < heartbeats.size(); i++) {
                Decision.SendAcquire heartbeat = heartbeats.get(i);
                AcquireReply reply = replies == null ? null : replies.get(i);
                FailureLog.guard(() -> acquireAnswered(name, heartbeat, reply, failure));
            }
        });
    }

    private void sendRenewals(List<Decision.Batch> batches) {
        List<CommandPort.Renewal> renewals = new ArrayList<>();
        List<Decision.SendRenew> sent = new ArrayList<>();
        for (Decision.Batch batch : batches) {
            for (Decision decision : batch.decisions()) {
                if (decision instanceof Decision.SendRenew renew) {
                    renewals.add(renewal(batch.name(), renew));
                    sent.add(renew);
                }
            }
        }
        if (!renewals.isEmpty()) {
            sendRenewals(renewals, sent);
        }
    }

    private static CommandPort.Renewal renewal(String name, Decision.SendRenew renew) {
        return new CommandPort.Renewal(
                name, renew.claim().text(), renew.leaseMillis(), renew.reads(), renew.numbered());
    }

    private void sendRenewals(List<CommandPort.Renewal> renewals, List<Decision.SendRenew> sent) {
        List<CompletableFuture<RenewReply>> replies;
        try {
            replies = port.renew(renewals);
        } catch (Throwable e) {
            if (renewals.size() > 1) {
                // One that cannot be sent must not keep the others from being sent, now and each time again.
                for (int i = 0; i < sent.size(); i++) {
                    sendRenewals(List.of(renewals.get(i)), List.of(sent.get(i)));
                }
                return;
            }
            replies = List.of(CompletableFuture.failedFuture(e));
        }
        for (int i = 0; i < sent.size(); i++) {
            String name = renewals.get(i).name();
            Decision.SendRenew renew = sent.get(i);
            CompletableFuture<RenewReply> answer = replies.get(i);
            if (answer == null) {
                renewAnswered(name, renew, null, null);
            } else {
                if (i == 0) {
                    // They leave together: one shows whether there are answers.
                    answers.expect(answer);
                }
                answer.whenComplete((reply, failure) -> {
                    answers.answered(failure);
                    renewAnswered(name, renew, reply, failure);
                });
            }
        }
    }

    private void renewAnswered(
            String name, Decision.SendRenew renew, @Nullable RenewReply reply, @Nullable Throwable failure) {
        if (reply != null) {
            renewalsRefused.set(false);
        } else if (failure != null) {
            logIfRefused(name, Failures.unwrapped(failure));
        }
        engine.on(name, new Event.RenewAnswered(renew, reply));
    }

    /** The loss that follows only says that the lock was not renewed. */
    private void logIfRefused(String name, Throwable failure) {
        if (BackendProblemException.isAnswer(failure) && renewalsRefused.compareAndSet(false, true)) {
            log.warn(
                    "The renewal of lock '" + MessageText.of(name)
                            + "' was refused. It is repeated until the lease ends, when the lock is lost. No more of this"
                            + " until a renewal succeeds.",
                    failure);
        }
    }

    private void sendNumber(String name, Decision.SendNumber number) {
        Failures.caught(() -> port.number(name, number.claim().text(), number.leaseMillis()))
                .whenComplete((fence, failure) -> {
                    answers.answered(failure);
                    engine.on(name, meaningOf(number, fence, failure));
                });
    }

    private static Event meaningOf(Decision.SendNumber number, @Nullable Long fence, @Nullable Throwable failure) {
        if (fence == null) {
            return new Event.NumberFailed(number, Failures.unwrapped(Objects.requireNonNull(failure)));
        }
        return fence == 0 ? new Event.Gone(number.claim()) : new Event.NumberAnswered(number, fence);
    }
}
