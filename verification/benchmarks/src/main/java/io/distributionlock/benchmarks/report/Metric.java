package io.distributionlock.benchmarks.report;

import java.util.List;

/** What was counted, in which unit. */
record Metric(String name, String unit) {

    /** The headline metrics, which come first and are drawn, in this order. */
    private static final List<String> HEADLINES = List.of(
            "throughput",
            "time",
            "latency p50",
            "latency p99",
            "p50",
            "p99",
            "wait p50",
            "wait p99",
            "commands sent",
            "commands",
            "allocated");

    private static final List<String> MORE_IS_BETTER = List.of("Jain", "smallest share");

    boolean isHeadline() {
        return HEADLINES.contains(name);
    }

    int rank() {
        int rank = HEADLINES.indexOf(name);
        return rank < 0 ? HEADLINES.size() : rank;
    }

    /** Whether a greater number is a better one: what gets done in a time is, and what that takes is not. */
    boolean isBetterWhenGreater() {
        boolean done = unit.endsWith("/s") && !unit.startsWith("commands");
        return done || MORE_IS_BETTER.stream().anyMatch(name::startsWith);
    }

    boolean isBetter(double one, double other) {
        return isBetterWhenGreater() ? one > other : one < other;
    }

    /** How many times better one is than the other. */
    double timesBetter(double one, double other) {
        return isBetterWhenGreater() ? one / other : other / one;
    }

    String title() {
        return name + " (" + unit + ")";
    }
}
