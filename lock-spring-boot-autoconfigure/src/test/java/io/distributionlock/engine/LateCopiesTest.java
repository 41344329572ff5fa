package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Late copies of plain acquires that cannot be released, and very many of them. */
class LateCopiesTest {

    private static final long SECOND = Times.nanos(1_000);
    private static final long START = 77 * SECOND;
    private static final int MOST = 10_000;

    /** The claims that were released. */
    private final List<String> sent = new ArrayList<>();

    private Supplier<CompletableFuture<ReleaseReply>> answer = CompletableFuture::new;
    private long now = START;
    private final LateCopies copies = new LateCopies(new Wire(), () -> now, moment -> {});

    private void tickUntilNothingIsDue() {
        while (copies.due() != Times.NEVER) {
            now = Math.max(now, copies.due());
            copies.tick(now);
        }
    }

    @Test
    void aReleaseIsRepeatedThoughItCannotBeSentAndKeepsNoOtherFromBeingSent() {
        answer = () -> {
            throw new IllegalStateException("failed on purpose");
        };
        copies.expect("name", "host:a:1");
        copies.expect("name", "host:a:2");
        tickUntilNothingIsDue();
        assertThat(sent).filteredOn("host:a:1"::equals).hasSizeGreaterThan(10);
        assertThat(sent).filteredOn("host:a:2"::equals).hasSizeGreaterThan(10);
    }

    @Test
    void memoryIsBounded() {
        for (int i = 0; i < MOST + 100; i++) {
            copies.expect("name", "host:a:" + i);
        }
        now += SECOND;
        copies.tick(now);
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
                sent.add(claim);
            }
        }
    }
}
