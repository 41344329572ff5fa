package io.distributionlock.faults;

import org.jspecify.annotations.Nullable;

/**
 * What a thread saw of one attempt to get a lock. Times as in {@link Turn}.
 *
 * @param process which process it ran in
 * @param budgetNanos how long it was allowed to wait
 * @param endedAt when it got its outcome; or, without one, when its process was killed
 * @param outcome {@code ACQUIRED}, {@code BUSY}, {@code INTERRUPTED} or {@code BACKEND_FAILED}; {@code null} if its process was
 *     killed before
 */
record Attempt(
        String process,
        String who,
        String key,
        long calledAt,
        long budgetNanos,
        long endedAt,
        @Nullable String outcome) {

    static final String ACQUIRED = "ACQUIRED";
    static final String BUSY = "BUSY";

    Attempt answered(long at, String how) {
        return new Attempt(process, who, key, calledAt, budgetNanos, at, how);
    }
}
