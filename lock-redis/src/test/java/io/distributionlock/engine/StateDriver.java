package io.distributionlock.engine;

import static io.distributionlock.engine.Words.text;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.monitor.LockSnapshot;
import io.distributionlock.state.Ownership;
import io.distributionlock.state.Times;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Lets the events of a {@link StateFile} happen to one process, and writes down the commands it sends and what its callers are told.
 * Time passes only as the file says.
 */
final class StateDriver extends EventDriver {

    /** Its heartbeats are at whole seconds. */
    private static final String USUAL_NAME = "job:65628";

    private final Map<String, LockOwner> owners = new HashMap<>();
    private final Map<String, CompletableFuture<LockOutcome>> attempts = new HashMap<>();
    private final Map<String, EngineLease> leases = new HashMap<>();
    private long now;

    /** When the time that passes began to, if it does. */
    private long passesSince = -1;

    private boolean stops;
    private ScriptedPort port;
    private LockEngine engine;

    StateDriver() {
        begin();
    }

    @Override
    protected void happens(String verb, Words words) {
        switch (verb) {
            case "process" -> begin(words);
            case "<-" -> arrive(words.next(), words);
            case "usually" -> port.usualAnswers.put(words.next(), words.rest());
            case "pass" -> pass(Words.duration(words.next()));
            case "stall" -> now += Words.duration(words.next()).toNanos();
            case "lock" -> lock(words.next(), words);
            case "locked?" ->
                OffloadedFuture.source(engine.isLocked(USUAL_NAME))
                        .whenComplete((yes, failure) ->
                                write(failure == null ? "locked: " + yes : "locked: " + reason(failure)));
            case "show" -> show();
            case "stop" -> {
                stops = true;
                engine.stop(Duration.ZERO);
            }
            default -> ofAttempt(verb, words.next(), words);
        }
    }

    @Override
    protected void begin() {
        begin(new Words("process"));
    }

    private void begin(Words words) {
        EngineSettings settings = new EngineSettings(
                "me",
                words.time("timeout", "2s"),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                (int) words.number("handovers", 128),
                words.time("handover-time", "10ms"));
        owners.clear();
        attempts.clear();
        leases.clear();
        now = 0;
        stops = false;
        int maxHeartbeatEntries = words.has("apart") ? 1 : CommandPort.MAX_HEARTBEAT_ENTRIES;
        port = new ScriptedPort(USUAL_NAME, words.time("poll", "0s").toMillis(), maxHeartbeatEntries, this::write);
        engine = new LockEngine(port, settings, this::clock, Runnable::run);
    }

    private long clock() {
        // Who stops waits on the clock.
        return stops ? now += Times.nanos(100) : now;
    }

    @Override
    protected void write(String line) {
        super.write(passesSince < 0 ? line : "+" + text((now - passesSince) / 1_000_000) + " " + line);
    }

    // ------------------------------------------------------------------ time, answers and messages

    /** Lets time pass, and what is due in it happen as the engine's thread would let it. */
    private void pass(Duration time) {
        passesSince = now;
        long end = now + time.toNanos();
        for (long next = due(now); next <= end; next = due(now + Times.nanos(1))) {
            now = next;
            engine.tick();
        }
        now = end;
        passesSince = -1;
    }

    /** When the next tick is due, in whole milliseconds, but not before this. */
    private long due(long earliest) {
        return Math.max(earliest, Times.after(engine.due(), 999_999) / 1_000_000 * 1_000_000);
    }

    private void arrive(String what, Words words) {
        switch (what) {
            case "granted" -> port.listener.granted(words.get("name", USUAL_NAME), words.next());
            case "probe" -> port.listener.probed(words.get("name", USUAL_NAME), words.next());
            case "revoked" -> port.listener.revoked(words.get("name", USUAL_NAME), words.next());
            case "listening" -> port.listener.listening();
            case "reconnected" -> port.listener.reconnected();
            default -> port.answer(Integer.parseInt(what.substring(1)), words.rest());
        }
    }

    // ------------------------------------------------------------------ callers

