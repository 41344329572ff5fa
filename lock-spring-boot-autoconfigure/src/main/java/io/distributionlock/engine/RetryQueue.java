package io.distributionlock.engine;

import io.distributionlock.state.Decision;
import io.distributionlock.state.Times;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/**
 * Decisions that failed, for lack of memory or of a thread, and are tried again for a while: the state counts them as done, and
 * the threads that they concern would wait forever.
 */
final class RetryQueue {

    private static final long PAUSE_NANOS = Times.nanos(100);

    private static final long LONGEST_NANOS = Times.nanos(60_000);

    private record Step(String name, Decision decision, long since) {}

    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
    private volatile long nextTry;

    void add(String name, Decision decision, long now) {
        nextTry = Times.after(now, PAUSE_NANOS);
        steps.add(new Step(name, decision, now));
    }

    void tick(long now, BiConsumer<String, Decision> carryOut, FailureLog failures) {
        if (now >= due()) {
            tryAgain(now, carryOut, failures);
        }
    }

    /** @param carryOut may throw; then the decision is kept, unless it is too old */
    void tryAgain(long now, BiConsumer<String, Decision> carryOut, FailureLog failures) {
        nextTry = Times.after(now, PAUSE_NANOS);
        for (int left = steps.size(); left > 0; left--) {
            Step step = steps.poll();
            if (step == null) {
                return;
            }
            try {
                carryOut.accept(step.name(), step.decision());
            } catch (Throwable e) {
                if (now < Times.after(step.since(), LONGEST_NANOS)) {
                    steps.add(step);
                } else {
                    failures.report(e);
                }
            }
        }
    }

    long due() {
        return steps.isEmpty() ? Times.NEVER : nextTry;
    }
}
