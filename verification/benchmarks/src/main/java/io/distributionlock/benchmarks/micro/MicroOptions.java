package io.distributionlock.benchmarks.micro;

/**
 * For how long the microbenchmarks measure.
 *
 * @param rounds each in a JVM of its own; 0 runs a single round inside this one, to try whether everything works
 * @param warmups iterations before a round
 * @param iterations of a round
 * @param millis of an iteration
 * @param only a regular expression that is found in the name of each benchmark that is to run, such as {@code AspectBenchmark}
 */
public record MicroOptions(int rounds, int warmups, int iterations, int millis, String only) {

    private static final String ALL = "";

    public MicroOptions {
        if (rounds < 0 || warmups < 0 || iterations < 1 || millis < 1) {
            throw new IllegalArgumentException("rounds " + rounds + ", warmups " + warmups + ", iterations "
                    + iterations + ", millis " + millis + ": rounds and warmups are 0 or more, the others 1 or more.");
        }
    }

    /** Two rounds of three seconds, each after three seconds of warming up: about 15 s for each benchmark. */
    public static MicroOptions thorough() {
        return new MicroOptions(2, 3, 3, 1_000, ALL);
    }

    /** One short round: shows that everything runs, and roughly what is allocated. */
    public static MicroOptions quick() {
        return new MicroOptions(1, 1, 1, 100, ALL);
    }

    /** The same for the benchmarks in whose name this expression is found. */
    public MicroOptions only(String expression) {
        return new MicroOptions(rounds, warmups, iterations, millis, expression);
    }
}
