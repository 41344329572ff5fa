package io.distributionlock.internal;

import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * What failed, beneath what reports it.
 *
 * @hidden
 */
@Internal
public final class Failures {

    /** Causes may form a circle. */
    private static final int DEEPEST_CAUSE = 20;

    private Failures() {}

    /** The failure without the wrapper that a dependent stage of a future adds. */
    public static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Whether it is true of the failure or of one of its causes. */
    public static boolean isAny(Throwable failure, Predicate<Throwable> condition) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (condition.test(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
