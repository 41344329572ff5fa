package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.simulation.Simulations;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The order and colours of the contestants. */
final class Legend {

    private static final Map<String, String> COLOURS = colours();
    private static final List<String> ORDER = List.copyOf(COLOURS.keySet());
    private static final List<String> OTHER_COLOURS = List.of("#8250df", "#bf3989", "#0a7ea4", "#57606a");

    private Legend() {}

    /** In the order in which they are shown. */
    private static Map<String, String> colours() {
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put(Contestants.BARE, "#8c959f");
        colours.put(Contestants.LIBRARY, "#1f6feb");
        colours.put(Contestants.LIBRARY_FAIR, "#79b8ff");
        colours.put(Contestants.LIBRARY_TOKEN, "#54aeff");
        colours.put(Contestants.LIBRARY_UNAWAITED, "#0a3069");
        colours.put(Contestants.LIBRARY_PERMITS, "#218bff");
        colours.put(Contestants.LIBRARY_QUORUM, "#0550ae");
        colours.put(Contestants.REDISSON, "#cf222e");
        colours.put(Contestants.REDISSON_WATCHDOG, "#ff8182");
        colours.put(Contestants.REDISSON_FAIR, "#ffaba8");
        colours.put(Contestants.REDISSON_PERMITS, "#a40e26");
        colours.put(Contestants.REDISSON_REDLOCK, "#e5534b");
        colours.put(Contestants.REDISSON_MULTILOCK, "#f47067");
        colours.put(Contestants.LOCK4J, "#9a6700");
        colours.put(Contestants.SPRING_SPIN, "#1a7f37");
        colours.put(Contestants.SPRING_PUBSUB, "#6fdd8b");
        colours.put(Simulations.BROADCAST, "#cf222e");
        colours.put(Simulations.POLLING, "#9a6700");
        return colours;
    }

    /** Those whom nobody knows come last, by name. */
    static Comparator<String> order() {
        return Comparator.<String>comparingInt(name -> COLOURS.containsKey(name) ? ORDER.indexOf(name) : ORDER.size())
                .thenComparing(Comparator.naturalOrder());
    }

    static String colour(String name) {
        String known = COLOURS.get(name);
        return known != null ? known : OTHER_COLOURS.get(Math.floorMod(name.hashCode(), OTHER_COLOURS.size()));
    }
}
