package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.ReleaseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a release comes to when its answer is late or was lost. */
class ReleasesTest {

    private static final long COMMAND_TIMEOUT = Times.nanos(2_000);

    private final List<CompletableFuture<ReleaseReply>> sent = new ArrayList<>();
    private final EngineCounters counters = new EngineCounters();
    private long now;
    private long wakesBy = Times.NEVER;
    private final Releases releases = new Releases(
            new Wire(),
            EngineSettings.standard("host:a"),
            counters,
            () -> now,
            moment -> wakesBy = Math.min(wakesBy, moment));
    private final ReleaseTicket ticket = new ReleaseTicket();

    private void tickAt(long moment) {
        now = moment;
        releases.tick(moment);
    }

    private void reconnectAt(long moment) {
        now = moment;
        releases.reconnected();
    }

    private void release() {
        releases.send("name", new Decision.SendRelease("host:a:1", false, 0, ticket));
    }

    @Test
    void anAnswerThatTheClaimDidNotOwnTheLockMeansThatItWasLost() {
        release();
        answer(ReleaseReply.NOT_MINE);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.LOST);
        assertThat(releases.isEmpty()).isTrue();
    }

    @Test
    void whatIsNotAnsweredIsUnconfirmedAfterTheCommandTimeoutAndRepeated() {
        release();
        tickAt(COMMAND_TIMEOUT - 1);
        assertThat(ticket).isNotDone();
        tickAt(COMMAND_TIMEOUT);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
        assertThat(counters.unconfirmedReleases()).isEqualTo(1);
        assertThat(sent).hasSize(2);
        answer(ReleaseReply.RELEASED);
        assertThat(releases.isEmpty()).isTrue();
    }

    @Test
    void aNewConnectionRepeatsTheReleaseAndItsAnswerStillCounts() {
        release();
        reconnectAt(10);
        tickAt(10);
        assertThat(sent).hasSize(2);
        assertThat(ticket).isNotDone();
        answer(ReleaseReply.RELEASED);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.RELEASED);
        assertThat(counters.unconfirmedReleases()).isZero();
    }

    /** The first copy may have freed the lock just before the connection broke: that is no loss. */
    @Test
    void aReleaseThatFindsNothingAfterANewConnectionIsNotReportedAsLost() {
        release();
        reconnectAt(10);
        // The client sends it again by itself, before the engine's thread gets to it, and that answer comes first.
        answer(ReleaseReply.NOT_MINE);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
        assertThat(releases.isEmpty()).isTrue();
    }

    @Test
    void aRepetitionThatFindsNothingIsNotReportedAsLost() {
        release();
        reconnectAt(10);
        tickAt(10);
        answer(ReleaseReply.NOT_MINE);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
    }

    @Test
    void newConnectionsDoNotLengthenTheWaitForAnAnswer() {
        release();
        for (long moment = 0; moment < COMMAND_TIMEOUT; moment += COMMAND_TIMEOUT / 10) {
            reconnectAt(moment);
            tickAt(moment);
        }
        assertThat(ticket).isNotDone();
        assertThat(releases.due()).isLessThanOrEqualTo(COMMAND_TIMEOUT);
        tickAt(COMMAND_TIMEOUT);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
    }

    @Test
    void aFailedCommandIsRepeatedSoonAndItsAnswerStillCounts() {
        release();
        sent.get(0).completeExceptionally(new IllegalStateException("failed on purpose"));
        assertThat(ticket).isNotDone();
        assertThat(wakesBy).isLessThan(COMMAND_TIMEOUT);
        tickAt(releases.due());
        assertThat(sent).hasSize(2);
        answer(ReleaseReply.RELEASED);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.RELEASED);
    }

    @Test
    void aCommandThatFailsAgainAndAgainIsUnconfirmedInTimeAndRepeatedEverMoreRarely() {
        release();
        while (now < 10 * COMMAND_TIMEOUT) {
            sent.get(sent.size() - 1).completeExceptionally(new IllegalStateException("failed on purpose"));
            tickAt(releases.due());
            assertThat(ticket.isDone()).isEqualTo(now >= COMMAND_TIMEOUT);
        }
        assertThat(ticket).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
        assertThat(counters.unconfirmedReleases()).isEqualTo(1);
        assertThat(sent).hasSizeLessThan(15);
    }

    private void answer(ReleaseReply reply) {
        sent.get(sent.size() - 1).complete(reply);
    }

    /** Sends nothing anywhere; the test answers. */
    private final class Wire implements CommandPort {

        @Override
        public CompletableFuture<ReleaseReply> release(String name, String claim, boolean bury, long keepMillis) {
            CompletableFuture<ReleaseReply> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
        }

        @Override
        public void attach(CommandListener listener) {}

        @Override
        public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Boolean> isLocked(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Boolean> forceRelease(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void listen() {}

        @Override
        public void close() {}
    }
}
