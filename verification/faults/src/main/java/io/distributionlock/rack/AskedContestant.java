package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.SentCommands;
import org.jspecify.annotations.Nullable;

/** One whose release does not say whether the lock was held until then, so that it is asked before. */
record AskedContestant(Contestant contestant) implements Contestant {

    @Override
    public @Nullable Held acquire(String name) throws Exception {
        Held held = contestant.acquire(name);
        return held == null ? null : new AskedHeld(held);
    }

    @Override
    public SentCommands sent() {
        return contestant.sent();
    }

    @Override
    public void close() {
        contestant.close();
    }

    private record AskedHeld(Held held) implements Held {

        @Override
        public boolean isHeld() {
            return held.isHeld();
        }

        @Override
        public boolean release() {
            boolean wasHeld = held.isHeld();
            held.release();
            return wasHeld;
        }
    }
}
