package io.distributionlock.fenced;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What became of the sections under one guard, on one database. */
final class Tally {

    int sections;
    int overtaken;
    int done;
    int refused;
    int failed;
    int unknown;
    int unknownCommitted;

    /** Commits that the value of the counter lacks. */
    int lost;

    /** Commits of sections that began before one that was committed earlier. */
    int stale;

    /** Commits whose token is smaller than one that was committed before: no fault, since the order of announcements decides. */
    int smallerTokens;

    /** Commits that were reported and are not there, or that are there although they were reported as rolled back. */
    int lies;

    /** By the first fault that struck a section between its lock and the end of its commit: the episodes. */
    final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);

    /** Commits, by the worker's manner. */
    final Map<Manner, Integer> committed = new EnumMap<>(Manner.class);

    final Map<String, Integer> errors = new TreeMap<>();

    int episodes() {
        return struck.values().stream().mapToInt(Integer::intValue).sum();
    }

    int struck(Fault fault) {
        return struck.getOrDefault(fault, 0);
    }

    int committed(Manner manner) {
        return committed.getOrDefault(manner, 0);
    }

    void add(Tally other) {
        sections += other.sections;
        overtaken += other.overtaken;
        done += other.done;
        refused += other.refused;
        failed += other.failed;
        unknown += other.unknown;
        unknownCommitted += other.unknownCommitted;
        lost += other.lost;
        stale += other.stale;
        smallerTokens += other.smallerTokens;
        lies += other.lies;
        other.struck.forEach((fault, times) -> struck.merge(fault, times, Integer::sum));
        other.committed.forEach((manner, times) -> committed.merge(manner, times, Integer::sum));
        other.errors.forEach((error, times) -> errors.merge(error, times, Integer::sum));
    }
}
