package io.distributionlock.model;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.monitor.LockInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One name in the backend: its owner, or its readers or holders of permits, and their deadlines, its queue, and which waiting processes
 * count as alive. The rules are those of the Redis scripts, step by step, without their limits on the work of one run; a change there
 * belongs here too.
 *
 * <p>Not thread-safe; times are nanoseconds of the backend's clock.
 */
final class ModelLock {

    /** How long the queue is kept when no waiter asks any longer. */
    static final long QUEUE_LIFE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String name;
    private final FenceClock fences;
    private final Consumer<ModelMessage> outbox;

    /**
     * By instance: the lease of a lock that was handed over and is not confirmed yet, and how long a waiting process counts as alive
     * after a sign of life.
     */
    private final ToLongFunction<String> grantLeaseNanos;

    private @Nullable String owner;
    private long ownedUntil;
    private long fence;

    /** The claim that the last fencing number was drawn for. An uncontended acquire draws none. */
    private @Nullable String numbered;

    /** The readers, or the claims with a permit each, with the ends of their leases. */
    private final Map<String, Long> readers = new HashMap<>();

    /** In the order of arrival. */
    private final Set<String> queue = new LinkedHashSet<>();

    private final Map<String, Long> aliveUntil = new HashMap<>();

    private long queueUntil;

    ModelLock(String name, FenceClock fences, Consumer<ModelMessage> outbox, ToLongFunction<String> grantLeaseNanos) {
        this.name = name;
        this.fences = fences;
        this.outbox = outbox;
        this.grantLeaseNanos = grantLeaseNanos;
    }

    AcquireReply acquire(String claim, long leaseNanos, boolean wait, long now) {
        expire(now);
        if (prolong(claim, leaseNanos, now)) {
            boolean reads = readers.containsKey(claim);
            if (reads || !claim.equals(numbered)) {
                draw(claim, now);
            }
            queue.remove(claim);
            return new AcquireReply.Ok(fence, queue.size(), reads);
        }
        if (wait) {
            // Before dead waiters are removed below, or this one could be among them.
            showLife(claim, now);
            queueUntil = now + QUEUE_LIFE_NANOS;
        }
        if (admitWaiters(claim, now)) {
            own(claim, leaseNanos, now);
            long number = fence;
            // Admits those right behind this one who share the lock with it.
            admitWaiters(null, now);
            dropPeersOfEmptyQueue();
            return new AcquireReply.Ok(number, queue.size());
        }
        String opposite = oppositeOf(claim);
        if (opposite != null) {
            dropPeersOfEmptyQueue();
            return new AcquireReply.Mixed(opposite);
        }
        if (wait) {
            queue.add(claim);
        }
        dropPeersOfEmptyQueue();
        return new AcquireReply.Busy(leaseLeftMillis(now), fence);
    }

    /** A holder of a lock while the claim asks for a permit, or the other way round: a name is one or the other. */
    private @Nullable String oppositeOf(String claim) {
        String inside = owner == null && !readers.isEmpty()
                ? readers.keySet().iterator().next()
                : owner;
        return inside != null && (ClaimIds.permitsOf(inside) > 0) != (ClaimIds.permitsOf(claim) > 0) ? inside : null;
    }

    /** Takes a lock that nobody holds or waits for, without a number, even for a claim that was given up. Returns whether it was free. */
    boolean acquireUncontended(String claim, long leaseNanos, long now) {
        expire(now);
        if (owner != null || !readers.isEmpty() || !queue.isEmpty()) {
            return false;
        }
        owner = claim;
        ownedUntil = now + leaseNanos;
        return true;
    }

    /** The number of an owner, drawn if it has none; 0 if the claim does not own the lock. */
    long number(String claim, long now) {
        expire(now);
        if (!claim.equals(owner)) {
            return 0;
        }
        if (!claim.equals(numbered)) {
            draw(claim, now);
        }
        return fence;
    }

