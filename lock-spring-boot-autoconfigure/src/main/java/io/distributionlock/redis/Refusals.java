package io.distributionlock.redis;

import io.distributionlock.engine.TryAgainException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Errors by which Redis says that it did not run a script and soon may: while a slot moves to another node of a Cluster
 * (TRYAGAIN, and redirections that never come to an end), while a replica takes over, or while a server reads its data.
 */
final class Refusals {

    private static final List<String> STARTS =
            List.of("TRYAGAIN", "CLUSTERDOWN", "MOVED ", "ASK ", "LOADING", "MASTERDOWN", "READONLY", "BUSY ");

    /** Before Redis 7, what a command in a script answers stands inside the error of the script. It is the first one that writes. */
    private static final String READ_ONLY_INSIDE = "-READONLY ";

    private Refusals() {}

    static boolean isOne(@Nullable String error) {
        return error != null && (STARTS.stream().anyMatch(error::startsWith) || error.contains(READ_ONLY_INSIDE));
    }

    /** Whether it comes from a replica. */
    static boolean saysReadOnly(String error) {
        return error.startsWith("READONLY") || error.contains(READ_ONLY_INSIDE);
    }

    /** The failure as the engine knows it. */
    static Throwable translate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && isOne(message)) {
                return new TryAgainException(message);
            }
        }
        return failure;
    }
}
