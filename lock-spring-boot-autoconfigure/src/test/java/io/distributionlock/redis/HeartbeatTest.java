package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
@Tag("boot4")
class HeartbeatTest {

    private static final AcquireReply.Busy BUSY = new AcquireReply.Busy(1000, 7);

    private final List<Bidding> biddings =
            IntStream.range(0, 500).mapToObj(i -> new Bidding("me:" + i, 1000)).toList();
    private final CompletableFuture<Heartbeat.Reply> beat = new CompletableFuture<>();
    private final List<List<Bidding>> acquired = new ArrayList<>();
    private final List<CompletableFuture<List<AcquireReply>>> answers = new ArrayList<>();
    private final CompletableFuture<List<AcquireReply>> heartbeat = Heartbeat.of(biddings, beat, some -> {
        acquired.add(some);
        answers.add(new CompletableFuture<>());
        return answers.get(answers.size() - 1);
    });

    /** Every other claim is absent. */
    private void answer() {
        beat.complete(new Heartbeat.Reply(
                BUSY, IntStream.range(0, 250).mapToObj(i -> 2 * i).toList()));
    }

    @Test
    void absentClaimsAskAHundredAtATimeAndEachGetsItsOwnAnswer() {
        answer();
        assertThat(acquired).extracting(List::size).containsExactly(100, 100, 50);
        for (int i = 0; i < 3; i++) {
            answers.get(i)
                    .complete(acquired.get(i).stream()
                            .<AcquireReply>map(bidding -> new AcquireReply.Ok(
                                    Long.parseLong(bidding.claim().substring(3)), 0))
                            .toList());
        }
        List<AcquireReply> replies = heartbeat.join();
        assertThat(replies).hasSize(500);
        for (int i = 0; i < 500; i++) {
            assertThat(replies.get(i)).isEqualTo(i % 2 == 0 ? new AcquireReply.Ok(i, 0) : BUSY);
        }
    }

    @Test
    void whatIsCancelledIsNotSent() {
        answer();
        heartbeat.cancel(false);
        assertThat(answers).hasSize(3).allSatisfy(answer -> assertThat(answer).isCancelled());
    }

    @Test
    void aHeartbeatThatIsCancelledDoesNotAskForAbsentClaims() {
        heartbeat.cancel(false);
        assertThat(beat).isCancelled();
        assertThat(acquired).isEmpty();
    }
}
