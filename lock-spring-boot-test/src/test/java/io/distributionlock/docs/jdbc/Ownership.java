package io.distributionlock.docs.jdbc;

import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One ownership of a lock: from its acquisition, through all re-entries, to its last release or its loss. */
final class Ownership {

    private final String name;
    private final String claim;
    private final LockOwner owner;
    private final long token;
    private final long start = System.nanoTime();
    /** Those that are not released. */
    private final List<TableLease> leases = new CopyOnWriteArrayList<>();

    /** As the released leases ask; each of the others has its own. */
    private long minimum = start;

    private volatile long until = start;
    private volatile boolean lost;

    Ownership(String name, String claim, LockOwner owner, long token) {
        this.name = name;
        this.claim = claim;
        this.owner = owner;
        this.token = token;
    }

    String name() {
        return name;
    }

    String claim() {
        return claim;
    }

    long token() {
        return token;
    }

    void add(TableLease lease) {
        leases.add(lease);
    }

    void remove(TableLease lease) {
        leases.remove(lease);
        minimum = Math.max(minimum, lease.minimum());
    }

    boolean isEmpty() {
        return leases.isEmpty();
    }

    /** How often the owner may take itself for the holder. */
    int holdsOf(LockOwner asking) {
        return isValid() && owner.equals(asking) ? leases.size() : 0;
    }

    boolean isValid() {
        return !lost && System.nanoTime() - until < 0;
    }

    long until() {
        return until;
    }

    void lastUntil(long end) {
        until = end;
    }

    Duration minimumLeft() {
        long last = leases.stream().mapToLong(TableLease::minimum).reduce(minimum, Math::max);
        long left = last - System.nanoTime();
        return left > 0 ? Duration.ofNanos(left).plusMillis(1) : Duration.ZERO;
    }

    /** The longest lease of those that are renewed, or zero. */
    Duration renewedLease() {
        return leases.stream()
                .map(TableLease::request)
                .filter(LockRequest::renewed)
                .map(LockRequest::leaseTime)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    boolean wantsRenewal() {
        return until - System.nanoTime() < renewedLease().toNanos() / 3 * 2;
    }

    boolean isPastMaximum() {
        return leases.stream().anyMatch(TableLease::isPastMaximum);
    }

    void lose() {
        lost = true;
        leases.forEach(TableLease::lose);
    }
}
