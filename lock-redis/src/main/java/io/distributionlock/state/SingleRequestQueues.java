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
 * The queues of single attempts for one lock. There may be very many: an attempt that arrives, an event of one claim and a tick look only
 * at the queues that they concern.
 */
final class SingleRequestQueues {

    /** In the order of their arrival. */
    private final Map<Claim, SingleRequestQueue> byClaim = new LinkedHashMap<>(2);

    private final Map<LockOwner, List<SingleRequestQueue>> byOwner = new HashMap<>(2);
    private final NavigableSet<SingleRequestQueue> byDue =
            new TreeSet<>(Comparator.<SingleRequestQueue>comparingLong(queue -> queue.listedDue)
                    .thenComparingLong(queue -> queue.arrival));

    /** Spreads the heartbeats of these queues. */
    final HeartbeatSchedule heartbeats;

    SingleRequestQueues(HeartbeatSchedule heartbeats) {
        this.heartbeats = heartbeats;
    }

    boolean isEmpty() {
        return byClaim.isEmpty();
    }

    @Nullable
    SingleRequestQueue get(Claim claim) {
        return byClaim.get(claim);
    }

    List<SingleRequestQueue> all() {
        return new ArrayList<>(byClaim.values());
    }

    /** The ownership by which this owner holds the lock. */
    @Nullable
    Ownership ownershipOf(LockOwner owner, long now) {
        for (SingleRequestQueue queue : byOwner.getOrDefault(owner, List.of())) {
            Ownership held = queue.ownershipOf(owner, now);
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
        Iterator<SingleRequestQueue> all = byClaim.values().iterator();
        return all.hasNext() && all.next().excludes(requested, now);
    }

    /** The earliest due time of the queues. */
    long due() {
        return byDue.isEmpty() ? Times.NEVER : byDue.first().listedDue;
    }

    /** The queues that are due, in the order of their arrival. */
    List<SingleRequestQueue> dueAt(long now) {
        return byDue.stream()
                .takeWhile(queue -> queue.listedDue <= now)
                .sorted(Comparator.comparingLong(queue -> queue.arrival))
                .toList();
    }

    /** Adds a queue that has made its claim. */
    void add(SingleRequestQueue queue) {
        if (queue.isIdle()) {
            return;
        }
        // First what lets it have its ticks, should there be no memory for the rest.
        listByDue(queue);
        list(queue);
        byOwner.computeIfAbsent(queue.owner, owner -> new ArrayList<>(1)).add(queue);
        heartbeats.settle(queue);
    }

    /** Updates a queue after an event, which may have changed its claim and its due time, or ended it. */
    void settle(SingleRequestQueue queue) {
        heartbeats.settle(queue);
        if (!queue.isIdle()) {
            list(queue);
            listByDue(queue);
            return;
        }
        byClaim.remove(queue.listedClaim);
        byOwner.computeIfPresent(
                queue.owner, (owner, queues) -> queues.remove(queue) && queues.isEmpty() ? null : queues);
        byDue.remove(queue);
    }

    private void listByDue(SingleRequestQueue queue) {
        // A set must not see its order change.
        byDue.remove(queue);
        queue.listedDue = queue.due();
        byDue.add(queue);
    }

    /** A queue without a claim, whose event has failed halfway, stays under the former one until it asks again. */
    private void list(SingleRequestQueue queue) {
        Claim claim = queue.claim();
        if (claim != null && claim != queue.listedClaim) {
            byClaim.put(claim, queue);
            if (queue.listedClaim != null) {
                byClaim.remove(queue.listedClaim);
            }
            queue.listedClaim = claim;
        }
    }
}
