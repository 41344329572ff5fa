package io.distributionlock.engine;

import io.distributionlock.state.Times;
import java.util.concurrent.atomic.AtomicLong;

/** When the first of many things is due, without a look at all of them. Thread-safe. */
final class EarliestDue {

    private final AtomicLong moment = new AtomicLong(Times.NEVER);

    /** Nothing is due earlier; {@link Times#NEVER} if nothing was noted since it was last forgotten. */
    long get() {
        return moment.get();
    }

    void notLaterThan(long due) {
        if (due < moment.get()) {
            moment.accumulateAndGet(due, Math::min);
        }
    }

    /** Called before a look at all of them, so that none that is noted meanwhile is overlooked. */
    void forget() {
        moment.set(Times.NEVER);
    }
}
