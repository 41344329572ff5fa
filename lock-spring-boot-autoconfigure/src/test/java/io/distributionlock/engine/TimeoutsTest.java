package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TimeoutsTest {

    private final Timeouts timeouts = new Timeouts();
    private final FailureLog failures = new FailureLog();
    private final List<String> timedOut = new ArrayList<>();

    private CompletableFuture<String> add(String name, long moment) {
        CompletableFuture<String> future = new CompletableFuture<>();
        timeouts.add(future, moment, () -> {
            timedOut.add(name);
            future.complete(name);
        });
        return future;
    }

    @Test
    void completesWhatIsDueInTheOrderOfTheDeadlines() {
        add("late", 30);
        add("early", 10);
        add("asEarly", 10);
        assertThat(timeouts.due()).isEqualTo(10);
        timeouts.tick(9, failures);
        assertThat(timedOut).isEmpty();
        timeouts.tick(10, failures);
        assertThat(timedOut).containsExactly("early", "asEarly");
        assertThat(timeouts.due()).isEqualTo(30);
    }

    @Test
    void forgetsWhatWasAnswered() {
        add("answered", 10).complete("answer");
        assertThat(timeouts.due()).isEqualTo(Times.NEVER);
        timeouts.tick(10, failures);
        assertThat(timedOut).isEmpty();
    }

    @Test
    void theFailureOfOneDoesNotKeepAnotherFromItsEnd() {
        timeouts.add(new CompletableFuture<>(), 10, () -> {
            throw new IllegalStateException("test");
        });
        add("other", 10);
        timeouts.tick(10, failures);
        assertThat(timedOut).containsExactly("other");
    }
}
