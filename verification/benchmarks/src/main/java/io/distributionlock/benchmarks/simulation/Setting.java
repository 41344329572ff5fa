package io.distributionlock.benchmarks.simulation;

import java.time.Duration;

/**
 * What is simulated.
 *
 * @param processes how many of them
 * @param threads of each process
 * @param cores of the machine of each process; if there is but one machine, of that one
 * @param oneMachine whether all processes and servers share one machine, as in a measurement
 * @param servers masters of a Cluster, or 1
 * @param names a thread takes one of them at random each time
 * @param roundTrip between a process and a server
 * @param section for how long a thread holds its lock
 * @param pause of a thread between two sections, on average, exponentially distributed; zero to ask again at once
 * @param warmUp what comes before the measured time
 * @param measured for how long it is measured
 */
record Setting(
        int processes,
        int threads,
        int cores,
        boolean oneMachine,
        int servers,
        int names,
        Duration roundTrip,
        Duration section,
        Duration pause,
        Duration warmUp,
        Duration measured) {

    Setting {
        if (processes < 1 || threads < 1 || cores < 1 || servers < 1 || names < 1) {
            throw new IllegalArgumentException("Every count must be at least 1: processes " + processes + ", threads "
                    + threads + ", cores " + cores + ", servers " + servers + ", names " + names + ".");
        }
        if (measured.isZero() || measured.isNegative()) {
            throw new IllegalArgumentException("measured is " + measured + ", but must be longer than zero.");
        }
    }

    /** One name, kept by one server; every thread asks for it again as soon as it has left. */
    static Setting hotName(int processes) {
        return new Setting(
                processes,
                8,
                4,
                false,
                1,
                1,
                Duration.ofNanos(500_000),
                Duration.ofMillis(1),
                Duration.ZERO,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10));
    }

    /** A million names over a Cluster, so that hardly anybody waits for anybody else. */
    static Setting cluster(int masters) {
        return new Setting(
                100,
                16,
                4,
                false,
                masters,
                1_000_000,
                Duration.ofNanos(500_000),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofMillis(500),
                Duration.ofSeconds(1));
    }

    Setting roundTrip(Duration changed) {
        return new Setting(
                processes, threads, cores, oneMachine, servers, names, changed, section, pause, warmUp, measured);
    }

    Setting section(Duration changed) {
        return new Setting(
                processes, threads, cores, oneMachine, servers, names, roundTrip, changed, pause, warmUp, measured);
    }

    /** As many sections a second as this altogether, unless the lock cannot keep up. */
    Setting demanding(int sectionsPerSecond) {
        Duration between = Duration.ofNanos(1_000_000_000L * processes * threads / sectionsPerSecond);
        return new Setting(
                processes, threads, cores, oneMachine, servers, names, roundTrip, section, between, warmUp, measured);
    }

    Setting on(int coresOfOneMachine, int threadsOfEach, int namesOfAll) {
        return new Setting(
                processes,
                threadsOfEach,
                coresOfOneMachine,
                true,
                servers,
                namesOfAll,
                roundTrip,
                section,
                pause,
                warmUp,
                measured);
    }

    Setting lasting(Duration warmUpTime, Duration measuredTime) {
        return new Setting(
                processes,
                threads,
                cores,
                oneMachine,
                servers,
                names,
                roundTrip,
                section,
                pause,
                warmUpTime,
                measuredTime);
    }
}
