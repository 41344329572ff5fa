package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which acquires are dropped, and when. */
class InFlightAcquireTest {

    private final InFlightAcquire flight = new InFlightAcquire();
    private final CompletableFuture<String> first = new CompletableFuture<>();
    private final CompletableFuture<String> second = new CompletableFuture<>();
    private final CompletableFuture<String> third = new CompletableFuture<>();

    @Test
    void whoGivesUpDropsAllThatIsNotAnswered() {
        flight.carries(first);
        flight.carries(second);
        flight.drop();

        assertThat(first).isCancelled();
        assertThat(second).isCancelled();
    }

    @Test
    void anAnswerThatHasComeStays() {
        flight.carries(first);
        first.complete("ok");
        flight.drop();

        assertThat(first).isCompletedWithValue("ok");
    }

    @Test
    void whatIsSentAfterItWasGivenUpIsDroppedAtOnce() {
        flight.drop();
        flight.carries(first);

        assertThat(first).isCancelled();
    }

    /** A slow backend must be able to answer at all, and one that is away must not be owed an answer for each heartbeat. */
    @Test
    void whoGoesOnKeepsTheLatestTwo() {
        flight.carries(first);
        flight.carries(second);
        assertThat(first).isNotDone();
        flight.carries(third);

        assertThat(first).isCancelled();
        assertThat(second).isNotDone();
        assertThat(third).isNotDone();
    }

    @Test
    void aCommandOfSeveralBidsIsDroppedWithTheLastOfThem() {
        InFlightAcquire other = new InFlightAcquire();
        InFlightAcquire.share(List.of(flight, other), first);
        flight.drop();
        flight.drop();
        assertThat(first).isNotDone();
        other.drop();

        assertThat(first).isCancelled();
    }

    @Test
    void aCommandOfSeveralBidsIsDroppedWhenEachOfThemHasAskedTwiceSince() {
        InFlightAcquire other = new InFlightAcquire();
        InFlightAcquire.share(List.of(flight, other), first);
        InFlightAcquire.share(List.of(flight, other), second);
        assertThat(first).isNotDone();
        flight.carries(third);
        assertThat(first).isNotDone();
        other.drop();

        assertThat(first).isCancelled();
        assertThat(second).isNotDone();
    }

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
