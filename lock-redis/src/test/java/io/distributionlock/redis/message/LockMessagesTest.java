package io.distributionlock.redis.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The messages of a process whose subscription takes, and lasts, as long as the test wants. */
class LockMessagesTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final AtomicBoolean subscribing = new AtomicBoolean();
    private final AtomicBoolean answers = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** The end does not wait that long for it. */
    @Test
    void aSubscriptionThatIsConfirmedAfterTheEndIsEndedAsWell() {
        LockMessages messages = new LockMessages(
                MessageSettings.STANDARD,
                false,
                "distribution-lock:wake:",
                "host:a",
                mode -> (channel, receiver) -> subscribe(),
                (channel, message, sharded) -> new CompletableFuture<>());
        messages.listen();
        await().atMost(LONG).untilTrue(subscribing);
        messages.close();
        answers.set(true);
        await().atMost(LONG).untilTrue(ended);
    }

    /** Each time the loss is noticed when the subscription has begun already, which says nothing of how long it will last. */
    @Test
    void waitersPollIfEachSubscriptionLastsForAMoment() throws InterruptedException {
        BlockingQueue<Subscription.Receiver> begun = new LinkedBlockingQueue<>();
        AtomicReference<Thread> subscriber = new AtomicReference<>();
        try (LockMessages messages = new LockMessages(
                MessageSettings.STANDARD,
                false,
                "distribution-lock:wake:",
                "host:a",
                mode -> (channel, receiver) -> {
                    subscriber.set(Thread.currentThread());
                    begun.add(receiver);
                    return () -> {};
                },
                (channel, message, sharded) -> CompletableFuture.completedFuture(1L))) {
            messages.listen();
            assertThat(messages.pollMillis()).isZero();
            for (int i = 0; i < 5; i++) {
                Subscription.Receiver receiver = begun.poll(LONG.toSeconds(), TimeUnit.SECONDS);
                await().atMost(LONG).until(() -> isIdle(subscriber.get()));
                receiver.lost();
            }
            await().atMost(LONG).until(() -> messages.pollMillis() > 0);
        }
    }

    private static boolean isIdle(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    /** As a client that is not interrupted. */
    private Subscription subscribe() {
        subscribing.set(true);
        while (!answers.get()) {
            LockSupport.parkNanos(1_000_000);
        }
        return () -> ended.set(true);
    }
}
