package io.distributionlock.engine;

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
 * The contenders of single attempts for one lock: found by claim and by owner, and by what is due, without a look at all of them.
 * A few are simply walked through.
 */
final class Singles {

    private static final int FEW = 8;

    /** In the order of arrival. */
    private final Map<String, Place> byClaim = new LinkedHashMap<>(2);

    private long arrivals;
    private @Nullable Index index;

    /** How many contenders were looked at one after another: what events cost. */
    long visits;

    boolean isEmpty() {
        return byClaim.isEmpty();
    }

    @Nullable
    Contender get(String claim) {
        Place place = byClaim.get(claim);
        return place == null ? null : place.contender;
    }

    List<Contender> all() {
        return in(byClaim.values());
    }

    private List<Contender> in(Collection<Place> places) {
        visits += places.size();
        List<Contender> all = new ArrayList<>(places.size());
        places.forEach(place -> all.add(place.contender));
        return all;
    }

    /** Who holds the lock for this owner. */
    @Nullable
    Contender heldBy(LockOwner owner, long now) {
        Collection<Place> candidates = index == null ? byClaim.values() : index.byOwner.getOrDefault(owner, Set.of());
        for (Place place : candidates) {
            visits++;
            if (place.contender.tenureOf(owner, now) != null) {
                return place.contender;
            }
        }
        return null;
    }

    /** Whether one of them holds the lock and keeps out somebody else who asks in this way. */
    boolean keepOut(LockKind asked, long now) {
        Index indexed = index;
        if (indexed == null) {
            return anyKeepsOut(byClaim.values(), asked, now);
        }
        return anyKeepsOut(indexed.excluding, asked, now)
                || asked.isExclusive() && anyKeepsOut(indexed.sharing, asked, now);
    }

    private boolean anyKeepsOut(Collection<Place> places, LockKind asked, long now) {
        for (Place place : places) {
            visits++;
            if (place.contender.keepsOut(asked, now)) {
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
            due = Math.min(due, place.contender.due());
        }
        return due;
    }

    /** Those that have to have their tick now, in the order of arrival where that is the same to them. */
    List<Contender> due(long now) {
        if (index == null) {
            return all();
        }
        List<Contender> due = new ArrayList<>();
        for (Place place : index.byDue) {
            if (place.due > now) {
                break;
            }
            visits++;
            due.add(place.contender);
        }
        return due;
    }

    /** After an event a contender may have another claim, hold the lock or no longer, and be due at another time. */
    void settle(@Nullable String claimBefore, Contender contender) {
        String claim = contender.claim();
        Place place = claimBefore == null ? null : byClaim.get(claimBefore);
        if (place == null && claim == null) {
            return;
        }
        if (place == null) {
            place = new Place(contender, arrivals++);
        } else if (claimBefore != null && !claimBefore.equals(claim)) {
            byClaim.remove(claimBefore);
        }
        if (claim != null) {
            byClaim.putIfAbsent(claim, place);
        }
        Index indexed = index;
        if (indexed != null) {
            indexed.takeOut(place);
            if (claim != null) {
                indexed.putIn(place);
            }
        } else if (byClaim.size() > FEW) {
            Index fresh = new Index();
            byClaim.values().forEach(fresh::putIn);
            index = fresh;
        }
    }

    /** A contender, and where the index has it. */
    private static final class Place {

        final Contender contender;
        final long number;
        long due;

        @Nullable
        LockOwner owner;

        @Nullable
        Set<Place> inside;

        Place(Contender contender, long number) {
            this.contender = contender;
            this.number = number;
        }
    }

    private static final class Index {

        final TreeSet<Place> byDue = new TreeSet<>(
                Comparator.<Place>comparingLong(place -> place.due).thenComparingLong(place -> place.number));

        /** Those that hold the lock for an owner; more than one only if he asked several times before he held it. */
        final Map<LockOwner, Set<Place>> byOwner = new HashMap<>();

        final Set<Place> excluding = new LinkedHashSet<>();
        final Set<Place> sharing = new LinkedHashSet<>();

        void takeOut(Place place) {
            byDue.remove(place);
            Set<Place> inside = place.inside;
            if (inside != null) {
                inside.remove(place);
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

        void putIn(Place place) {
            place.due = place.contender.due();
            byDue.add(place);
            Tenure tenure = place.contender.tenure();
            place.inside = tenure == null ? null : tenure.isShared() ? sharing : excluding;
            if (place.inside != null) {
                place.inside.add(place);
            }
            place.owner = tenure == null ? null : tenure.presentOwner();
            if (place.owner != null) {
                byOwner.computeIfAbsent(place.owner, unused -> new LinkedHashSet<>(2))
                        .add(place);
            }
        }
    }
}
