package io.distributionlock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OffloadedFutureTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final CompletableFuture<String> source = new CompletableFuture<>();
    private final CompletableFuture<String> future = OffloadedFuture.of(source);

    @Test
    void stagesDoNotRunOnTheThreadThatBringsTheResult() {
        CompletableFuture<Thread> ran = future.thenApply(result -> Thread.currentThread());
        source.complete("result");
        assertThat(ran).succeedsWithin(LONG).isNotSameAs(Thread.currentThread());
    }

    /** As when a lease is decorated, and the library releases it among others. */
    @Test
    void norDoThoseOfTheApplicationIfTheLibraryFollowsTheSource() {
        CompletableFuture<Thread> ran = future.thenApply(result -> Thread.currentThread());
        OffloadedFuture.source(future);
        source.complete("result");
        assertThat(ran).succeedsWithin(LONG).isNotSameAs(Thread.currentThread());
    }

    @Test
    void withoutStagesItEndsTogetherWithTheSourceThatIsFollowed() {
        assertThat(OffloadedFuture.source(future)).isSameAs(source);
        source.complete("result");
        assertThat(future).isCompletedWithValue("result");
    }
}
