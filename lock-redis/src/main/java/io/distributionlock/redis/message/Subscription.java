package io.distributionlock.redis.message;

import io.distributionlock.internal.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A subscription to the channel of this process, which lasts until it is closed or {@linkplain Receiver#lost lost}. */
interface Subscription {

    /**
     * Waits for a step of a subscription, which is cancelled if it takes too long.
     *
     * @throws IllegalStateException if it fails, takes too long or is interrupted
     */
    static <T> T await(CompletableFuture<T> step, Duration patience) {
        try {
            return Await.atMost(patience, step);
        } catch (ExecutionException | TimeoutException e) {
            step.cancel(false);
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            // Only closing interrupts a thread that subscribes.
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Takes a bounded time; never throws. */
    void close();

    /** Subscribes over a connection of its own. */
    interface Subscriber {

        /**
         * Blocks until Redis has confirmed the subscription.
         *
         * @throws RuntimeException if that fails; nothing is left open
         */
        Subscription subscribe(String channel, Receiver receiver);
    }

    /** Called on the thread that receives, so no method may block. */
    interface Receiver {

        /** The subscription is confirmed, for the first time or again after its connection was lost. */
        void subscribed();

        void received(byte[] message);

        /** Nothing will be received any more. */
        void lost();
    }
}
