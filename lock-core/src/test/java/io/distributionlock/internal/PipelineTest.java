package io.distributionlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PipelineTest {

    private final List<List<String>> sent = new ArrayList<>();
    private final Consumer<List<String>> sender = sent::add;

    private void send(String command) {
        if (!Pipeline.add(sender, List.of(command))) {
            sender.accept(List.of(command));
        }
    }

    @Test
    void withoutAPipelineEachCommandIsSentAtOnce() {
        send("a");
        Pipeline.ofEach(List.of("b"), this::send);
        assertThat(sent).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void whatIsSentInAPipelineLeavesTogetherWhenTheOutermostEnds() {
        Pipeline.of(() -> {
            send("a");
            Pipeline.ofEach(List.of("b", "c"), this::send);
            assertThat(sent).isEmpty();
        });
        send("d");
        assertThat(sent).containsExactly(List.of("a", "b", "c"), List.of("d"));
    }

    @Test
    void eachSenderGetsItsOwn() {
        List<List<String>> sentByOther = new ArrayList<>();
        Pipeline.of(() -> {
            send("a");
            Pipeline.add(sentByOther::add, List.of("b"));
        });
        assertThat(sent).containsExactly(List.of("a"));
        assertThat(sentByOther).containsExactly(List.of("b"));
    }

    @Test
    void whatIsSentBecauseOfASentCommandLeavesTooEvenIfTheActionFails() {
        Consumer<List<String>> refusing = commands -> send("instead");
        assertThatThrownBy(() -> Pipeline.of(() -> {
                    Pipeline.add(refusing, List.of("a"));
                    throw new IllegalStateException("defect");
                }))
                .hasMessage("defect");
        assertThat(sent).containsExactly(List.of("instead"));
        assertThat(Pipeline.add(sender, List.of("later"))).isFalse();
    }

    @Test
    void whoWaitsSendsBefore() {
        Pipeline.of(() -> {
            send("a");
            assertThatThrownBy(() -> Await.atMost(Duration.ofMillis(1), new CompletableFuture<>()))
                    .isInstanceOf(TimeoutException.class);
            assertThat(sent).containsExactly(List.of("a"));
            send("b");
        });
        assertThat(sent).containsExactly(List.of("a"), List.of("b"));
    }
}
