package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of single attempts for one lock, in the order of their arrival. An event of one claim looks at its line alone; only an
 * attempt that arrives, and a tick at which one of them is due, look at all.
 */
final class SingleLines {

    private final Map<Claim, Line> byClaim = new LinkedHashMap<>(2);

    /** Theirs. */
    final HeartbeatSchedule heartbeats;

    private long due = Times.NEVER;

    SingleLines(HeartbeatSchedule heartbeats) {
        this.heartbeats = heartbeats;
    }

    boolean isEmpty() {
        return byClaim.isEmpty();
    }

    @Nullable
    Line get(Claim claim) {
        return byClaim.get(claim);
    }

    List<Line> all() {
        return new ArrayList<>(byClaim.values());
    }

    /** The ownership by which this owner holds the lock. */
    @Nullable
    Ownership ownershipOf(LockOwner owner, long now) {
        for (Line line : byClaim.values()) {
            Ownership held = line.ownershipOf(owner, now);
            if (held != null) {
                return held;
            }
        }
        return null;
    }

    /** Whether one of them owns the lock and excludes another owner's request of this kind. */
    boolean exclude(LockKind requested, long now) {
        for (Line line : byClaim.values()) {
            if (line.excludes(requested, now)) {
                return true;
            }
        }
        return false;
    }

    /** None is due earlier than this. */
    long due() {
        return due;
    }

    /** Forgets due times that are over. */
    void noteDue() {
        due = Times.NEVER;
        byClaim.values().forEach(line -> due = Math.min(due, line.due()));
    }

    /** Updates a line after an event, which may have changed its claim and its due time. */
    void settle(@Nullable Claim claimBefore, Line line) {
        Claim claim = line.claim();
        if (claimBefore != null && !claimBefore.equals(claim)) {
            byClaim.remove(claimBefore);
        }
        if (claim != null) {
            byClaim.putIfAbsent(claim, line);
            due = Math.min(due, line.due());
        }
        heartbeats.present(byClaim.size());
    }
}
