package io.distributionlock.local;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One name as the backend keeps it: who owns it and until when, who waits, and which waiting processes count as alive. The
 * rules are those of the Redis scripts, step for step; a change there belongs here too.
 *
 * <p>Not thread-safe; times are nanoseconds of the backend's clock.
 */
final class LocalLock {

    /** How long a lock that was handed over waits for its new owner to confirm. */
    static final long GRANT_LEASE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** How long one sign of life makes a waiting process count as alive. */
    static final long LIVE_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** How long the queue is kept when no waiter asks any more. */
    static final long QUEUE_LIFE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String KEPT = "kept:";

    private final String name;
    private final FenceClock fences;
    private final Consumer<Message> outbox;

    private @Nullable String owner;
    private long ownedUntil;
    private long fence;
    /** In the order of arrival. */
    private final Set<String> queue = new LinkedHashSet<>();

    private final Map<String, Long> aliveUntil = new HashMap<>();
    private long queueUntil;

    LocalLock(String name, FenceClock fences, Consumer<Message> outbox) {
        this.name = name;
        this.fences = fences;
        this.outbox = outbox;
    }

    AcquireReply acquire(String claim, long leaseNanos, boolean wait, long now) {
        expire(now);
        if (claim.equals(owner)) {
            prolong(leaseNanos, now);
            return new AcquireReply.Ok(fence, queue.size());
        }
        if (wait) {
            // Before the purge below, which must not drop the one that is just asking.
            aliveUntil.put(Claims.instanceOf(claim), now + LIVE_WINDOW_NANOS);
            queueUntil = now + QUEUE_LIFE_NANOS;
        }
        if (owner == null) {
            String first = firstLiveWaiter(now);
            if (first == null || first.equals(claim)) {
                own(claim, leaseNanos, now);
                return new AcquireReply.Ok(fence, queue.size());
            }
            grant(first, now);
        }
        if (wait) {
            queue.add(claim);
        }
        return new AcquireReply.Busy(leaseLeftMillis(now), fence);
    }

    ReleaseReply release(String claim, long keepNanos, long now) {
        expire(now);
        if (!claim.equals(owner)) {
            leaveQueue(claim);
            return ReleaseReply.NOT_MINE;
        }
        if (keepNanos > 0) {
            owner = KEPT + claim;
            ownedUntil = now + keepNanos;
        } else {
            passOn(now);
        }
        return ReleaseReply.RELEASED;
    }

    RenewReply renew(String claim, long leaseNanos, long now) {
        expire(now);
        if (!claim.equals(owner)) {
            return new RenewReply(false, queue.size());
        }
        prolong(leaseNanos, now);
        return new RenewReply(true, queue.size());
    }

    /** Frees the lock whoever owns it, and tells the owner. Says whether anybody owned it. */
    boolean forceRelease(long now) {
        expire(now);
        if (owner == null) {
            return false;
        }
        if (!owner.startsWith(KEPT)) {
            outbox.accept(Message.revoked(name, owner));
        }
        passOn(now);
        return true;
    }

    boolean isOwned(long now) {
        expire(now);
        return owner != null;
    }

    Optional<String> holder(long now) {
        expire(now);
        return Optional.ofNullable(owner).filter(claim -> !claim.startsWith(KEPT));
    }

    List<String> waiters(long now) {
        expire(now);
        return List.copyOf(queue);
    }

    /** Whether nothing is lost when the name is forgotten. */
    boolean isForgettable(long now) {
        expire(now);
        return owner == null && queue.isEmpty();
    }

    private void expire(long now) {
        if (owner != null && ownedUntil - now <= 0) {
            owner = null;
        }
        if (!queue.isEmpty() && queueUntil - now <= 0) {
            queue.clear();
            aliveUntil.clear();
        }
    }

    private void prolong(long leaseNanos, long now) {
        if (now + leaseNanos - ownedUntil > 0) {
            ownedUntil = now + leaseNanos;
        }
    }

    private void own(String claim, long leaseNanos, long now) {
        owner = claim;
        ownedUntil = now + leaseNanos;
        fence = fences.next(now);
        leaveQueue(claim);
    }

    private void passOn(long now) {
        owner = null;
        String next = firstLiveWaiter(now);
        if (next != null) {
            grant(next, now);
        }
    }

    private void grant(String claim, long now) {
        own(claim, GRANT_LEASE_NANOS, now);
        outbox.accept(Message.granted(name, claim, fence));
    }

    private @Nullable String firstLiveWaiter(long now) {
        Iterator<String> waiting = queue.iterator();
        while (waiting.hasNext()) {
            String claim = waiting.next();
            String instance = Claims.instanceOf(claim);
            Long until = aliveUntil.get(instance);
            if (until != null && until - now > 0) {
                return claim;
            }
            waiting.remove();
            aliveUntil.remove(instance);
        }
        aliveUntil.clear();
        return null;
    }

    private void leaveQueue(String claim) {
        queue.remove(claim);
        if (queue.isEmpty()) {
            aliveUntil.clear();
        }
    }

    /** Rounded up, so that whoever waits that long does not come just too early. */
    private long leaseLeftMillis(long now) {
        return TimeUnit.NANOSECONDS.toMillis(ownedUntil - now + 999_999);
    }
}