    private void draw(String claim, long now) {
        fence = fences.next(now);
        numbered = claim;
    }

    /** A sign of life from a process whose claims wait; admits the claims that are due. */
    void heartbeat(String claim, long now) {
        expire(now);
        if (queue.isEmpty()) {
            return;
        }
        showLife(claim, now);
        queueUntil = now + QUEUE_LIFE_NANOS;
        admitWaiters(null, now);
        dropPeersOfEmptyQueue();
    }

    /** The answer to a claim that is in the queue, or {@code null} if it is not. */
    AcquireReply.@Nullable Busy busyIfWaiting(String claim, long now) {
        return queue.contains(claim) ? new AcquireReply.Busy(leaseLeftMillis(now), fence) : null;
    }

    ReleaseReply release(String claim, long minHoldNanos, long now) {
        expire(now);
        ReleaseReply reply = owns(claim) ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE;
        // A late uncontended acquire may have made it the owner while it waited.
        boolean left = queue.remove(claim);
        if (claim.equals(owner)) {
            owner = minHoldNanos > 0 ? ClaimIds.MIN_HOLD + claim : null;
            ownedUntil = now + minHoldNanos;
        } else if (readers.remove(claim) != null) {
            if (minHoldNanos > 0) {
                readers.put(ClaimIds.MIN_HOLD + claim, now + minHoldNanos);
            }
        }
        if (left || reply == ReleaseReply.RELEASED) {
            admitWaiters(null, now);
            dropPeersOfEmptyQueue();
        }
        return reply;
    }

    RenewReply renew(String claim, long leaseNanos, long now) {
        expire(now);
        return new RenewReply(prolong(claim, leaseNanos, now), queue.size());
    }

    /** Frees the lock regardless of its owners, and notifies them. Returns whether it was owned. */
    boolean forceRelease(long now) {
        expire(now);
        if (!isOwned(now)) {
            return false;
        }
        List<String> owners = new ArrayList<>(readers.keySet());
        if (owner != null) {
            owners.add(owner);
        }
        owners.stream()
                .filter(claim -> !claim.startsWith(ClaimIds.MIN_HOLD))
                .forEach(claim -> outbox.accept(ModelMessage.revoked(name, claim)));
        owner = null;
        readers.clear();
        admitWaiters(null, now);
        dropPeersOfEmptyQueue();
        return true;
    }

    boolean isOwned(long now) {
        expire(now);
        return owner != null || !readers.isEmpty();
    }

    /** The claims that own the lock: one exclusive claim, or any number of readers. */
    List<String> holders(long now) {
        expire(now);
        List<String> owners = new ArrayList<>(readers.keySet());
        if (owner != null) {
            owners.add(owner);
        }
        owners.removeIf(claim -> claim.startsWith(ClaimIds.MIN_HOLD));
        return owners;
    }

    List<String> waiters(long now) {
        expire(now);
        return List.copyOf(queue);
    }

    LockInspection inspect(long now) {
        expire(now);
        List<LockInspection.Inside> owners = new ArrayList<>();
        if (owner != null) {
            owners.add(describe(owner, false, ownedUntil - now));
        }
        readers.forEach((reader, until) -> {
            if (owners.size() < LockInspection.MAX_CLAIMS) {
                owners.add(describe(reader, true, until - now));
            }
        });
        List<String> first = queue.stream().limit(LockInspection.MAX_CLAIMS).toList();
        return new LockInspection(name, owners, first, queue.size(), fence);
    }

    private static LockInspection.Inside describe(String claim, boolean shares, long leftNanos) {
        boolean minHold = claim.startsWith(ClaimIds.MIN_HOLD);
        String bare = minHold ? claim.substring(ClaimIds.MIN_HOLD.length()) : claim;
        int permits = ClaimIds.permitsOf(bare);
        return new LockInspection.Inside(bare, permits, shares && permits == 0, minHold, Duration.ofNanos(leftNanos));
    }

