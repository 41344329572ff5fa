package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How long, and how often, what a late copy of a plain acquire may have taken is released. */
class LateCopiesTest {

    private static final long SECOND = Times.nanos(1_000);
    private static final long START = 77 * SECOND;
    private static final long FIVE_MINUTES = 300 * SECOND;
    private static final int MOST = 10_000;

    private final List<Released> sent = new ArrayList<>();
    private final List<Long> woken = new ArrayList<>();
    private Supplier<CompletableFuture<ReleaseReply>> answer = CompletableFuture::new;
    private long now = START;
    private final LateCopies copies = new LateCopies(new Wire(), () -> now, woken::add);

    private record Released(String claim, long at, CompletableFuture<ReleaseReply> answer) {}

    private void tickUntilNothingIsDue() {
        while (copies.due() != Times.NEVER) {
            now = Math.max(now, copies.due());
            copies.tick(now, new FailureLog());
        }
    }

    private List<Long> pauses() {
        List<Long> pauses = new ArrayList<>();
        long last = START;
        for (Released release : sent) {
            pauses.add((release.at - last) / SECOND);
            last = release.at;
        }
        return pauses;
    }

    private void assertRepeatedForFiveMinutes() {
        assertThat(pauses()).startsWith(1L, 2L, 4L, 8L, 16L, 30L, 30L).allMatch(pause -> pause <= 30);
        assertThat(sent.get(sent.size() - 1).at - START)
                .as("a copy that runs in the last moment is released")
                .isBetween(FIVE_MINUTES, FIVE_MINUTES + 30 * SECOND);
    }

    @Test
    void aReleaseIsRepeatedForFiveMinutesWhateverIsAnswered() {
        for (ReleaseReply reply : ReleaseReply.values()) {
            sent.clear();
            now = START;
            answer = () -> CompletableFuture.completedFuture(reply);
            copies.expect("name", "host:a:1");
            tickUntilNothingIsDue();
            assertRepeatedForFiveMinutes();
        }
    }

    @Test
    void aReleaseIsRepeatedThoughItIsNotAnswered() {
        copies.expect("name", "host:a:1");
        tickUntilNothingIsDue();
        assertRepeatedForFiveMinutes();
    }

    @Test
    void aReleaseIsRepeatedThoughItFails() {
        answer = () -> CompletableFuture.failedFuture(new IllegalStateException("failed on purpose"));
        copies.expect("name", "host:a:1");
        tickUntilNothingIsDue();
        assertRepeatedForFiveMinutes();
    }

    @Test
    void aReleaseIsRepeatedThoughItCannotBeSentAndKeepsNoOtherFromBeingSent() {
        answer = () -> {
            throw new IllegalStateException("failed on purpose");
        };
        copies.expect("name", "host:a:1");
        copies.expect("name", "host:a:2");
        tickUntilNothingIsDue();
        assertThat(sent.stream().filter(release -> release.claim.equals("host:a:2")))
                .hasSameSizeAs(sent.stream()
                        .filter(release -> release.claim.equals("host:a:1"))
                        .toList());
        sent.removeIf(release -> release.claim.equals("host:a:2"));
        assertRepeatedForFiveMinutes();
    }

    /** Without a connection, none is sent, and all would wait for one. */
    @Test
    void releasesThatAreNotAnsweredDoNotPileUp() {
        copies.expect("name", "host:a:1");
        tickUntilNothingIsDue();
        int last = sent.size() - 1;
        assertThat(sent.subList(0, last)).allMatch(release -> release.answer.isCancelled());
        assertThat(sent.get(last).answer).isNotDone();
    }

    @Test
    void nothingIsSentBeforeItsTime() {
        copies.expect("name", "host:a:1");
        assertThat(woken).containsExactly(START + SECOND);
        assertThat(copies.due()).isEqualTo(START + SECOND);
        copies.tick(START + SECOND - 1, new FailureLog());
        assertThat(sent).isEmpty();
        copies.tick(START + SECOND, new FailureLog());
        copies.tick(START + SECOND, new FailureLog());
        assertThat(sent).hasSize(1);
    }

    @Test
    void aNewConnectionBringsTheNextReleaseForward() {
        copies.expect("name", "host:a:1");
        while (now < START + 100 * SECOND) {
            now = copies.due();
            copies.tick(now, new FailureLog());
        }
        int before = sent.size();
        woken.clear();

        copies.reconnected();

        assertThat(copies.due()).isEqualTo(now + SECOND);
        assertThat(woken).contains(now + SECOND);
        now += SECOND;
        copies.tick(now, new FailureLog());
        assertThat(sent).hasSize(before + 1);
        tickUntilNothingIsDue();
        assertThat(pauses()).allMatch(pause -> pause <= 30);
        assertThat(now - START).isGreaterThanOrEqualTo(FIVE_MINUTES);
    }

    @Test
    void newConnectionsDoNotPutOffWhatIsDue() {
        copies.expect("name", "host:a:1");
        for (int i = 0; i < 20; i++) {
            now += SECOND / 20;
            copies.reconnected();
            assertThat(copies.due()).isLessThanOrEqualTo(START + SECOND);
        }
    }

    @Test
    void aNewConnectionMeansNothingWithoutCopies() {
        copies.reconnected();
        assertThat(copies.due()).isEqualTo(Times.NEVER);
        copies.tick(now, new FailureLog());
        assertThat(sent).isEmpty();
    }

    @Test
    void memoryIsBounded() {
        for (int i = 0; i < MOST + 100; i++) {
            copies.expect("name", "host:a:" + i);
        }
        now += SECOND;
        copies.tick(now, new FailureLog());
        assertThat(sent).hasSize(MOST);
        tickUntilNothingIsDue();
        sent.clear();

        copies.expect("name", "host:a:again");
        tickUntilNothingIsDue();
        assertThat(sent).as("there is room again").isNotEmpty();
    }

    /** Sends nothing anywhere. */
    private final class Wire extends NothingButReleases {

        @Override
        public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long keepMillis) {
            assertThat(name).isEqualTo("name");
            assertThat(tombstone).isFalse();
            assertThat(keepMillis).isZero();
            CompletableFuture<ReleaseReply> released = new CompletableFuture<>();
            try {
                released = answer.get();
                return released;
            } finally {
                sent.add(new Released(claim, now, released));
            }
        }
    }
}
