package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lines of single attempts for one lock. There may be very many: an attempt that arrives, an event of one claim and a tick look only
 * at the lines that they concern.
 */
final class SingleLines {

    /** In the order of their arrival. */
    private final Map<Claim, SingleLine> byClaim = new LinkedHashMap<>(2);

    private final Map<LockOwner, List<SingleLine>> byOwner = new HashMap<>(2);
    private final NavigableSet<SingleLine> byDue = new TreeSet<>(
            Comparator.<SingleLine>comparingLong(line -> line.listedDue).thenComparingLong(line -> line.arrival));

    /** Theirs. */
    final HeartbeatSchedule heartbeats;

    SingleLines(HeartbeatSchedule heartbeats) {
        this.heartbeats = heartbeats;
    }

    boolean isEmpty() {
        return byClaim.isEmpty();
    }

    @Nullable
    SingleLine get(Claim claim) {
        return byClaim.get(claim);
    }

    List<SingleLine> all() {
        return new ArrayList<>(byClaim.values());
    }

    /** The ownership by which this owner holds the lock. */
    @Nullable
    Ownership ownershipOf(LockOwner owner, long now) {
        for (SingleLine line : byOwner.getOrDefault(owner, List.of())) {
            Ownership held = line.ownershipOf(owner, now);
            if (held != null) {
                return held;
            }
        }
        return null;
    }

    /**
     * Whether one of them owns the lock and excludes another owner's request of this kind, as far as the first tells: the others wait
     * behind it, or share the lock with it. Otherwise the backend tells.
     */
    boolean exclude(LockKind requested, long now) {
        Iterator<SingleLine> all = byClaim.values().iterator();
        return all.hasNext() && all.next().excludes(requested, now);
    }

    /** None is due earlier than this. */
    long due() {
        return byDue.isEmpty() ? Times.NEVER : byDue.first().listedDue;
    }

    /** Those that are due, in the order of their arrival. */
    List<SingleLine> dueAt(long now) {
        return byDue.stream()
                .takeWhile(line -> line.listedDue <= now)
                .sorted(Comparator.comparingLong(line -> line.arrival))
                .toList();
    }

    /** Adds a line that has made its claim. */
    void add(SingleLine line) {
        if (line.isIdle()) {
            return;
        }
        // First what lets it have its ticks, should there be no memory for the rest.
        listByDue(line);
        list(line);
        byOwner.computeIfAbsent(line.owner, owner -> new ArrayList<>(1)).add(line);
        heartbeats.settle(line);
    }

    /** Updates a line after an event, which may have changed its claim and its due time, or ended it. */
    void settle(SingleLine line) {
        heartbeats.settle(line);
        if (!line.isIdle()) {
            list(line);
            listByDue(line);
            return;
        }
        byClaim.remove(line.listedClaim);
        byOwner.computeIfPresent(line.owner, (owner, lines) -> lines.remove(line) && lines.isEmpty() ? null : lines);
        byDue.remove(line);
    }

    private void listByDue(SingleLine line) {
        // A set must not see its order change.
        byDue.remove(line);
        line.listedDue = line.due();
        byDue.add(line);
    }

    /** A line without a claim, whose event has failed halfway, stays under the former one until it asks again. */
    private void list(SingleLine line) {
        Claim claim = line.claim();
        if (claim != null && claim != line.listedClaim) {
            byClaim.put(claim, line);
            if (line.listedClaim != null) {
                byClaim.remove(line.listedClaim);
            }
            line.listedClaim = claim;
        }
    }
}
