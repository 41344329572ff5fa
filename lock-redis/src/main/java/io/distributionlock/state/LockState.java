package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.internal.Internal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one process knows of one lock: passes each event to the {@link RequestQueue} that it concerns. It has no I/O, thread or clock:
 * the caller passes the time and serializes events.
 *
 * <p>One queue is for all re-entrant attempts of the process, and passes the lock on among them. Every other attempt
 * has a queue of its own, so that its place is its place among all attempts of all processes.
 *
 * <p>An owner has at most one ownership of a name: all that it acquires meanwhile joins that ownership, whatever its kind.
 *
 * @hidden
 */
@Internal
public final class LockState {

    private final String name;
    private final StateContext context;
    private final RequestQueue reentrant;

    /** Created when it is first needed. */
    private @Nullable OwnerProbeSchedule ownerProbe;

    /** The queues of single attempts; created for the first of them. */
    private @Nullable SingleRequestQueues singles;

    public LockState(String name, StateContext context) {
        this.name = name;
        this.context = context;
        this.reentrant = new RequestQueue(LockKind.REENTRANT, context);
    }

    public String name() {
        return name;
    }

    /** Whether this object can be discarded. */
    public boolean isIdle() {
        return reentrant.isIdle() && (singles == null || singles.isEmpty());
    }

    /** When the next {@link Event.Tick} is due. */
    public long due() {
        long due = reentrant.due();
        return singles == null ? due : Math.min(due, singles.due());
    }

    public int holdCount(LockOwner owner, long now) {
        Ownership held = ownershipOf(owner, now);
        return held == null ? 0 : held.holders.count();
    }

    /** Adds this process's holds and waiters. */
    public void show(SnapshotBuilder snapshot, long now) {
        queues().forEach(queue -> queue.show(snapshot, name, now));
    }

    List<RequestQueue> queues() {
        List<RequestQueue> all = new ArrayList<>(1);
        all.add(reentrant);
        if (singles != null) {
            all.addAll(singles.all());
        }
        return all;
    }

    private @Nullable Ownership ownershipOf(LockOwner owner, long now) {
        Ownership shared = reentrant.ownershipOf(owner, now);
        return shared != null || singles == null ? shared : singles.ownershipOf(owner, now);
    }

    private @Nullable RequestQueue queueOf(Claim claim) {
        if (claim.equals(reentrant.claim())) {
            return reentrant;
        }
        return singles == null ? null : singles.get(claim);
    }

    // ------------------------------------------------------------------ events

    /**
     * Lets an event happen.
     *
     * @param out receives what is to be done about it
     * @return whether the claim or attempt that it concerns is known here
     */
    public boolean on(Event event, long now, List<Decision> out) {
        if (event instanceof Event.OfClaim ofClaim) {
            return on(ofClaim, now, out);
        }
        if (event instanceof Event.Acquire acquire) {
            acquire(acquire.waiter(), now, out);
        } else if (event instanceof Event.Cancel cancel) {
            return cancel(cancel.waiter(), now, out);
        } else if (event instanceof Event.OfAll ofAll) {
            on(ofAll, now, out);
        }
        return true;
    }

    private boolean on(Event.OfClaim event, long now, List<Decision> out) {
        RequestQueue queue = queueOf(event.claim());
        if (queue == null) {
            event.onUnknownClaim(out);
            return false;
        }
        try {
            queue.on(event, now, out);
        } finally {
            settle(queue);
        }
        if (event instanceof Event.AcquireAnswered answered) {
            probeOwnersIfDue(answered, now, out);
        }
        return true;
    }

    private void on(Event.OfAll event, long now, List<Decision> out) {
        if (event instanceof Event.Listening || event instanceof Event.Reconnected) {
            ownerProbe().soon();
        }
        reentrant.on(event, now, out);
        if (singles == null) {
            return;
        }
        for (SingleRequestQueue single : event instanceof Event.Tick ? singles.dueAt(now) : singles.all()) {
            try {
                single.on(event, now, out);
            } finally {
                singles.settle(single);
            }
        }
    }

    private void acquire(Waiter waiter, long now, List<Decision> out) {
        LockKind kind = waiter.request.kind();
        Ownership held = ownershipOf(waiter.owner, now);
        if (held != null) {
            acquireAgain(held, waiter, now, out);
        } else if (waiter.isSingle() && isExcluded(kind, now)) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now))));
        } else if (kind == LockKind.REENTRANT) {
            reentrant.acquire(waiter, now, out);
        } else {
            SingleRequestQueue single = new SingleRequestQueue(kind, waiter.owner, context, singles().heartbeats);
            waiter.ownQueue = single;
            single.acquire(waiter, now, out);
            singles().add(single);
        }
    }

    private void acquireAgain(Ownership held, Waiter waiter, long now, List<Decision> out) {
        LockKind kind = waiter.request.kind();
        Claim claim = held.claim();
        RequestQueue holder = Objects.requireNonNull(queueOf(claim));
        if (waiter.request.refuseReentry()) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Busy(waiter.waited(now), true)));
        } else if (holder.isOppositeOf(kind)) {
            out.add(new Decision.Fail(waiter, waiter.incompatibleWith(claim.text(), now)));
        } else if (held.isShared() && kind.isExclusive()) {
            out.add(new Decision.Fail(waiter, new LockOutcome.Upgrade(waiter.waited(now), kind)));
        } else {
            holder.acquire(waiter, now, out);
            settle(holder);
        }
    }

    private boolean isExcluded(LockKind kind, long now) {
        return reentrant.excludes(kind, now) || singles != null && singles.exclude(kind, now);
    }

    private boolean cancel(Waiter waiter, long now, List<Decision> out) {
        if (waiter.request.kind() == LockKind.REENTRANT) {
            return reentrant.cancel(waiter, now, out);
        }
        SingleRequestQueue single = waiter.ownQueue;
        if (single == null || !single.cancel(waiter, now, out)) {
            return false;
        }
        singles().settle(single);
        return true;
    }

    private void probeOwnersIfDue(Event.AcquireAnswered event, long now, List<Decision> out) {
        if (event.reply() instanceof AcquireReply.Busy busy
                && queueOf(event.claim()) != null
                && ownerProbe().isDue(busy.fence(), now)) {
            out.add(new Decision.ProbeOwners());
        }
    }

    private OwnerProbeSchedule ownerProbe() {
        if (ownerProbe == null) {
            ownerProbe = new OwnerProbeSchedule(context.settings().heartbeatNanos());
        }
        return ownerProbe;
    }

    private void settle(RequestQueue queue) {
        if (queue instanceof SingleRequestQueue single) {
            singles().settle(single);
        }
    }

    private SingleRequestQueues singles() {
        if (singles == null) {
            singles = new SingleRequestQueues(
                    new HeartbeatSchedule(name, context.settings().heartbeatNanos()));
        }
        return singles;
    }
}
