package io.distributionlock.benchmarks.report;

import java.util.Comparator;
import java.util.List;

/** Who takes part, in which order and by which colour. */
final class Contestants {

    static final String LIBRARY = "distribution-lock";
    static final String FLOOR = "lettuce";
    static final String REDISSON = "redisson";
    static final String FAIR = " fair";

    private static final List<String> ORDER = List.of(
            FLOOR,
            LIBRARY,
            LIBRARY + FAIR,
            REDISSON,
            "redisson watchdog",
            REDISSON + FAIR,
            "lock4j",
            "spring-integration spin",
            "spring-integration pub-sub",
            "broadcast",
            "polling");

    private static final List<String> COLOURS = List.of(
            "#8c959f", "#1f6feb", "#79b8ff", "#cf222e", "#ff8182", "#ffaba8", "#9a6700", "#1a7f37", "#6fdd8b",
            "#cf222e", "#9a6700");

    private static final List<String> OTHER_COLOURS = List.of("#8250df", "#bf3989", "#0a7ea4", "#57606a");

    private Contestants() {}

    /** Those whom nobody knows come last, by name. */
    static Comparator<String> order() {
        return Comparator.<String>comparingInt(name -> ORDER.contains(name) ? ORDER.indexOf(name) : ORDER.size())
                .thenComparing(Comparator.naturalOrder());
    }

    static String colour(String name) {
        int known = ORDER.indexOf(name);
        return known < 0 ? OTHER_COLOURS.get(Math.floorMod(name.hashCode(), OTHER_COLOURS.size())) : COLOURS.get(known);
    }
}
