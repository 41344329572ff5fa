package io.distributionlock.benchmarks;

/**
 * How long a contestant is warmed up: until its throughput has stopped growing, because Java compiles what runs often, and compiles
 * the busiest of it again.
 */
final class WarmUp {

    private static final double GROWTH = 1.02;
    private static final int STEADY_ROUNDS = 3;
    private static final int MAX_ROUNDS = 10;

    private double best;
    private int rounds;
    private int steady;

    /** Notes the throughput of one more round. */
    void ran(double throughput) {
        rounds++;
        steady = throughput > GROWTH * best ? 0 : steady + 1;
        best = Math.max(best, throughput);
    }

    boolean isOver() {
        return steady >= STEADY_ROUNDS || rounds >= MAX_ROUNDS;
    }
}
