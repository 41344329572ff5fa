package io.distributionlock.redis.message;

/** A subscription to the channel of this process, which lasts until it is closed or {@linkplain Receiver#lost lost}. */
interface Subscription {

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
