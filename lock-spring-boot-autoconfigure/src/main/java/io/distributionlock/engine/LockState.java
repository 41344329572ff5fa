package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockUpgradeException;
import io.distributionlock.ReleaseResult;
import java.util.List;
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

    /** A large odd number, by which names that are nearly the same are far apart. */
    private static final long HASH_SPREAD = 0x9E3779B97F4A7C15L;

    private final String name;
    private final EngineSettings settings;
    private final ClaimNames claims;
    private final Contender together;
    private final long beatPhase;
    private final Inquiry inquiry;

    /** The contenders of single attempts; made for the first of them. */
    private @Nullable Singles singles;

    LockState(String name, EngineSettings settings, ClaimNames claims) {
        this.name = name;
        this.settings = settings;
        this.claims = claims;
        // So that a process that waits for many names does not ask for all of them at one moment.
        this.beatPhase = Math.floorMod((long) name.hashCode() * HASH_SPREAD, settings.heartbeatNanos());
        this.together = new Contender(LockKind.REENTRANT, settings, claims, beatPhase);
        this.inquiry = new Inquiry(settings.heartbeatNanos());
    }

    String name() {
        return name;
    }

    /** Whether this object can be forgotten. */
    boolean isIdle() {
        return together.isIdle() && (singles == null || singles.isEmpty());
    }

    /** When {@link #tick} has to be called at the latest. */
    long due() {
        long due = together.due();
        return singles == null ? due : Math.min(due, singles.due());
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
        if (singles != null) {
            singles.all().forEach(single -> single.show(snapshot, name, now));
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
        return singles == null ? null : singles.heldBy(owner, now);
    }

    private @Nullable Contender contenderOf(String claim) {
        if (claim.equals(together.claim())) {
            return together;
        }
        return singles == null ? null : singles.get(claim);
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
                String claim = holder.claim();
                holder.enter(waiter, now, out);
                if (holder != together) {
                    settle(claim, holder);
                }
            }
        } else if (waiter.isSingle() && isKeptOut(kind, now)) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(Times.between(waiter.arrivedAt, now))));
        } else if (kind == LockKind.REENTRANT) {
            together.enter(waiter, now, out);
        } else {
            Contender single = new Contender(kind, settings, claims, beatPhase);
            waiter.single = single;
            single.enter(waiter, now, out);
            settle(null, single);
        }
    }

    private boolean isKeptOut(LockKind kind, long now) {
        return together.keepsOut(kind, now) || singles != null && singles.keepOut(kind, now);
    }

    /** Takes a waiter out, unless its outcome is decided already. */
    boolean leave(Waiter waiter, long now, List<Decision> out) {
        if (waiter.request.kind() == LockKind.REENTRANT) {
            return together.leave(waiter, now, out);
        }
        Contender single = waiter.single;
        String claim = single == null ? null : single.claim();
        if (single == null || !single.leave(waiter, now, out)) {
            return false;
        }
        settle(claim, single);
        return true;
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
                settle(null, Contender.reading(shared, settings, claims, beatPhase));
            }
        } else {
            settle(claim, holder);
        }
        return result;
    }

    /** The owner of a hold goes on to other things, and leaves it to work that goes on without him. */
    void detach(Hold hold) {
        onClaim(hold.tenure.claim, holder -> hold.detached = true, () -> hold.detached = true);
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

    void checkAnswered(
            String claim, long sentAt, RenewReply reply, List<Extension> asking, long now, List<Decision> out) {
        onClaim(
                claim,
                holder -> holder.checkAnswered(claim, sentAt, reply, asking, now, out),
                () -> asking.forEach(each -> answerNo(each, out)));
    }

    void checkFailed(String claim, long sentAt, List<Extension> asking, long now, List<Decision> out) {
        onClaim(
                claim,
                holder -> holder.checkFailed(claim, sentAt, asking, now, out),
                () -> asking.forEach(each -> answerNo(each, out)));
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
        together.tick(now, out);
        if (singles != null) {
            on(singles.due(now), single -> single.tick(now, out));
        }
    }

    /** How many contenders events have looked at one after another so far. */
    long visits() {
        return singles == null ? 0 : singles.visits;
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
        if (singles != null) {
            on(singles.all(), step);
        }
    }

    private void on(List<Contender> some, Step step) {
        for (Contender single : some) {
            String claim = single.claim();
            step.on(single);
            settle(claim, single);
        }
    }

    /** After an event a contender may have a new claim, or nothing left to do. */
    private void settle(@Nullable String claimBefore, Contender single) {
        if (singles == null) {
            singles = new Singles();
        }
        singles.settle(claimBefore, single);
    }
}
