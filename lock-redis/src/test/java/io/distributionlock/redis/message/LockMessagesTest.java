package io.distributionlock.redis.message;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The messages of a process whose subscription takes as long as the test wants. */
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

    /** As a client that is not interrupted. */
    private Subscription subscribe() {
        subscribing.set(true);
        while (!answers.get()) {
            LockSupport.parkNanos(1_000_000);
        }
        return () -> ended.set(true);
    }
}
