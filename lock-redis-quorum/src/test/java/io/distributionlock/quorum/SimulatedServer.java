package io.distributionlock.quorum;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What the scripts do, in memory, by a clock that runs a little faster or slower than others. */
final class SimulatedServer {

    private final VirtualScheduler scheduler;
    private final double clockRate;
    private final Map<String, Owner> owners = new HashMap<>();
    private final Map<String, Long> fences = new HashMap<>();
    private final Set<String> tombstones = new HashSet<>();
    private long startedAt;
    long cameBackEmptyAt = Long.MIN_VALUE;

    /** Whose number was accepted last. */
    String confirmedClaim = "";

    boolean down;

    /** How much later than usual each command and each answer arrives. */
    long extraDelayNanos;

    private record Owner(String claim, long untilMillis) {}

    SimulatedServer(VirtualScheduler scheduler, double clockRate) {
        this.scheduler = scheduler;
        this.clockRate = clockRate;
        // It has been up for an hour.
        this.startedAt = -3_600_000;
    }

    private long millis() {
        return (long) (scheduler.nanoTime() / 1e6 * clockRate);
    }

    /** It comes back empty. */
    void restart() {
        owners.clear();
        fences.clear();
        tombstones.clear();
        startedAt = millis();
        cameBackEmptyAt = scheduler.nanoTime();
    }

    private Owner owner(String name) {
        Owner owner = owners.get(name);
        return owner != null && owner.untilMillis > millis() ? owner : null;
    }

    boolean isLocked(String name) {
        return owner(name) != null;
    }

    /** Empty if the lock is free. */
    String claimOf(String name) {
        Owner owner = owner(name);
        return owner == null ? "" : owner.claim;
    }

    private boolean owns(String name, String claim) {
        Owner owner = owner(name);
        return owner != null && owner.claim.equals(claim);
    }

    AcquireReply acquire(String name, String claim, long leaseMillis) {
        if (tombstones.contains(claim)) {
            return new AcquireReply.Gone();
        }
        Owner owner = owner(name);
        if (owner == null) {
            long fence = Math.max(fences.getOrDefault(name, 0L) + 1, 1_000_000_000L + millis() * 1000);
            fences.put(name, fence);
            owners.put(name, new Owner(claim, millis() + leaseMillis));
            return new AcquireReply.Ok(fence, 0);
        }
        if (owner.claim.equals(claim)) {
            owners.put(name, new Owner(claim, Math.max(owner.untilMillis, millis() + leaseMillis)));
            return new AcquireReply.Ok(fences.get(name), 0);
        }
        return new AcquireReply.Busy(owner.untilMillis - millis(), fences.getOrDefault(name, 0L));
    }

    RaiseFenceReply raise(String name, String claim, long fence, long leastUptimeSeconds) {
        if (!owns(name, claim)) {
            return RaiseFenceReply.NOT_MINE;
        }
        if ((millis() - startedAt) / 1000 < leastUptimeSeconds) {
            return RaiseFenceReply.TOO_YOUNG;
        }
        fences.merge(name, fence, Math::max);
        confirmedClaim = claim;
        return RaiseFenceReply.RAISED;
    }

    ReleaseReply release(String name, String claim, boolean tombstone, long minHoldMillis) {
        if (tombstone) {
            tombstones.add(claim);
        }
        if (!owns(name, claim)) {
            return ReleaseReply.NOT_MINE;
        }
        if (minHoldMillis > 0) {
            owners.put(name, new Owner("min-hold:" + claim, millis() + minHoldMillis));
        } else {
            owners.remove(name);
        }
        return ReleaseReply.RELEASED;
    }

    RenewReply renew(String name, String claim, long leaseMillis) {
        if (!owns(name, claim)) {
            return new RenewReply(false, 0);
        }
        Owner owner = owners.get(name);
        owners.put(name, new Owner(claim, Math.max(owner.untilMillis, millis() + leaseMillis)));
        return new RenewReply(true, 0);
    }
}
