package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockUpgradeException;
import io.distributionlock.ReleaseResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one process knows of one lock: brings each event to the {@link Contender} that it concerns. No I/O, no thread, no clock:
 * the caller says what time it is and keeps events from overlapping.
 *
 * <p>All re-entrant attempts of the process stand behind one contender, which passes the lock on among them. Every other attempt
 * is a contender of its own, so that its place is its place among all attempts of all processes.
 *
 * <p>An owner has at most one tenure of a name: what it asks for while it has one goes into that tenure, whatever the kind.
 */
final class LockState {

    private final String name;
    private final EngineSettings settings;
    private final ClaimNames claims;
    private final Contender together;
    private final Inquiry inquiry;

    /** The contenders of single attempts by their claims, in the order of arrival. */
    private final Map<String, Contender> singles = new LinkedHashMap<>(0);

    LockState(String name, EngineSettings settings, ClaimNames claims) {
        this.name = name;
        this.settings = settings;
        this.claims = claims;
        this.together = new Contender(LockKind.REENTRANT, settings, claims);
        this.inquiry = new Inquiry(settings.heartbeatNanos());
    }

    String name() {
        return name;
    }

    /** Whether this object can be forgotten. */
    boolean isIdle() {
        return together.isIdle() && singles.isEmpty();
    }

    /** When {@link #tick} has to be called at the latest. */
    long due() {
        long due = together.due();
        for (Contender single : singles.values()) {
            due = Math.min(due, single.due());
        }
        return due;
    }

    int holdCount(LockOwner owner, long now) {
        Tenure held = tenureOf(owner, now);
        return held == null ? 0 : held.holdCount();
    }

    int holdCount(LockOwner owner, LockKind kind, long now) {
        Tenure held = tenureOf(owner, now);
        return held == null ? 0 : held.holdCount(kind);
    }

    /** Adds who holds it and who waits for it in this process. */
    void show(SnapshotBuilder snapshot, long now) {
        together.show(snapshot, name, now);
        for (Contender single : singles.values()) {
            single.show(snapshot, name, now);
        }
    }

    private @Nullable Tenure tenureOf(LockOwner owner, long now) {
        Contender holder = contenderOf(owner, now);
        return holder == null ? null : holder.tenureOf(owner, now);
    }

    private @Nullable Contender contenderOf(LockOwner owner, long now) {
        if (together.tenureOf(owner, now) != null) {
            return together;
        }
        for (Contender single : singles.values()) {
            if (single.tenureOf(owner, now) != null) {
                return single;
            }
        }
        return null;
    }

    private @Nullable Contender contenderOf(String claim) {
        return claim.equals(together.claim()) ? together : singles.get(claim);
    }

    // ------------------------------------------------------------------ threads come and go

