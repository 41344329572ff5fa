package io.distributionlock.redis.message;

import io.distributionlock.backend.CommandListener;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Receives the messages for this process over one subscription, which is made when it is first needed and kept until closing. Finds out
 * whether it is possible: if the servers refuse it, it goes on with the next {@link MessageTransport}.
 */
final class WakeListener implements AutoCloseable {

    private static final Log log = LogFactory.getLog(WakeListener.class);

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 10_000;

    /** A subscription that ends sooner is followed by a pause, as one that fails. */
    private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long MAX_CLOSE_MILLIS = 1_500;

    /** When the pause has grown so long, it is no restart of Redis. */
    private static final long NOTICED_MILLIS = 1_000;

    /** Together with the next, bounds how late waiters are notified if the subscription has died silently. */
    private static final long BETWEEN_CHECKS_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long MAX_DELIVERY_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long GLANCE_MILLIS = 50;
    private static final long BETWEEN_WARNINGS_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final String channel;
    private final MessageTransport transport;
    private final MessageCapability capability;
    private final boolean publishes;
    private final Function<MessageMode, CompletableFuture<?>> test;
    private final AtomicBoolean wanted = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ThreadPoolExecutor starter = DaemonThreads.single("distribution-lock-listen");
    private final AtomicLong nextWarningAt = new AtomicLong(System.nanoTime());
    private final AtomicBoolean checking = new AtomicBoolean();
    private volatile long nextCheckAt = System.nanoTime() + BETWEEN_CHECKS_NANOS;
    private volatile @Nullable CommandListener listener;
    private volatile @Nullable Reader reader;

    // Used only on the thread that subscribes.
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private boolean hasSubscribed;

    /**
     * @param publishes whether this process itself publishes messages, so that it is tried at the beginning
     * @param test publishes a test message to the channel, over another connection
     */
    WakeListener(
            String channel,
            MessageTransport transport,
            MessageCapability capability,
            boolean publishes,
            Function<MessageMode, CompletableFuture<?>> test) {
        this.channel = channel;
        this.transport = transport;
        this.capability = capability;
        this.publishes = publishes;
        this.test = test;
    }

    void attach(CommandListener notified) {
        this.listener = notified;
    }

    /** Subscribes in the background; later calls do nothing. */
    void listen() {
        if (!wanted.get()
                && !isClosed()
                && transport.present() != MessageMode.NONE
                && wanted.compareAndSet(false, true)) {
            execute(this::start);
        }
    }

    /** The transport has changed, or the subscription is lost: subscribes again in the background. */
    void listenAnew() {
        if (wanted.get()) {
            execute(() -> {
                Reader former = reader;
                if (former == null || former.lost || former.mode != transport.present()) {
                    start();
                    endInBackground(former);
                }
            });
        }
    }

    /** There is a waiter: checks from time to time, in the background, that messages arrive. */
    void somebodyWaits() {
        Reader current = reader;
        if (current != null && System.nanoTime() - nextCheckAt >= 0 && checking.compareAndSet(false, true)) {
            execute(() -> check(current));
        }
    }

    /** Another connection was lost, so this one may be dead too. */
    void checkSoon() {
        nextCheckAt = System.nanoTime();
    }

    private void execute(Runnable task) {
        try {
            starter.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("Closed", e);
        }
    }

    private void check(Reader current) {
        try {
            if (current != reader) {
                return;
            }
            if (!isSilent(current)) {
                transport.receives();
            } else if (!isClosed()) {
                log.warn("Replacing the subscription to the Redis channel '" + channel
                        + "': no message arrives over its connection.");
                start();
                endInBackground(current);
            }
        } finally {
            nextCheckAt = System.nanoTime() + BETWEEN_CHECKS_NANOS;
            checking.set(false);
        }
    }

    /** Whether a test message does not arrive although Redis has accepted it, or cannot be sent as it used to be. */
    private boolean isSilent(Reader current) {
        current.heard = false;
        CompletableFuture<?> published = test.apply(current.mode);
        long start = System.nanoTime();
        while (!current.heard && !isClosed()) {
            if (System.nanoTime() - start > MAX_DELIVERY_NANOS) {
                published.cancel(false);
                return !published.isCompletedExceptionally() || isRefused(published, current.mode);
            }
            awaitClosed(GLANCE_MILLIS);
        }
        return false;
    }

    private boolean isRefused(CompletableFuture<?> published, MessageMode mode) {
        Throwable failure = Await.uninterruptibly(published.handle((receivers, cause) -> cause));
        return MessageTransport.isRefusal(failure) && transport.refused(mode, failure);
    }

    /** In the background, because unsubscribing waits for an answer. */
    private static void endInBackground(@Nullable Reader former) {
        if (former != null && former.subscription != null) {
            ThreadPoolExecutor ending = DaemonThreads.single("distribution-lock-unlisten");
            ending.execute(former::end);
            ending.shutdown();
        }
    }