    private void lock(String who, Words words) {
        LockRequest.Builder request =
                LockRequest.named(words.get("name", USUAL_NAME)).label(who).tryLockTime(words.time("wait", "0s"));
        Duration lease = words.time("lease", "60s");
        Duration hold = words.time("hold", "0s");
        Duration max = words.time("max", "0s");
        request = hold.isZero() ? request.renewedLease(lease) : request.holdLockTime(hold);
        if (!max.isZero()) {
            request.maxHoldTime(max);
        }
        request.minHoldTime(words.time("min", "0s"));
        for (LockKind kind : List.of(LockKind.FAIR, LockKind.READ, LockKind.WRITE)) {
            if (words.has(kind.name().toLowerCase(Locale.ROOT))) {
                request.kind(kind);
            }
        }
        int permits = (int) words.number("permits", 0);
        if (permits > 0) {
            request.permits(permits);
        }
        if (words.has("fenced")) {
            request.fenced();
        }
        if (words.has("new-only")) {
            request.refuseReentry();
        }
        LockOwner owner = owners.computeIfAbsent(words.get("as", who), unused -> LockOwner.unique());
        CompletableFuture<LockOutcome> attempt = engine.acquire(request.build(), owner);
        attempts.put(who, attempt);
        attempt.whenComplete((outcome, failure) -> {
            if (outcome instanceof LockOutcome.Acquired acquired) {
                EngineLease lent = (EngineLease) acquired.lease();
                leases.put(who, lent);
                write(who + ": granted" + (lent.knownFencingToken().isEmpty() ? "" : ", " + token(lent)));
                lent.onLost(lost -> write(who + ": lost, " + words(lost.lossReason())));
            } else {
                write(who + ": " + (failure == null ? described(outcome) : "cancelled"));
            }
        });
    }

    private static String described(LockOutcome outcome) {
        LockOutcome.NotAcquired refused = (LockOutcome.NotAcquired) outcome;
        String what = words(refused.reason());
        if (refused instanceof LockOutcome.Busy busy && busy.byOwner()) {
            what += ", holds it itself";
        } else if (refused instanceof LockOutcome.Upgrade) {
            what += ", reads it itself";
        }
        what += refused.waited().isZero() ? "" : " after " + text(refused.waited());
        if (refused instanceof LockOutcome.BackendFailed failed) {
            what += ", " + reason(failed.cause());
            // Such as one that tells of more time than has passed.
            for (String fault : MessageRules.faults(failed.cause().getMessage(), failed.waited())) {
                what += ", by a message that " + fault;
            }
        }
        return what;
    }

    private void ofAttempt(String verb, String who, Words words) {
        EngineLease lease = leases.get(who);
        switch (verb) {
            case "cancel" -> {
                if (!attempts.get(who).cancel(true)) {
                    write(who + ": not cancelled");
                }
            }
            case "complete" -> attempts.get(who).complete(new LockOutcome.Busy(Duration.ZERO));
            case "unlock" ->
                lease.releaseWithoutWaiting()
                        .thenAccept(result ->
                                write(who + ": " + (result == ReleaseResult.LOST ? "not held" : words(result))));
            case "extend" ->
                lease.extendWithoutWaiting(Words.duration(words.next()))
                        .thenAccept(held -> write(who + (held ? ": extended" : ": not extended")));
            case "confirm" ->
                lease.confirmWithoutWaiting()
                        .thenAccept(held -> write(who + (held ? ": confirmed" : ": not confirmed")));
            case "token" ->
                lease.tokenWithoutWaiting()
                        .whenComplete((token, failure) ->
                                write(who + ": " + (failure == null ? token(lease) : "no token, " + reason(failure))));
            case "waive" -> lease.waiveMinHoldTime();
            case "hear" -> lease.onLost(lost -> write(who + ": hears that it is lost, " + words(lost.lossReason())));
            case "why" -> write(who + ": " + words(lease.lossReason()));
            case "left" -> write(who + ": " + (lease.isValid() ? text(lease.remaining()) + " left" : "over"));
            case "holds" -> write(who + ": holds " + engine.holdCount(USUAL_NAME, owners.get(who)));
            default -> throw new IllegalArgumentException("What does '" + verb + "' mean?");
        }
    }

    private static String token(EngineLease lease) {
        long token = lease.knownFencingToken().orElseThrow();
        return "token " + (token >> Ownership.LOCAL_BITS) + "." + (token & (1 << Ownership.LOCAL_BITS) - 1);
    }

    private static String reason(Throwable failure) {
        Throwable cause = Failures.unwrapped(failure);
        if (cause instanceof TimeoutException) {
            return "no answer";
        }
        if (cause instanceof IllegalStateException) {
            return cause.getMessage().contains("was released") ? "released" : "lost";
        }
        if (cause.getCause() != null) {
            return reason(cause.getCause());
        }
        return cause instanceof BackendProblemException problem ? problem.description() : cause.getMessage();
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    // ------------------------------------------------------------------ what is known of it

    private void show() {
        LockSnapshot snapshot = engine.snapshot();
        snapshot.held().forEach(held -> write(held.label() + " holds it by " + held.claim()));
        snapshot.waiting().forEach(waiting -> write(waiting.label() + " waits"));
        if (engine.activeNames() == 0) {
            write("forgotten");
        }
    }
}
