package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.state.AnswerTimeout;
import io.distributionlock.state.Claim;
import io.distributionlock.state.Decision;
import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Releases between their decision and their answer, and very many of them. */
class PendingReleasesTest {

    private static final Claim CLAIM = new Claim("host:a:", 1);

    private static final long COMMAND_TIMEOUT = Times.nanos(2_000);

    private final List<CompletableFuture<ReleaseReply>> sent = new ArrayList<>();
    private final List<String> tried = new ArrayList<>();
    private String unsendable = "";
    private long now;
    private final EngineSettings settings = EngineSettings.standard("host:a");
    private final Outage outage =
            new Outage(new Wire(), new AnswerTimeout(settings), settings.commandTimeoutNanos(), () -> now);
    private final PendingReleases releases = new PendingReleases(new Wire(), settings, outage, () -> now, moment -> {});
    private final CompletableFuture<ReleaseResult> ticket = new CompletableFuture<>();

    private void release() {
        releases.send("name", new Decision.SendRelease(CLAIM, Decision.ReleaseMode.FULL, 0, ticket));
    }

    /** A stop must not close the port in between. */
    @Test
    void aReleaseThatIsDecidedButNotSentYetIsPending() {
        Decision.SendRelease decided = new Decision.SendRelease(CLAIM, Decision.ReleaseMode.FULL, 0, ticket);
        releases.announce(List.of(decided));
        assertThat(releases.isEmpty()).isFalse();
        releases.send("name", decided);
        assertThat(releases.isEmpty()).isFalse();
        answer(ReleaseReply.RELEASED);
        assertThat(releases.isEmpty()).isTrue();
    }

    /** A message about the claim came late, between the decision to release it and its release. */
    @Test
    void aReleaseThatFindsNothingBecauseItWasGivenBackAMomentAgoIsNotReportedAsLost() {
        releases.releaseUnknown("name", CLAIM);
        release();
        answer(ReleaseReply.NOT_MINE);
        assertThat(ticket).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
        sent.get(0).complete(ReleaseReply.RELEASED);
        assertThat(releases.isEmpty()).isTrue();
    }

    @Test
    void whenThereAreTooManyThoseThatCameFirstAreStillRepeated() {
        int most = 10_000;
        for (int i = 0; i < most; i++) {
            releases.send(
                    "name", new Decision.SendRelease(new Claim("host:a:", i), Decision.ReleaseMode.TOMBSTONE, 0, null));
        }
        now = releases.due();
        releases.tick(now);
        assertThat(sent).hasSize(2 * most);
        for (int i = most; i < most + 100; i++) {
            releases.send(
                    "name", new Decision.SendRelease(new Claim("host:a:", i), Decision.ReleaseMode.TOMBSTONE, 0, null));
        }
        List<CompletableFuture<ReleaseReply>> late = List.copyOf(sent.subList(2 * most, sent.size()));
        now += COMMAND_TIMEOUT;
        releases.tick(now);
        assertThat(late).hasSize(100).allMatch(CompletableFuture::isCancelled);
        // The latest two of each.
        assertThat(sent.stream().filter(copy -> !copy.isDone())).hasSize(2 * most);
    }

    private void releaseWithRetries(int number) {
        releases.send(
                "name",
                new Decision.SendRelease(
                        new Claim("host:a:", number), Decision.ReleaseMode.TOMBSTONE_AND_RETRIES, 0, null));
    }

    private void tickUntilNothingIsDue() {
        while (releases.due() != Times.NEVER) {
            now = Math.max(now, releases.due());
            releases.tick(now);
        }
    }

    /** A duplicate of an uncontended acquire ignores the tombstone, so the claim is released again. A stop does not wait for that. */
    @Test
    void aReleaseForAnUncontendedAcquireIsRepeatedThoughItWasAnswered() {
        releaseWithRetries(1);
        assertThat(releases.isEmpty()).isFalse();
        answer(ReleaseReply.RELEASED);
        assertThat(releases.isEmpty()).isTrue();
        tickUntilNothingIsDue();
        assertThat(sent).hasSizeGreaterThan(10);
        assertThat(now).isGreaterThanOrEqualTo(Times.nanos(300_000));
    }

    /** Such as one that a copy has just taken: nobody waits for the next repetition. */
    @Test
    void whatWasGrantedToItMeanwhileIsReleasedAtOnce() {
        releaseWithRetries(1);
        answer(ReleaseReply.NOT_MINE);
        releases.releaseUnknown("name", CLAIM);
        releases.tick(now);
        assertThat(sent).hasSize(2);
    }

    @Test
    void itTellsWhileVeryManyAreRepeated() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(releases.areMany()).isFalse();
            releaseWithRetries(i);
            answer(ReleaseReply.RELEASED);
        }
        assertThat(releases.areMany()).isTrue();
        tickUntilNothingIsDue();
        assertThat(releases.areMany()).isFalse();
    }

    @Test
    void oneThatCannotBeSentIsRepeatedAndKeepsNoOtherFromBeingSent() {
        unsendable = "host:a:1";
        releaseWithRetries(1);
        releaseWithRetries(2);
        tickUntilNothingIsDue();
        assertThat(tried).filteredOn("host:a:1"::equals).hasSizeGreaterThan(10);
        assertThat(tried).filteredOn("host:a:2"::equals).hasSizeGreaterThan(10);
    }

    /** Such as by the rights of the user: one line says so, until a release succeeds. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void thatReleasesAreRefusedIsLoggedOnce(CapturedOutput output) {
        refuse(1);
        refuse(2);
        refuse(3);
        assertThat(output)
                .containsOnlyOnce("The release of lock")
                .contains("was refused")
                .containsOnlyOnce("may not release")
                .doesNotContain("answered");
        now += Times.nanos(300_000);
        releases.tick(now);
        assertThat(output).containsOnlyOnce("The release of lock");

        release();
        answer(ReleaseReply.RELEASED);
        refuse(4);
        assertThat(output.toString().split("The release of lock", -1)).hasSize(3);
    }

    private void refuse(int number) {
        releases.send(
                "name",
                new Decision.SendRelease(
                        new Claim("host:a:", number), Decision.ReleaseMode.FULL, 0, new CompletableFuture<>()));
        sent.get(sent.size() - 1)
                .completeExceptionally(new BackendProblemException("The user may not release.", "", null, true));
        now += COMMAND_TIMEOUT;
        releases.tick(now);
    }

    private void answer(ReleaseReply reply) {
        sent.get(sent.size() - 1).complete(reply);
    }

    /** Sends nothing anywhere; the test answers. */
    private final class Wire extends NothingButReleases {

        @Override
        public CompletableFuture<ReleaseReply> release(
                String name, String claim, boolean tombstone, long minHoldMillis) {
            tried.add(claim);
            if (claim.equals(unsendable)) {
                throw new IllegalStateException("failed on purpose");
            }
            CompletableFuture<ReleaseReply> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
        }
    }
}
