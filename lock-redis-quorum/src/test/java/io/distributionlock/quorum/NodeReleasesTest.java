package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Releases at a node that answers late or not at all. */
class NodeReleasesTest {

    private static final long TIMEOUT = Duration.ofMillis(200).toNanos();

    private final VirtualScheduler scheduler = new VirtualScheduler();
    private final CommandPort port = mock(CommandPort.class);
    private final List<CompletableFuture<ReleaseReply>> sent = new ArrayList<>();
    private final NodeReleases releases = new NodeReleases("n1", port, scheduler, TIMEOUT);

    @BeforeEach
    void recordWhatIsSent() {
        when(port.release(any(), any(), anyBoolean(), anyLong())).thenAnswer(call -> {
            sent.add(new CompletableFuture<>());
            return sent.get(sent.size() - 1);
        });
    }

    @Test
    void theFirstAnswerCompletesTheRelease() {
        CompletableFuture<ReleaseReply> result = release();
        answer(ReleaseReply.NOT_MINE);
        assertThat(result).isCompletedWithValue(ReleaseReply.NOT_MINE);
        assertThat(releases.isEmpty()).isTrue();
        pass(Duration.ofMinutes(1));
        assertThat(sent).hasSize(1);
    }

    @Test
    void withoutAnAnswerItIsRepeatedAfterTheNodeTimeout() {
        CompletableFuture<ReleaseReply> result = release();
        pass(Duration.ofNanos(TIMEOUT - 1));
        assertThat(sent).hasSize(1);
        pass(Duration.ofNanos(1));
        assertThat(sent).hasSize(2);
        answer(ReleaseReply.RELEASED);
        assertThat(result).isCompletedWithValue(ReleaseReply.RELEASED);
    }

    @Test
    void aSlowAnswerToTheCopyBeforeTheLastCounts() {
        CompletableFuture<ReleaseReply> result = release();
        pass(Duration.ofNanos(TIMEOUT));
        sent.get(0).complete(ReleaseReply.RELEASED);
        sent.get(1).complete(ReleaseReply.NOT_MINE);
        assertThat(result).isCompletedWithValue(ReleaseReply.RELEASED);
    }

    @Test
    void copiesDoNotPileUp() {
        release();
        pass(Duration.ofMinutes(1));
        assertThat(sent).hasSizeGreaterThan(4);
        assertThat(sent.stream().filter(copy -> !copy.isDone())).hasSize(2);
    }

    @Test
    void notMineAfterARepetitionProvesNothing() {
        CompletableFuture<ReleaseReply> result = release();
        pass(Duration.ofNanos(TIMEOUT));
        answer(ReleaseReply.NOT_MINE);
        assertThat(result).isCompletedExceptionally();
        assertThat(releases.isEmpty()).isTrue();
    }

    @Test
    void notMineOverANewConnectionProvesNothing() {
        CompletableFuture<ReleaseReply> result = release();
        releases.reconnected();
        answer(ReleaseReply.NOT_MINE);
        assertThat(result).isCompletedExceptionally();
    }

    @Test
    void aNodeThatAnswersAgainGetsTheReleaseAtOnce() {
        release();
        pass(Duration.ofMinutes(1));
        int copies = sent.size();
        releases.reachable();
        pass(Duration.ZERO);
        assertThat(sent).hasSize(copies + 1);
    }

    @Test
    void itIsNotRepeatedForEver() {
        CompletableFuture<ReleaseReply> result = release();
        pass(Duration.ofMinutes(6));
        assertThat(sent).hasSizeBetween(5, 40);
        assertThat(result).isCompletedExceptionally();
        assertThat(releases.isEmpty()).isTrue();
    }

    private CompletableFuture<ReleaseReply> release() {
        return releases.send("name", "host:a:1-1", false, 0);
    }

    private void answer(ReleaseReply reply) {
        sent.get(sent.size() - 1).complete(reply);
    }

    private void pass(Duration time) {
        long end = scheduler.nanoTime() + time.toNanos();
        boolean more = true;
        while (more) {
            more = scheduler.step(end);
        }
    }
}
