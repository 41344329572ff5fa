package io.distributionlock.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of a script call to Redis and of its answer back, with what one client library offers.
 *
 * <p>Sending never blocks. What one thread sends for one name runs in that order. A call whose future is cancelled before it
 * was sent is not sent any more. After closing, futures fail.
 */
interface ScriptSender extends AutoCloseable {

    <T> CompletableFuture<T> send(ScriptCall<T> call);

    /** Sends all together; the answers stand in the order of the calls. */
    <T> List<CompletableFuture<T>> sendAll(List<ScriptCall<T>> calls);

    /** Sends a message to all that are subscribed to a channel. */
    CompletableFuture<?> publish(String channel, String message);

    /** Why nothing can be sent at present, as a sentence; {@code null} if it can. */
    default @Nullable String obstacle() {
        return null;
    }

    /** Bounded in time; never throws. */
    @Override
    void close();

    /** What a future says whose call came after closing. */
    static IllegalStateException closedException() {
        return new IllegalStateException(
                "The connection of the locks to Redis is closed: the application is shutting down or has been shut"
                        + " down. Ask for locks before its context closes.");
    }
}
