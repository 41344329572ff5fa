package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of single attempts for one lock. There may be very many: an attempt that arrives, an event of one claim and a tick look only
 * at the lines that they concern.
 */
final class SingleLines {

    /** In the order of their arrival. */
    private final Map<Claim, SingleLine> byClaim = new LinkedHashMap<>(2);

    private final Map<LockOwner, List<SingleLine>> byOwner = new HashMap<>(2);
    private final DueLines byDue = new DueLines();

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
        return byDue.due();
    }

    /** Those that are due, in the order of their arrival. */
    List<SingleLine> dueAt(long now) {
        return byDue.dueAt(now);
    }

    /** Adds a line that has made its claim. */
    void add(SingleLine line) {
        if (line.isIdle()) {
            return;
        }
        // First what lets it have its ticks, should there be no memory for the rest.
        byDue.add(line);
        list(line);
        byOwner.computeIfAbsent(line.owner, owner -> new ArrayList<>(1)).add(line);
        heartbeats.settle(line);
    }

    /** Updates a line after an event, which may have changed its claim and its due time, or ended it. */
    void settle(SingleLine line) {
        heartbeats.settle(line);
        if (!line.isIdle()) {
            list(line);
            byDue.update(line);
            return;
        }
        byClaim.remove(line.listedClaim);
        byOwner.computeIfPresent(line.owner, (owner, lines) -> lines.remove(line) && lines.isEmpty() ? null : lines);
        byDue.remove(line);
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

    /** The lines by when they are due: a heap in which each line knows its place, so that it moves without a search. */
    private static final class DueLines {

        private SingleLine[] heap = new SingleLine[1];
        private int size;

        /** None is due earlier than this. */
        long due() {
            return size == 0 ? Times.NEVER : heap[0].listedDue;
        }

        /** Those that are due, in the order of their arrival. */
        List<SingleLine> dueAt(long now) {
            List<SingleLine> due = new ArrayList<>();
            collect(0, now, due);
            due.sort(Comparator.comparingLong(line -> line.arrival));
            return due;
        }

        private void collect(int place, long now, List<SingleLine> due) {
            if (place < size && heap[place].listedDue <= now) {
                due.add(heap[place]);
                collect(2 * place + 1, now, due);
                collect(2 * place + 2, now, due);
            }
        }

        void add(SingleLine line) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            put(line, size++);
            update(line);
        }

        /** Its due time may have changed. */
        void update(SingleLine line) {
            line.listedDue = line.due();
            moveUp(line);
            moveDown(line);
        }

        void remove(SingleLine line) {
            SingleLine last = heap[--size];
            if (last != line) {
                put(last, line.listedPlace);
                moveUp(last);
                moveDown(last);
            }
            heap[size] = null;
        }

        private void moveUp(SingleLine line) {
            while (line.listedPlace > 0 && line.listedDue < heap[(line.listedPlace - 1) / 2].listedDue) {
                swap(line, heap[(line.listedPlace - 1) / 2]);
            }
        }

        private void moveDown(SingleLine line) {
            for (int child = 2 * line.listedPlace + 1; child < size; child = 2 * line.listedPlace + 1) {
                boolean rightIsEarlier = child + 1 < size && heap[child + 1].listedDue < heap[child].listedDue;
                SingleLine earlier = heap[rightIsEarlier ? child + 1 : child];
                if (line.listedDue <= earlier.listedDue) {
                    return;
                }
                swap(line, earlier);
            }
        }

        private void swap(SingleLine one, SingleLine other) {
            int place = one.listedPlace;
            put(one, other.listedPlace);
            put(other, place);
        }

        private void put(SingleLine line, int place) {
            heap[place] = line;
            line.listedPlace = place;
        }
    }
}
