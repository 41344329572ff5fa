package io.distributionlock.internal;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What failed, beneath what reports it.
 *
 * @hidden
 */
@Internal
public final class Failures {

    /** Limits the search, because causes may form a circle. */
    private static final int MAX_CAUSE_DEPTH = 20;

    private Failures() {}

    /** The failure without the wrapper that a dependent stage of a future adds. */
    public static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Makes what a call throws the failure of the future that it should have returned. */
    public static <T> CompletableFuture<T> caught(Supplier<CompletableFuture<T>> call) {
        try {
            return Objects.requireNonNull(call.get(), "future");
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The failure, if any, and its causes. */
    public static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSE_DEPTH);
    }

    /** Whether it is true of the failure or of one of its causes. */
    public static boolean isAny(@Nullable Throwable failure, Predicate<Throwable> condition) {
        return causes(failure).anyMatch(condition);
    }
}
