package io.distributionlock.state;

import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The holders of a lock in this process by one {@link Ownership}: one owner after another, each of which may acquire it several times. */
final class Holders {

    private static final int LAST_LOCAL_NUMBER = (1 << Ownership.LOCAL_BITS) - 1;

    /** Links to the earlier ones: most locks have one, and a process may hold very many locks. */
    private @Nullable Hold latest;

    private @Nullable LockOwner owner;

    /** A short: a process may hold very many locks. */
    private short localNumber = -1;

    /** The latest minimum hold time of the released holds. Each of the others has its own. */
    private long minHoldUntil;

    private boolean lastWasRenewed;

    /** Read without the engine's lock. */
    private volatile long end = Times.NEVER;

    /** Whether this owner holds the lock and may re-enter. */
    boolean include(LockOwner candidate) {
        return Objects.equals(owner, candidate) && !isEmpty();
    }

    /** The owner of all holds. */
    LockOwner owner() {
        return Objects.requireNonNull(owner);
    }

    int count() {
        int count = 0;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            count++;
        }
        return count;
    }

    boolean isEmpty() {
        return latest == null;
    }

    /** In the order in which they began. */
    List<Hold> all() {
        List<Hold> all = new ArrayList<>(1);
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            all.add(hold);
        }
        Collections.reverse(all);
        return all;
    }

    List<LossListener> takeLossListeners() {
        List<LossListener> listeners = new ArrayList<>();
        for (Hold hold : all()) {
            listeners.addAll(hold.takeLossListeners());
        }
        return listeners;
    }

    // ------------------------------------------------------------------ changes

    /** Adds the first hold of an owner, with a fencing token of its own. */
    Hold admit(Waiter waiter, Ownership ownership, long now) {
        owner = waiter.owner;
        localNumber++;
        minHoldUntil = 0;
        return add(waiter, ownership, now);
    }

    /** Adds a hold of the present owner. */
    Hold add(Waiter waiter, Ownership ownership, long now) {
        Hold hold = new Hold(ownership, waiter, localNumber, now, endOf(waiter, ownership, now));
        hold.earlier = latest;
        latest = hold;
        lastWasRenewed = waiter.request.renewed();
        hold.minHoldUntil = Times.after(now, waiter.request.minHoldTime().toNanos());
        computeEnd();
        return hold;
    }

    private long endOf(Waiter waiter, Ownership ownership, long now) {
        if (waiter.request.renewed()) {
            return waiter.request.maxHoldTime() == null
                    ? Times.NEVER
                    : Times.after(now, waiter.request.maxHoldTime().toNanos());
        }
        long holdEnd = Times.after(now, waiter.holdNanos());
        boolean isFirst = isEmpty() && localNumber == 0;
        // The lease was acquired for this hold, a moment before the hold could begin: the two end together.
        return isFirst && ownership.leaseNanos() >= waiter.holdNanos()
                ? Math.min(holdEnd, ownership.deadline())
                : holdEnd;
    }

    void remove(Hold hold) {
        unlink(hold);
        minHoldUntil = Math.max(minHoldUntil, hold.minHoldUntil);
        if (!isEmpty()) {
            computeEnd();
        } else {
            end = Times.NEVER;
        }
    }

    private void unlink(Hold hold) {
        if (latest == hold) {
            latest = hold.earlier;
            return;
        }
        for (Hold later = latest; later != null; later = later.earlier) {
            if (later.earlier == hold) {
                later.earlier = hold.earlier;
                return;
            }
        }
    }

    /** Lets a hold end no sooner than this. */
    void extend(Hold hold, long until) {
        hold.end = Math.max(hold.end, until);
        computeEnd();
    }

    private void computeEnd() {
        long last = 0;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            last = Math.max(last, hold.end);
        }
        end = last;
    }

    // ------------------------------------------------------------------ what they need

    /** When the last of them ends even if it is not released. */
    long end() {
        return end;
    }

    /** How long the lock has to stay taken if it is released now. */
    long minHoldMillis(long now) {
        long until = minHoldUntil;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            until = Math.max(until, hold.minHoldUntil);
        }
        return until > now ? Times.coveringMillis(until - now) : 0;
    }

    /** The lease to ask for; 0 if what is left until the deadline suffices. */
    long leaseMillis(long deadline, long now) {
        long millis = 0;
        for (Hold hold = latest; hold != null; hold = hold.earlier) {
            if (hold.isRenewed()) {
                millis = Math.max(millis, hold.renewedMillis);
            } else if (hold.end > deadline) {
                millis = Math.max(millis, Times.coveringMillis(hold.end - now));
            }
        }
        return millis;
    }

    /** Whether the latest holder and this waiter both want their leases renewed. */
    boolean areRenewedLike(Waiter next) {
        return lastWasRenewed && next.request.renewed();
    }

    /** Whether one more owner has a fencing token of its own. */
    boolean mayBeFollowed() {
        return localNumber < LAST_LOCAL_NUMBER;
    }
}
