package io.distributionlock.benchmarks.workloads;

/**
 * How large the workloads are.
 *
 * @param quick whether it is enough that each workload is seen to run
 * @param seconds how long a timed round lasts
 */
public record Scale(boolean quick, double seconds) {

    long millis() {
        return Math.round(seconds * 1_000);
    }

    int[] threads() {
        return quick ? new int[] {1, 4} : new int[] {1, 16};
    }

    int[] hotProcesses() {
        return quick ? new int[] {1, 2} : new int[] {1, 2, 4};
    }

    int[] costProcesses() {
        return quick ? new int[] {2} : new int[] {8};
    }

    int waitersPerProcess() {
        return quick ? 20 : 200;
    }

    int addressThreadsPerProcess() {
        return quick ? 20 : 300;
    }

    int renewingLocks() {
        return quick ? 200 : 10_000;
    }

    /** In two processes together. */
    int[] fairWaiters() {
        return quick ? new int[] {8} : new int[] {16, 400};
    }

    int[] fairQueuesPerProcess() {
        return quick ? new int[] {100} : new int[] {500, 5_000};
    }

    int[] namesAtOnce() {
        return quick ? new int[] {1, 10} : new int[] {1, 100};
    }

    /** To Redis and back, in milliseconds: in one place, in the next one, in the next region. */
    double[] roundTrips() {
        return quick ? new double[] {1} : new double[] {0.5, 1, 2};
    }

    int manyNames() {
        return quick ? 500 : 50_000;
    }

    /** How long threads are given to begin to wait. */
    long settleMillis() {
        return quick ? 300 : 1_000;
    }

    /** For how long it is looked at what waiting costs. */
    long idleMillis() {
        return quick ? 500 : 3_000;
    }

    /** How often each of the renewed locks is renewed while it is looked at. */
    int renewals() {
        return quick ? 1 : 2;
    }
}