    void enter(Waiter waiter, long now, List<Decision> out) {
        LockKind kind = waiter.request.kind();
        Contender holder = contenderOf(waiter.owner, now);
        if (holder != null) {
            Tenure held = holder.tenureOf(waiter.owner, now);
            if (held != null && held.isShared() && kind.isExclusive()) {
                out.add(new Decision.Refuse(waiter, new LockUpgradeException(name, kind)));
            } else {
                holder.enter(waiter, now, out);
            }
        } else if (waiter.isSingle() && isKeptOut(kind, now)) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(Times.between(waiter.arrivedAt, now))));
        } else if (kind == LockKind.REENTRANT) {
            together.enter(waiter, now, out);
        } else {
            Contender single = new Contender(kind, settings, claims);
            single.enter(waiter, now, out);
            remember(single);
        }
    }

    private boolean isKeptOut(LockKind kind, long now) {
        if (together.keepsOut(kind, now)) {
            return true;
        }
        for (Contender single : singles.values()) {
            if (single.keepsOut(kind, now)) {
                return true;
            }
        }
        return false;
    }

    /** Takes a waiter out, unless its outcome is decided already. */
    boolean leave(Waiter waiter, long now, List<Decision> out) {
        if (waiter.request.kind() == LockKind.REENTRANT) {
            return together.leave(waiter, now, out);
        }
        for (Map.Entry<String, Contender> entry : singles.entrySet()) {
            if (entry.getValue().leave(waiter, now, out)) {
                settle(entry.getKey(), entry.getValue());
                return true;
            }
        }
        return false;
    }

    /**
     * Ends a hold.
     *
     * @return how that ended, or {@code null} if the ticket will be told by the answer to the release
     */
    @Nullable
    ReleaseResult exit(Hold hold, ReleaseTicket ticket, long now, List<Decision> out) {
        String claim = hold.tenure.claim;
        Contender holder = contenderOf(claim);
        if (holder == null) {
            ReleaseResult result = hold.released ? ReleaseResult.ALREADY_RELEASED : ReleaseResult.LOST;
            hold.released = true;
            return result;
        }
        ReleaseResult result = holder.exit(hold, ticket, now, out);
        if (holder == together) {
            Tenure shared = together.yieldShared(now, out);
            if (shared != null) {
                remember(Contender.reading(shared, settings, claims));
            }
        } else {
            settle(claim, holder);
        }
        return result;
    }

    /** Lets a hold last at least this long from now on. */
    void extend(Hold hold, long nanos, Extension extension, long now, List<Decision> out) {
        onClaim(
                hold.tenure.claim,
                holder -> holder.extend(hold, nanos, extension, now, out),
                () -> out.add(new Decision.Answer(extension, false)));
    }

    /** Asks whether a hold is still held. */
    void confirm(Hold hold, Extension confirmation, long now, List<Decision> out) {
        onClaim(
                hold.tenure.claim,
                holder -> holder.confirm(hold, confirmation, now, out),
                () -> out.add(new Decision.Answer(confirmation, false)));
    }

    /** Remembers who wants to know when a hold is lost, or tells at once if it is lost already. */
    void whenLost(Hold hold, Runnable listener, long now, List<Decision> out) {
        onClaim(hold.tenure.claim, holder -> holder.whenLost(hold, listener, now, out), () -> {
            if (!hold.released) {
                out.add(new Decision.TellLoss(List.of(listener)));
            }
        });
    }

    // ------------------------------------------------------------------ answers, messages and the connection

    void acquireAnswered(
            String claim, long sentAt, long leaseMillis, AcquireReply reply, long now, List<Decision> out) {
        onClaim(claim, contender -> contender.acquireAnswered(claim, sentAt, leaseMillis, reply, now, out));
        if (reply instanceof AcquireReply.Busy busy && has(claim) && inquiry.isDue(busy.fence(), now)) {
            out.add(new Decision.Inquire());
        }
    }

    void acquireFailed(String claim, long sentAt, Throwable cause, long now, List<Decision> out) {
        onClaim(claim, contender -> contender.acquireFailed(claim, sentAt, cause, now, out));
    }

    void renewAnswered(
            String claim,
            long sentAt,
            long leaseMillis,
            RenewReply reply,
            @Nullable Extension extension,
            long now,
            List<Decision> out) {
        onClaim(
                claim,
                holder -> holder.renewAnswered(claim, sentAt, leaseMillis, reply, extension, now, out),
                () -> answerNo(extension, out));
    }

    void renewFailed(String claim, long sentAt, @Nullable Extension extension, long now, List<Decision> out) {
        onClaim(
                claim,
                holder -> holder.renewFailed(claim, sentAt, extension, now, out),
                () -> answerNo(extension, out));
    }

    private static void answerNo(@Nullable Extension extension, List<Decision> out) {
        if (extension != null) {
            out.add(new Decision.Answer(extension, false));
        }
    }

    /** Says whether the claim is one that stands here; if it does not, nobody wants what it was granted. */
    boolean granted(String claim, long fence, long now, List<Decision> out) {
        boolean known = has(claim);
        onClaim(claim, bidder -> bidder.granted(claim, fence, now, out));
        return known;
    }

    /** Whether a claim waits here, or owns the lock. */
    boolean has(String claim) {
        return contenderOf(claim) != null;
    }

    /** The claim has the lock no longer, whatever it believes. */
    void revoked(String claim, long now, List<Decision> out) {
        onClaim(claim, holder -> holder.revoked(claim, now, out));
    }

    /** Messages are received from now on, and earlier ones may be missing, of a grant or of a release by force: ask at once. */
    void listening(long now, List<Decision> out) {
        inquiry.soon();
        onAll(contender -> contender.listening(now, out));
    }

    /** Redis may have lost everything, and what was under way may run twice. */
    void reconnected(long now, List<Decision> out) {
        inquiry.soon();
        onAll(contender -> contender.reconnected(now, out));
    }

    // ------------------------------------------------------------------ time

    void tick(long now, List<Decision> out) {
        onAll(contender -> contender.tick(now, out));
    }

    /** The process stops: nobody waits any longer. Who holds goes on. */
    void refuseWaiters(Throwable cause, long now, List<Decision> out) {
        onAll(contender -> contender.refuseWaiters(cause, now, out));
    }

    /** The process has waited long enough for its holders: whoever still holds has lost. */
    void takeAway(long now, List<Decision> out) {
        onAll(contender -> contender.takeAway(now, out));
    }

    // ------------------------------------------------------------------ whom an event concerns

    private interface Step {
        void on(Contender contender);
    }

    /** What comes for a claim that is no longer a contender's comes too late, and says nothing. */
    private void onClaim(String claim, Step step) {
        onClaim(claim, step, () -> {});
    }

    private void onClaim(String claim, Step step, Runnable tooLate) {
        Contender contender = contenderOf(claim);
        if (contender == null) {
            tooLate.run();
            return;
        }
        step.on(contender);
        if (contender != together) {
            settle(claim, contender);
        }
    }

    private void onAll(Step step) {
        step.on(together);
        if (singles.isEmpty()) {
            return;
        }
        for (Map.Entry<String, Contender> entry : new ArrayList<>(singles.entrySet())) {
            step.on(entry.getValue());
            settle(entry.getKey(), entry.getValue());
        }
    }

    /** After an event a contender may have a new claim, or nothing left to do. */
    private void settle(String claimBefore, Contender single) {
        if (!claimBefore.equals(single.claim())) {
            singles.remove(claimBefore);
            remember(single);
        }
    }

    private void remember(Contender single) {
        String claim = single.claim();
        if (claim != null) {
            singles.put(claim, single);
        }
    }
}
