package io.distributionlock.playground.freeze;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of the scenario: three items, each with a guard of its own, and two sellers of each. Thread-safe. */
final class Freeze {

    private final String run;
    private final String frozen;
    private final String other;
    private final Map<Guard, List<String>> sellers = new EnumMap<>(Guard.class);
    private final Instant begun = Instant.now();
    private @Nullable Long stoppedAt;
    private @Nullable Long wokenAt;
    private boolean finished;
    private @Nullable String failure;

    /**
     * @param frozen the instance that is stopped at its commits
     * @param other the one that sells meanwhile
     */
    Freeze(String run, String frozen, String other) {
        this.run = run;
        this.frozen = frozen;
        this.other = other;
    }

    String run() {
        return run;
    }

    /** The name of the instance that is stopped. */
    String frozen() {
        return frozen;
    }

    String item(Guard guard) {
        return run + "-" + guard;
    }

    synchronized void stopped() {
        stoppedAt = now();
    }

    synchronized void woken() {
        wokenAt = now();
    }

    synchronized void sold(Guard guard, List<String> names) {
        sellers.put(guard, List.copyOf(names));
    }

    /** @param why what kept it from being played to its end; null if nothing did */
    synchronized void finished(@Nullable String why) {
        finished = true;
        failure = why;
    }

    synchronized boolean isFinished() {
        return finished;
    }

    /** How long ago it began. */
    Duration age() {
        return Duration.between(begun, Instant.now());
    }

    synchronized State state() {
        return new State(run, frozen, other, stoppedAt, wokenAt, new EnumMap<>(sellers), finished, failure);
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /**
     * How far it is.
     *
     * @param stoppedAt when the instance was stopped, in microseconds since 1970; null until then
     * @param wokenAt when it was woken
     * @param sellers whose sales are in the database, by guard; empty until all have been answered
     * @param failure what kept it from being played to its end
     */
    record State(
            String run,
            String frozen,
            String other,
            @Nullable Long stoppedAt,
            @Nullable Long wokenAt,
            Map<Guard, List<String>> sellers,
            boolean finished,
            @Nullable String failure) {}
}
