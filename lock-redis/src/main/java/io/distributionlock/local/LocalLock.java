package io.distributionlock.local;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.monitor.LockInspection;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One lock: the claims inside, and those that wait, in the order of their arrival. Not thread-safe; times are nanoseconds. */
final class LocalLock {

    /** For how long a lock stays with a claim that was granted it and has not asked again. */
    private static final long GRANT_LEASE_NANOS = EngineSettings.standard("any").grantLeaseNanos();

    private final LongSupplier numbers;
    private final Map<String, Place> inside = new LinkedHashMap<>();
    private final Set<String> queue = new LinkedHashSet<>();
    private long lastNumber;

    /** What a claim has that is inside: a lease, which ends then, and a fencing number. */
    private record Place(long until, long number) {}

    LocalLock(LongSupplier numbers) {
        this.numbers = numbers;
    }

    void expire(long now) {
        inside.values().removeIf(place -> place.until() - now <= 0);
    }

    boolean isFree() {
        return inside.isEmpty() && queue.isEmpty();
    }

    boolean isHeld() {
        return !inside.isEmpty();
    }

    /** @param granted receives the other claims that enter */
    AcquireReply acquire(String claim, long leaseNanos, boolean wait, long now, Consumer<String> granted) {
        boolean stays = wait || queue.contains(claim);
        if (!inside.containsKey(claim)) {
            queue.add(claim);
        }
        admit(now, other -> {
            if (other.equals(claim)) {
                inside.put(claim, new Place(now + leaseNanos, lastNumber));
            } else {
                granted.accept(other);
            }
        });
        if (prolong(claim, leaseNanos, now)) {
            return new AcquireReply.Ok(Objects.requireNonNull(inside.get(claim)).number(), queue.size());
        }
        String opposite = oppositeOf(claim);
        if (!stays || opposite != null) {
            queue.remove(claim);
        }
        return opposite == null ? new AcquireReply.Busy(millisLeft(now), lastNumber) : new AcquireReply.Mixed(opposite);
    }

    RenewReply renew(String claim, long leaseNanos, long now) {
        return new RenewReply(prolong(claim, leaseNanos, now), queue.size());
    }

    /** @param minHoldNanos how long the lock stays taken */
    ReleaseReply release(String claim, long minHoldNanos, long now, Consumer<String> granted) {
        queue.remove(claim);
        Place left = inside.remove(claim);
        if (left != null && minHoldNanos > 0) {
            inside.put(ClaimIds.MIN_HOLD + claim, new Place(now + minHoldNanos, left.number()));
        }
        admit(now, granted);
        return left == null ? ReleaseReply.NOT_MINE : ReleaseReply.RELEASED;
    }

    /** Frees the lock, and returns the claims that have lost it. */
    List<String> forceRelease(long now, Consumer<String> granted) {
        List<String> owners = inside.keySet().stream()
                .filter(claim -> !claim.startsWith(ClaimIds.MIN_HOLD))
                .toList();
        inside.clear();
        admit(now, granted);
        return owners;
    }

    LockInspection inspect(String name, long now) {
        List<LockInspection.Inside> owners = inside.entrySet().stream()
                .limit(LockInspection.MAX_CLAIMS)
                .map(entry -> describe(entry.getKey(), entry.getValue().until() - now))
                .toList();
        List<String> first = queue.stream().limit(LockInspection.MAX_CLAIMS).toList();
        return new LockInspection(name, owners, first, queue.size(), lastNumber);
    }

    private static LockInspection.Inside describe(String claim, long leftNanos) {
        boolean minHold = claim.startsWith(ClaimIds.MIN_HOLD);
        return new LockInspection.Inside(
                minHold ? claim.substring(ClaimIds.MIN_HOLD.length()) : claim,
                ClaimIds.permitsOf(claim),
                ClaimIds.isReader(claim),
                minHold,
                Duration.ofNanos(leftNanos));
    }

    /** Lets in those who wait, until one has to go on waiting. */
    private void admit(long now, Consumer<String> granted) {
        Iterator<String> waiting = queue.iterator();
        while (waiting.hasNext()) {
            String claim = waiting.next();
            if (!mayEnter(claim)) {
                return;
            }
            waiting.remove();
            lastNumber = numbers.getAsLong();
            inside.put(claim, new Place(now + GRANT_LEASE_NANOS, lastNumber));
            granted.accept(claim);
        }
    }

    /** Readers share the lock with readers, permits with as many permits as the claim itself knows of. */
    private boolean mayEnter(String claim) {
        int permits = ClaimIds.permitsOf(claim);
        return inside.isEmpty()
                || (permits == 0 || inside.size() < permits)
                        && inside.keySet().stream().allMatch(other -> mayShare(claim, other));
    }

    private static boolean mayShare(String one, String other) {
        return ClaimIds.isReader(one) && ClaimIds.isReader(other)
                || ClaimIds.permitsOf(one) > 0 && ClaimIds.permitsOf(other) > 0;
    }

    /** A holder of a lock while the claim asks for a permit, or the other way round: a name is one or the other. */
    private @Nullable String oppositeOf(String claim) {
        for (String other : inside.keySet()) {
            if ((ClaimIds.permitsOf(other) > 0) != (ClaimIds.permitsOf(claim) > 0)) {
                return other;
            }
        }
        return null;
    }

    private boolean prolong(String claim, long leaseNanos, long now) {
        return inside.computeIfPresent(
                        claim,
                        (same, place) -> new Place(
                                place.until() - now < leaseNanos ? now + leaseNanos : place.until(), place.number()))
                != null;
    }

    /** Until the first lease ends, rounded up so that a waiter does not ask just too early. */
    private long millisLeft(long now) {
        long left = inside.values().stream()
                .mapToLong(place -> place.until() - now)
                .min()
                .orElse(0);
        return TimeUnit.NANOSECONDS.toMillis(left + 999_999);
    }
}
