package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lines of single attempts for one lock. Finds them by claim, by owner and by due time without looking at all of them; as
 * long as they are few, it does without an index.
 */
final class LineIndex {

    private static final int FEW = 8;

    /** In the order of arrival. */
    private final Map<Claim, Place> byClaim = new LinkedHashMap<>(2);

    /** Theirs. */
    final HeartbeatSchedule heartbeats;

    private long arrivals;
    private @Nullable Index index;

    /** How many lines events have looked at one after another: what they cost. */
    long visits;

    LineIndex(HeartbeatSchedule heartbeats) {
        this.heartbeats = heartbeats;
    }

    boolean isEmpty() {
        return byClaim.isEmpty();
    }

    int size() {
        return byClaim.size();
    }

    @Nullable
    Line get(Claim claim) {
        Place place = byClaim.get(claim);
        return place == null ? null : place.line;
    }

    List<Line> all() {
        return in(byClaim.values());
    }

    private List<Line> in(Collection<Place> places) {
        visits += places.size();
        List<Line> all = new ArrayList<>(places.size());
        places.forEach(place -> all.add(place.line));
        return all;
    }

    /** The line by which this owner holds the lock. */
    @Nullable
    Line heldBy(LockOwner owner, long now) {
        Collection<Place> candidates = index == null ? byClaim.values() : index.byOwner.getOrDefault(owner, Set.of());
        for (Place place : candidates) {
            visits++;
            if (place.line.ownershipOf(owner, now) != null) {
                return place.line;
            }
        }
        return null;
    }

    /** Whether one of them owns the lock and excludes another owner's request of this kind. */
    boolean exclude(LockKind requested, long now) {
        Index indexed = index;
        if (indexed == null) {
            return anyExcludes(byClaim.values(), requested, now);
        }
        return anyExcludes(indexed.exclusive, requested, now)
                || requested.isExclusive() && anyExcludes(indexed.sharing, requested, now);
    }

    private boolean anyExcludes(Collection<Place> places, LockKind requested, long now) {
        for (Place place : places) {
            visits++;
            if (place.line.excludes(requested, now)) {
                return true;
            }
        }
        return false;
    }

    long due() {
        if (index != null) {
            return index.byDue.isEmpty() ? Times.NEVER : index.byDue.first().due;
        }
        long due = Times.NEVER;
        for (Place place : byClaim.values()) {
            visits++;
            due = Math.min(due, place.line.due());
        }
        return due;
    }

    /** Those whose tick is due, in the order of their due times and then of their arrival. */
    List<Line> due(long now) {
        if (index == null) {
            return all();
        }
        List<Line> due = new ArrayList<>();
        for (Place place : index.byDue) {
            if (place.due > now) {
                break;
            }
            visits++;
            due.add(place.line);
        }
        return due;
    }

    /** Updates a line after an event, which may have changed its claim, its ownership and its due time. */
    void settle(@Nullable Claim claimBefore, Line line) {
        Claim claim = line.claim();
        Place place = claimBefore == null ? null : byClaim.get(claimBefore);
        if (place == null && claim == null) {
            return;
        }
        if (place == null) {
            place = new Place(line, arrivals++);
        } else if (claimBefore != null && !claimBefore.equals(claim)) {
            byClaim.remove(claimBefore);
        }
        if (claim != null) {
            byClaim.putIfAbsent(claim, place);
        }
        Index indexed = index;
        if (indexed != null) {
            indexed.remove(place);
            if (claim != null) {
                indexed.add(place);
            }
        } else if (byClaim.size() > FEW) {
            Index fresh = new Index();
            byClaim.values().forEach(fresh::add);
            index = fresh;
        }
    }

    /** A line and its place in the index. */
    private static final class Place {

        final Line line;
        final long number;
        long due;

        @Nullable
        LockOwner owner;

        /** The sharing or exclusive owners; {@code null} for one that does not own the lock. */
        @Nullable
        Set<Place> group;

        Place(Line line, long number) {
            this.line = line;
            this.number = number;
        }
    }

    private static final class Index {

        final TreeSet<Place> byDue = new TreeSet<>(
                Comparator.<Place>comparingLong(place -> place.due).thenComparingLong(place -> place.number));

        /** By the owner that holds the lock; several lines if it asked several times before it held it. */
        final Map<LockOwner, Set<Place>> byOwner = new HashMap<>();

        final Set<Place> exclusive = new LinkedHashSet<>();
        final Set<Place> sharing = new LinkedHashSet<>();

        void remove(Place place) {
            byDue.remove(place);
            Set<Place> group = place.group;
            if (group != null) {
                group.remove(place);
            }
            LockOwner owner = place.owner;
            if (owner != null) {
                Set<Place> same = Objects.requireNonNull(byOwner.get(owner));
                same.remove(place);
                if (same.isEmpty()) {
                    byOwner.remove(owner);
                }
            }
        }

        void add(Place place) {
            place.due = place.line.due();
            byDue.add(place);
            Ownership held = place.line.ownership();
            place.group = held == null ? null : held.isShared() ? sharing : exclusive;
            if (place.group != null) {
                place.group.add(place);
            }
            place.owner = held == null ? null : held.holders.presentOwner();
            if (place.owner != null) {
                byOwner.computeIfAbsent(place.owner, unused -> new LinkedHashSet<>(2))
                        .add(place);
            }
        }
    }
}