    /** Whether the name can be forgotten without loss. */
    boolean isForgettable(long now) {
        expire(now);
        return owner == null && readers.isEmpty() && queue.isEmpty();
    }

    private boolean owns(String claim) {
        return claim.equals(owner) || readers.containsKey(claim);
    }

    private void expire(long now) {
        if (owner != null && ownedUntil - now <= 0) {
            owner = null;
        }
        if (!readers.isEmpty()) {
            readers.values().removeIf(until -> until - now <= 0);
        }
        if (!queue.isEmpty() && queueUntil - now <= 0) {
            queue.clear();
            aliveUntil.clear();
        }
    }

    private boolean prolong(String claim, long leaseNanos, long now) {
        if (claim.equals(owner)) {
            ownedUntil = later(ownedUntil, now + leaseNanos);
            return true;
        }
        return readers.computeIfPresent(claim, (reader, until) -> later(until, now + leaseNanos)) != null;
    }

    private static long later(long one, long other) {
        return other - one > 0 ? other : one;
    }

    /**
     * Admits the waiters that are due: the first exclusive claim of a free lock, or all readers ahead of it, or claims while permits are
     * left. Returns whether the claim that is asking, which gets no message, may own the lock as well.
     */
    private boolean admitWaiters(@Nullable String asking, long now) {
        while (owner == null) {
            String first = firstLiveWaiter(now);
            if (first == null || first.equals(asking)) {
                return asking != null && mayEnter(asking);
            }
            if (!mayEnter(first)) {
                return false;
            }
            own(first, grantLeaseNanos.applyAsLong(ClaimIds.instanceOf(first)), now);
            outbox.accept(ModelMessage.granted(name, first));
        }
        return false;
    }

    /** Whether a claim may enter beside those who share the lock, if any do. A permit counts the others by the claim's own limit. */
    private boolean mayEnter(String claim) {
        if (readers.isEmpty()) {
            return true;
        }
        return areOfPermits() ? readers.size() < ClaimIds.permitsOf(claim) : ClaimIds.isReader(claim);
    }

    private boolean areOfPermits() {
        return readers.keySet().stream().limit(1).anyMatch(claim -> ClaimIds.permitsOf(claim) > 0);
    }

    private void own(String claim, long leaseNanos, long now) {
        if (ClaimIds.isReader(claim) || ClaimIds.permitsOf(claim) > 0) {
            readers.put(claim, now + leaseNanos);
        } else {
            owner = claim;
            ownedUntil = now + leaseNanos;
        }
        draw(claim, now);
        queue.remove(claim);
    }

    private void showLife(String claim, long now) {
        String instance = ClaimIds.instanceOf(claim);
        aliveUntil.put(instance, now + grantLeaseNanos.applyAsLong(instance));
    }

    private @Nullable String firstLiveWaiter(long now) {
        Iterator<String> waiting = queue.iterator();
        while (waiting.hasNext()) {
            String claim = waiting.next();
            String instance = ClaimIds.instanceOf(claim);
            Long until = aliveUntil.get(instance);
            if (until != null && until - now > 0) {
                return claim;
            }
            waiting.remove();
            aliveUntil.remove(instance);
        }
        return null;
    }

    private void dropPeersOfEmptyQueue() {
        if (queue.isEmpty()) {
            aliveUntil.clear();
        }
    }

    /** The time until the last lease ends, or the first of permits, rounded up so that a waiter does not ask just too early. */
    private long leaseLeftMillis(long now) {
        LongStream shared = readers.values().stream().mapToLong(until -> until - now);
        long left = areOfPermits()
                ? shared.min().orElse(0)
                : Math.max(owner == null ? 0 : ownedUntil - now, shared.max().orElse(0));
        return TimeUnit.NANOSECONDS.toMillis(left + 999_999);
    }
}
