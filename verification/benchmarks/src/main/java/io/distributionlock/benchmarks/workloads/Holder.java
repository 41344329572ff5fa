package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;

/** Keeps a lock from the threads of a job, until it is told to release it. */
final class Holder {

    /** What it leaves in the witness; threads have greater numbers. */
    static final long NUMBER = 1;

    private final Contestant contestant;
    private final Witness witness;
    private Contestant.Held held = () -> true;

    Holder(Contestant contestant, Witness witness) {
        this.contestant = contestant;
        this.witness = witness;
    }

    /** Acquires the lock of the witness's first slot. */
    Fields hold(String name) throws Exception {
        held = contestant.acquireFree(name);
        witness.enter(0, NUMBER);
        return Fields.none();
    }

    /** Returns when it began to release. */
    Fields release() {
        long at = System.nanoTime();
        witness.leave(0, NUMBER);
        held.release();
        return Fields.none().with("at", at);
    }
}
