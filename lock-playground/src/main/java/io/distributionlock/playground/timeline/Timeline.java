package io.distributionlock.playground.timeline;

import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.playground.comparison.WithoutLock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The latest visits of this instance. Thread-safe; a visit belongs to the thread that started it. */
@Component
class Timeline {

    private static final int KEPT = 4000;

    private final Map<Long, Visit> visits = new LinkedHashMap<>();
    private final ThreadLocal<@Nullable Long> current = new ThreadLocal<>();
    private final long started = now();
    private long latestId;
    private long latestVersion;

    /** Starts a visit on this thread. */
    synchronized void ask(String run, @Nullable Integer number, String request) {
        long id = ++latestId;
        String thread = Thread.currentThread().getName();
        visits.put(
                id, new Visit(id, ++latestVersion, run, number, thread, request, now(), List.of(), null, null, null));
        current.set(id);
        forgetOldest();
    }

    boolean isAsking() {
        return current.get() != null;
    }

    synchronized void enter(String name, List<String> things, boolean shared) {
        change(visit -> visit.entering(new Section(name, things, shared, heldLocks(), now(), null), ++latestVersion));
    }

    synchronized void leave() {
        change(visit -> visit.leaving(now(), ++latestVersion));
    }

    /**
     * Ends the visit of this thread.
     *
     * @param cause why it was not served; null if it was
     */
    synchronized void answer(@Nullable Integer code, @Nullable String cause) {
        change(visit -> visit.answered(now(), code, cause, ++latestVersion));
        current.remove();
    }

    /** Returns what has changed since that version, for one run if it is given. */
    synchronized Changes since(long version, @Nullable String run) {
        return new Changes(
                true,
                started,
                latestVersion,
                now(),
                select(visit -> visit.version() > version && (run == null || run.equals(visit.run()))));
    }

    /** The visits that are waiting or working now. */
    synchronized List<Visit> open() {
        return select(Visit::isOpen);
    }

    private List<Visit> select(Predicate<Visit> wanted) {
        return visits.values().stream().filter(wanted).toList();
    }

    private void change(UnaryOperator<Visit> change) {
        Long id = current.get();
        if (id != null) {
            visits.computeIfPresent(id, (same, visit) -> change.apply(visit));
        }
    }

    private void forgetOldest() {
        Iterator<Visit> oldest = visits.values().iterator();
        while (visits.size() > KEPT) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Uses the machine's clock, which all instances share, so that their visits can be drawn side by side. */
    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static List<Section.HeldLock> heldLocks() {
        if (WithoutLock.isAsked()) {
            return List.of();
        }
        return LockContext.leases().stream()
                .filter(Lease::isValid)
                .map(Timeline::held)
                .toList();
    }

    private static Section.HeldLock held(Lease lease) {
        return new Section.HeldLock(lease.name(), Long.toString(lease.fencingToken()));
    }

    /**
     * Changed visits, in their current state.
     *
     * @param answers false if the instance does not answer, so that nothing is known
     * @param started when the process was started, which tells it from another one of the same name
     * @param version the version to ask from next time
     * @param now the time on this instance, in microseconds since 1970
     */
    record Changes(boolean answers, long started, long version, long now, List<Visit> visits) {

        /** Of an instance that does not answer. */
        static Changes silent(long version) {
            return new Changes(false, 0, version, Timeline.now(), List.of());
        }
    }
}
