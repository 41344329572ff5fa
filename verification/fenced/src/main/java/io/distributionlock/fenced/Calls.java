package io.distributionlock.fenced;

import java.util.Random;
import java.util.function.Consumer;

/** What one thread does next: a guard, a counter and times, by chance. */
final class Calls {

    private static final Guard[] GUARDS = Guard.values();

    private final int worker;
    private final Consumer<Attempt> report;
    private final String round;
    private final int counters;
    private final Random random;

    Calls(int worker, Consumer<Attempt> report, String round, int counters, Random random) {
        this.worker = worker;
        this.report = report;
        this.round = round;
        this.counters = counters;
        this.random = random;
    }

    static String counter(String round, Guard guard, int number) {
        return round + ":" + guard + ":" + number;
    }

    Call next() {
        Guard guard = GUARDS[random.nextInt(GUARDS.length)];
        boolean fixedLease = random.nextBoolean();
        String counter = counter(round, guard, random.nextInt(counters));
        return new Call(worker, report, guard, counter, hold(fixedLease), late(), fixedLease);
    }

    /** Mostly short. Some renewed leases last longer than one term, so that a network that is cut costs them. */
    private int hold(boolean fixedLease) {
        boolean isLong = !fixedLease && random.nextInt(25) == 0;
        return isLong ? 1_100 + random.nextInt(600) : 5 + random.nextInt(75);
    }

    /** Seldom; then mostly for longer than a lease. */
    private int late() {
        return random.nextInt(25) == 0 ? 300 + random.nextInt(1_500) : 0;
    }

    int pause() {
        return random.nextInt(20);
    }
}
