package io.distributionlock.rack;

import io.distributionlock.rack.History.Kind;
import io.distributionlock.rack.History.Window;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What in a history explains that two sections overlap. */
final class Excuses {

    /** For so long, a process that has not heard of a loss may still pass on within itself what it held. */
    private static final long HAND_OVER = TimeUnit.MILLISECONDS.toNanos(250);

    private final History history;
    private final List<Window> losses;
    private final List<Attempt> sections;

    Excuses(History history) {
        this.history = history;
        this.losses = history.windows(Kind.LOSS);
        this.sections = history.sections();
    }

    /** Redis forgot the first one's lock, or had never heard of it; or one was passed a lock that Redis had forgotten. */
    boolean isLossOfRedis(Attempt first, Attempt second) {
        long since = Math.min(heldSince(first), heldSince(second));
        return losses.stream().anyMatch(loss -> loss.from() <= second.entered && loss.to() >= since);
    }

    /**
     * Since when the process has what a section holds. It may have been passed on, from one that was in when the lock got lost, to one
     * that waited in the same process; but not for long.
     */
    long heldSince(Attempt section) {
        List<Window> recent = losses.stream()
                .filter(loss -> loss.to() <= section.entered && section.entered <= loss.to() + HAND_OVER)
                .toList();
        return recent.isEmpty()
                ? section.entered
                : sections.stream()
                        .filter(earlier -> earlier.process == section.process
                                && section.called < earlier.endOfUse()
                                && earlier.endOfUse() <= section.entered)
                        .mapToLong(this::heldSince)
                        .filter(since -> recent.stream().anyMatch(loss -> since <= loss.to()))
                        .min()
                        .orElse(section.entered);
    }

    /** Its process stood still or was cut off between the grant and the section, which says nothing of its lease. */
    boolean isGrantedLongAgo(Attempt section) {
        return stalls(section.process).stream().anyMatch(stall -> stall.meets(section.called, section.entered));
    }

    List<Window> stalls(int process) {
        return history.windows(Kind.STALL).stream()
                .filter(stall -> stall.process() == process)
                .toList();
    }
}
