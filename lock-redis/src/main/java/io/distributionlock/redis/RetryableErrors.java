package io.distributionlock.redis;

import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.Failures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Errors by which Redis refuses a script only for the moment: while a slot moves to another node of a Cluster (TRYAGAIN, and endless
 * redirections), while a replica takes over, or while a server loads its data. Valkey's serverless services move slots at any time, and
 * may refuse a script at its first key instead.
 */
final class RetryableErrors {

    private static final List<String> STARTS =
            List.of("TRYAGAIN", "CLUSTERDOWN", "MOVED ", "ASK ", "LOADING", "MASTERDOWN", "BUSY ");

    /** Before Redis 7, the error of a script contains that of its failed command, here the first one that writes. */
    private static final String READ_ONLY_INSIDE = "-READONLY ";

    private static final String NOT_HERE_INSIDE = "attempted to access a non local key";

    private RetryableErrors() {}

    static boolean isOne(@Nullable String error) {
        return error != null
                && (STARTS.stream().anyMatch(error::startsWith)
                        || saysReadOnly(error)
                        || error.contains(NOT_HERE_INSIDE));
    }

    /** Whether the keys of a command are at two nodes, because their slot moves. */
    static boolean saysKeysAreApart(@Nullable Throwable failure) {
        return failure instanceof TryAgainException
                && failure.getMessage() != null
                && failure.getMessage().startsWith("TRYAGAIN");
    }

    /** Whether a replica refused a write. */
    static boolean saysReadOnly(String error) {
        return error.startsWith("READONLY") || error.contains(READ_ONLY_INSIDE);
    }

    /** The failure as the engine expects it. */
    static Throwable translate(Throwable failure) {
        return Failures.causes(failure)
                .map(Throwable::getMessage)
                .filter(RetryableErrors::isOne)
                .findFirst()
                .<Throwable>map(TryAgainException::new)
                .orElse(failure);
    }
}
