package io.distributionlock.redis.message;

import io.distributionlock.redis.message.Subscription.Receiver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A subscription with any client, by a container of Spring Data Redis.
 *
 * <p>The container is not a bean: otherwise the application could not start while Redis is down. Once it listens, it recovers from
 * disconnects by itself. Messages are handled on the thread that receives them.
 */
final class ClassicSubscription implements Subscription {

    private static final Log log = LogFactory.getLog(ClassicSubscription.class);

    private static final long MAX_SUBSCRIBE_MILLIS = 2_000;
    private static final long RECOVERY_MILLIS = 1_000;

    private final RedisMessageListenerContainer container;

    private ClassicSubscription(RedisMessageListenerContainer container) {
        this.container = container;
    }

    static Subscription open(RedisConnectionFactory factory, String channel, Receiver receiver) {
        ClassicSubscription subscription = new ClassicSubscription(container(factory, channel, receiver));
        try {
            subscription.container.start();
            if (!subscription.container.isListening()) {
                throw new IllegalStateException("Not subscribed in time");
            }
            return subscription;
        } catch (RuntimeException e) {
            subscription.close();
            throw e;
        }
    }

    private static RedisMessageListenerContainer container(
            RedisConnectionFactory factory, String channel, Receiver receiver) {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("distribution-lock-receive-");
        threads.setDaemon(true);
        RedisMessageListenerContainer container = new RedisMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setTaskExecutor(new SyncTaskExecutor());
        container.setSubscriptionExecutor(threads);
        container.setMaxSubscriptionRegistrationWaitingTime(MAX_SUBSCRIBE_MILLIS);
        Listener listener = new Listener(receiver);
        // Before it is subscribed, a failure must end up in open(): the container would retry inside its own failed
        // call, one level deeper each time, until the stack overflows.
        container.setRecoveryBackoff(() -> () -> listener.subscribed ? RECOVERY_MILLIS : BackOffExecution.STOP);
        container.addMessageListener(listener, ChannelTopic.of(channel));
        container.afterPropertiesSet();
        return container;
    }

    @Override
    public void close() {
        try {
            container.destroy();
        } catch (Exception e) {
            log.debug("The subscription did not end in an orderly way", e);
        }
    }

    private static final class Listener implements MessageListener, SubscriptionListener {

        private final Receiver receiver;
        private volatile boolean subscribed;

        Listener(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void onMessage(Message message, byte @Nullable [] pattern) {
            receiver.received(message.getBody());
        }

        @Override
        public void onChannelSubscribed(byte[] channelName, long count) {
            subscribed = true;
            receiver.subscribed();
        }
    }
}
