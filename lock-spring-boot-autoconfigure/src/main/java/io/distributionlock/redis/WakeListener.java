package io.distributionlock.redis;

import io.distributionlock.backend.CommandListener;
import io.distributionlock.internal.DaemonThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
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
 * Receives the messages for this process over one subscription, which is made when it is first needed and kept until closing.
 *
 * <p>The container is not a bean: otherwise the application could not start while Redis is down. It is started in the background,
 * repeatedly until it listens; after that it recovers from disconnects by itself. Messages are handled on the thread that receives them.
 */
final class WakeListener implements AutoCloseable {

    private static final Log log = LogFactory.getLog(WakeListener.class);

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    private static final long LONGEST_SUBSCRIBE_MILLIS = 2_000;
    private static final long RECOVERY_MILLIS = 1_000;
    private static final long LONGEST_CLOSE_MILLIS = 1_500;

    /** Together with the next, bounds how late waiters are notified if the subscription has died silently. */
    private static final long BETWEEN_CHECKS_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long LONGEST_DELIVERY_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long GLANCE_MILLIS = 50;

    private final RedisConnectionFactory factory;
    private final String channel;
    private final Function<String, CompletableFuture<?>> publisher;
    private final AtomicBoolean wanted = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ThreadPoolExecutor starter = DaemonThreads.single("distribution-lock-listen");
    private volatile @Nullable CommandListener listener;
    private final AtomicBoolean checking = new AtomicBoolean();
    private volatile long nextCheckAt = System.nanoTime() + BETWEEN_CHECKS_NANOS;
    private volatile @Nullable RedisMessageListenerContainer container;
    private volatile @Nullable Receiver receiver;

    /** @param publisher publishes a message to the channel over another connection */
    WakeListener(RedisConnectionFactory factory, String channel, Function<String, CompletableFuture<?>> publisher) {
        this.factory = factory;
        this.channel = channel;
        this.publisher = publisher;
    }

    void attach(CommandListener listener) {
        this.listener = listener;
    }

    /** Subscribes in the background; later calls do nothing. */
    void listen() {
        if (!wanted.get() && !isClosed() && wanted.compareAndSet(false, true)) {
            starter.execute(this::start);
        }
    }

    /** There is a waiter: checks from time to time, in the background, that messages arrive. */
    void somebodyWaits() {
        Receiver current = receiver;
        if (current != null
                && current.subscribed
                && System.nanoTime() - nextCheckAt >= 0
                && checking.compareAndSet(false, true)) {
            try {
                starter.execute(() -> check(current));
            } catch (RejectedExecutionException e) {
                log.debug("Closed", e);
            }
        }
    }

    /** Another connection was lost, so this one may be dead too. */
    void checkSoon() {
        nextCheckAt = System.nanoTime();
    }

    private void check(Receiver current) {
        try {
            if (isSilent(current) && !isClosed()) {
                log.warn("Replacing the subscription to the Redis channel '" + channel
                        + "': no message arrives over its connection.");
                RedisMessageListenerContainer dead = container;
                start();
                if (dead != null) {
                    destroyInBackground(dead);
                }
            }
        } finally {
            nextCheckAt = System.nanoTime() + BETWEEN_CHECKS_NANOS;
            checking.set(false);
        }
    }

    /** Whether a test message does not arrive although Redis has accepted it. */
    private boolean isSilent(Receiver current) {
        current.heard = false;
        CompletableFuture<?> published = publisher.apply(WakeMessage.ALIVE);
        long start = System.nanoTime();
        while (!current.heard && current.subscribed && !isClosed()) {
            if (System.nanoTime() - start > LONGEST_DELIVERY_NANOS) {
                published.cancel(false);
                return !published.isCompletedExceptionally();
            }
            awaitClosed(GLANCE_MILLIS);
        }
        return false;
    }

    /** In the background, because unsubscribing waits for an answer. */
    private static void destroyInBackground(RedisMessageListenerContainer dead) {
        ThreadPoolExecutor ending = DaemonThreads.single("distribution-lock-unlisten");
        ending.execute(() -> destroy(dead));
        ending.shutdown();
    }

    private void start() {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!isClosed()) {
            RedisMessageListenerContainer fresh = newContainer();
            container = fresh;
            try {
                fresh.start();
                if (fresh.isListening()) {
                    return;
                }
                log.debug("Not subscribed to '" + channel + "' yet");
            } catch (RuntimeException e) {
                log.debug("Cannot subscribe to '" + channel + "' yet", e);
            }
            destroy(fresh);
            if (pauseMillis == FIRST_PAUSE_MILLIS && !isClosed()) {
                log.warn("Cannot subscribe to the Redis channel '" + channel
                        + "' yet. It is retried; until it succeeds, waiting acquires ask every second instead.");
            }
            awaitClosed(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private RedisMessageListenerContainer newContainer() {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("distribution-lock-receive-");
        threads.setDaemon(true);
        RedisMessageListenerContainer fresh = new RedisMessageListenerContainer();
        fresh.setConnectionFactory(factory);
        fresh.setTaskExecutor(new SyncTaskExecutor());
        fresh.setSubscriptionExecutor(threads);
        fresh.setMaxSubscriptionRegistrationWaitingTime(LONGEST_SUBSCRIBE_MILLIS);
        Receiver receiving = new Receiver();
        receiver = receiving;
        // Before it is subscribed, a failure must end up in start(): the container would retry inside its own failed
        // call, one level deeper each time, until the stack overflows.
        fresh.setRecoveryBackoff(() -> () -> receiving.subscribed ? RECOVERY_MILLIS : BackOffExecution.STOP);
        fresh.addMessageListener(receiving, ChannelTopic.of(channel));
        fresh.afterPropertiesSet();
        return fresh;
    }

    private static void destroy(RedisMessageListenerContainer used) {
        try {
            used.destroy();
        } catch (Exception e) {
            log.debug("The subscription did not end in an orderly way", e);
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void awaitClosed(long millis) {
        try {
            closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Only closing interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (isClosed()) {
            return;
        }
        closed.countDown();
        if (!wanted.get()) {
            return;
        }
        Future<?> destroyed = starter.submit(() -> {
            RedisMessageListenerContainer last = container;
            if (last != null) {
                destroy(last);
            }
        });
        starter.shutdown();
        try {
            destroyed.get(LONGEST_CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("The subscription did not end in time; it ends in the background");
        } catch (ExecutionException e) {
            log.debug("The subscription did not end in an orderly way", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called on the receiving thread, so it must not block. */
    private final class Receiver implements MessageListener, SubscriptionListener {

        private volatile boolean subscribed;
        private volatile boolean heard;

        @Override
        public void onMessage(Message message, byte @Nullable [] pattern) {
            CommandListener attached = listener;
            if (attached == null || isClosed()) {
                return;
            }
            heard = true;
            if (WakeMessage.isAlive(message.getBody())) {
                return;
            }
            try {
                WakeMessage.dispatch(message.getBody(), attached);
            } catch (RuntimeException e) {
                log.warn("A message on the Redis channel '" + channel + "' could not be handled and is ignored: " + e);
            }
        }

        @Override
        public void onChannelSubscribed(byte[] channelName, long count) {
            subscribed = true;
            CommandListener attached = listener;
            if (attached != null && !isClosed()) {
                attached.listening();
            }
        }
    }
}
