package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An acquire that is dropped while it is being sent. */
class InFlightAcquireTest {

    private final InFlightAcquire flight = new InFlightAcquire();

    @Test
    void nothingIsSentForAClaimThatWasGivenUp() {
        flight.drop();
        CompletableFuture<Void> answer = flight.send(() -> {
            throw new AssertionError("sent");
        });
        assertThat(answer).isCompletedExceptionally();
    }

    @Test
    void aDropOnAnotherThreadWaitsForTheAcquireThatIsBeingSent() {
        CompletableFuture<Void> dropped = new CompletableFuture<>();
        Thread other = new Thread(() -> {
            flight.drop();
            dropped.complete(null);
        });
        CompletableFuture<Void> answer = flight.send(() -> {
            other.start();
            await().until(() -> other.getState() == Thread.State.WAITING);
            assertThat(dropped).isNotDone();
            return new CompletableFuture<>();
        });
        assertThat(dropped).succeedsWithin(Duration.ofSeconds(20));
        await().until(answer::isCancelled);
    }
}
