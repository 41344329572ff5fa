package io.distributionlock.benchmarks.workloads;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/** Which name a thread locks next, as a number from 0. */
final class NameChoice {

    static final int NO_MORE = -1;

    private NameChoice() {}

    static IntSupplier of(SectionShape shape, int process, int processes, int thread) {
        int number = process * shape.threads() + thread;
        return switch (shape.naming()) {
            case OWN -> () -> number;
            case ONE -> () -> 0;
            case FEW -> () -> ThreadLocalRandom.current().nextInt(shape.names());
            case MANY -> new EachOnce(number, processes * shape.threads(), shape.names());
        };
    }

    private static final class EachOnce implements IntSupplier {

        private final int step;
        private final int end;
        private int next;

        EachOnce(int first, int step, int end) {
            this.next = first;
            this.step = step;
            this.end = end;
        }

        @Override
        public int getAsInt() {
            if (next >= end) {
                return NO_MORE;
            }
            int name = next;
            next += step;
            return name;
        }
    }
}
