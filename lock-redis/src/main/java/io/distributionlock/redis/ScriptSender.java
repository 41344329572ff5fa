package io.distributionlock.redis;

import io.distributionlock.internal.BackendProblemException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends script calls to Redis with one client library.
 *
 * <p>Sending never blocks. The calls that one thread sends for one lock run in that order; with Lettuce, those of a
 * {@link io.distributionlock.internal.Pipeline} leave together. A call that is cancelled before it was sent is not sent. After closing,
 * futures fail.
 */
interface ScriptSender extends AutoCloseable {

    <T> CompletableFuture<T> send(LockCall<T> call);

    /** Connects in the background, ahead of the first call; by default does nothing. */
    default void connect() {}

    /**
     * Publishes a message to a channel.
     *
     * @param sharded whether it is a sharded channel of a Cluster
     */
    CompletableFuture<?> publish(String channel, String message, boolean sharded);

    /** Why no answer can be expected at present; {@code null} if there is no known reason. */
    @Nullable
    Diagnosis diagnosis();

    /** What keeps answers from coming, and what to do about it; whole sentences. */
    record Diagnosis(String description, String action) {

        /** Until the first answer has come. */
        static Diagnosis notConnectedYet(String endpoint, SettingNames names) {
            return new Diagnosis(
                    "The locks are not connected yet to " + endpoint + ", which has answered no command so far.",
                    names.in(
                            "Check that Redis is running and reachable from here, and that both sides or neither use TLS"
                                    + " ({tls})."));
        }

        static Diagnosis connectionLost(String endpoint) {
            return new Diagnosis(
                    "The lock connection to " + endpoint + " is lost and not back yet.",
                    "Check that Redis is running and reachable from here.");
        }

        /** @param reason why it cannot be made again */
        static Diagnosis connectionLost(String endpoint, Throwable reason) {
            Diagnosis lost = connectionLost(endpoint);
            return reason instanceof BackendProblemException problem
                    ? new Diagnosis(lost.description + " " + problem.description(), problem.action())
                    : lost;
        }

        static Diagnosis noneToSpare(String endpoint, SettingNames names) {
            return new Diagnosis(
                    "The Redis client has no connection to " + endpoint
                            + " to spare: all of its pool are in use, or it is still connecting.",
                    names.in("Raise {pool}. And check that Redis is running and reachable from here."));
        }
    }

    /** Takes a bounded time; never throws. */
    @Override
    void close();

    /** The failure of a call after closing. */
    static IllegalStateException closedException() {
        return new IllegalStateException(
                "The lock connection to Redis is closed: the application is shutting down or has been shut"
                        + " down. Acquire locks before its context closes.");
    }
}