    private void start() {
        Reader former = reader;
        reader = null;
        if (former == null || System.nanoTime() - former.since > LASTING_NANOS) {
            pauseMillis = FIRST_PAUSE_MILLIS;
        } else if (former.lost) {
            continueWithout(former.mode);
            pause();
        }
        while (!isClosed()) {
            MessageMode mode = transport.present();
            try {
                if (mode == MessageMode.NONE || begins(mode)) {
                    return;
                }
            } catch (RuntimeException e) {
                if (MessageTransport.isRefusal(e)) {
                    transport.refused(mode, e);
                    continue;
                }
                log.debug("Cannot subscribe to '" + channel + "' yet", e);
            }
            continueWithout(mode);
            pause();
        }
    }

    private void pause() {
        awaitClosed(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
    }

    /** Until it is subscribed. If Redis does not answer at all, the log says so elsewhere. */
    private void continueWithout(MessageMode mode) {
        if (transport.polls() || capability.in(mode) == null || isClosed()) {
            return;
        }
        if (!hasSubscribed || pauseMillis >= NOTICED_MILLIS && isAnswering(mode)) {
            transport.receivesNoneIn(mode);
            log.warn("Cannot subscribe to the Redis channel '" + channel
                    + "' yet. It is retried; until it succeeds, waiting acquires poll instead.");
        }
    }

    private boolean isAnswering(MessageMode mode) {
        try {
            tryToPublish(mode);
            return true;
        } catch (RuntimeException e) {
            return MessageTransport.isRefusal(e);
        }
    }

    /** Whether messages travel in this mode from now on. */
    private boolean begins(MessageMode mode) {
        Subscription.Subscriber subscriber = capability.in(mode);
        if (subscriber == null) {
            if (publishes) {
                tryToPublish(mode);
            }
            transport.receivesNoneIn(mode);
            return true;
        }
        Reader fresh = new Reader(mode);
        fresh.subscription = subscriber.subscribe(channel, fresh);
        if (publishes) {
            try {
                tryToPublish(mode);
            } catch (RuntimeException e) {
                if (MessageTransport.isRefusal(e)) {
                    fresh.end();
                    throw e;
                }
                log.debug("It is tried again while somebody waits", e);
            }
        }
        reader = fresh;
        hasSubscribed = true;
        // The end may have stopped waiting for this.
        if (fresh.lost || isClosed()) {
            reader = null;
            fresh.end();
            return false;
        }
        return true;
    }

    private void tryToPublish(MessageMode mode) {
        Subscription.await(test.apply(mode), Duration.ofNanos(MAX_DELIVERY_NANOS));
    }

    /** Limits the rate: otherwise a user that may publish could fill the log. */
    private void warnOfForeignMessage(RuntimeException problem) {
        long now = System.nanoTime();
        long due = nextWarningAt.get();
        if (now - due >= 0 && nextWarningAt.compareAndSet(due, now + BETWEEN_WARNINGS_NANOS)) {
            log.warn("A message on the Redis channel '" + channel + "' is not from this library and is ignored ("
                    + MessageText.of(problem.getMessage())
                    + "). Let other Redis users have 'resetchannels'. Further ones are not reported for ten minutes.");
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
        Future<?> ended = starter.submit(() -> {
            Reader last = reader;
            if (last != null) {
                last.end();
            }
        });
        starter.shutdown();
        try {
            ended.get(MAX_CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("The subscription did not end in time");
            // It may wait for an answer of Redis, for as long as the client allows.
            starter.shutdownNow();
        } catch (ExecutionException e) {
            log.debug("The subscription did not end in an orderly way", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What receives over one subscription. */
    private final class Reader implements Subscription.Receiver {

        private final MessageMode mode;
        private volatile @Nullable Subscription subscription;
        private volatile boolean heard;
        private volatile boolean lost;
        private final long since = System.nanoTime();

        Reader(MessageMode mode) {
            this.mode = mode;
        }

        @Override
        public void received(byte[] message) {
            CommandListener attached = listener;
            if (attached == null || isClosed()) {
                return;
            }
            heard = true;
            if (WakeMessage.isAlive(message)) {
                return;
            }
            try {
                WakeMessage.of(message).dispatchTo(attached);
            } catch (RuntimeException e) {
                warnOfForeignMessage(e);
            }
        }

        @Override
        public void subscribed() {
            CommandListener attached = listener;
            if (attached != null && !isClosed()) {
                attached.listening();
            }
        }

        @Override
        public void lost() {
            lost = true;
            if (reader == this) {
                listenAnew();
            }
        }

        void end() {
            Subscription open = subscription;
            if (open != null) {
                open.close();
            }
        }
    }
}
