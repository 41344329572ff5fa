package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.testing.SilentLog;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three nodes, two of which are needed, some of which have never answered. In virtual time. */
@ExtendWith(SilentLog.class)
class SilentNodesTest {

    private static final AcquireReply GRANTED = new AcquireReply.Ok(1, 0);
    private static final AcquireReply REFUSED = new AcquireReply.Busy(60_000, 1);

    private final VirtualScheduler scheduler = new VirtualScheduler();
    private final List<Node> nodes = new ArrayList<>();
    private int claims;

    /** A node that answers so much later. */
    private void node(long millis, AcquireReply reply) {
        CommandPort port = node();
        when(port.acquire(any(), any(), anyLong(), anyBoolean())).thenAnswer(call -> {
            CompletableFuture<AcquireReply> answer = new CompletableFuture<>();
            scheduler.schedule(Duration.ofMillis(millis).toNanos(), () -> answer.complete(reply));
            return answer;
        });
        when(port.raiseFence(any(), any(), anyLong(), anyLong(), anyLong()))
                .thenReturn(CompletableFuture.completedFuture(RaiseFenceReply.RAISED));
    }

    private void silentNode() {
        CommandPort port = node();
        when(port.acquire(any(), any(), anyLong(), anyBoolean())).thenAnswer(call -> new CompletableFuture<>());
    }

    private void refusingNode() {
        CommandPort port = node();
        when(port.acquire(any(), any(), anyLong(), anyBoolean()))
                .thenAnswer(call -> CompletableFuture.failedFuture(new ConnectException("refused")));
    }

    private CommandPort node() {
        CommandPort port = mock(CommandPort.class);
        when(port.isLocked(any())).thenAnswer(call -> new CompletableFuture<>());
        nodes.add(new Node(
                "n" + nodes.size() + ":6379", port, QuorumSettings.STANDARD, Duration.ofSeconds(2), scheduler));
        return port;
    }

    private CommandPort quorum() {
        return new QuorumCommandPort(nodes, QuorumSettings.STANDARD, scheduler, () -> 0.5);
    }

    private CompletableFuture<AcquireReply> acquire(CommandPort quorum) {
        return quorum.acquire("name", "me:" + ++claims, 60_000, false);
    }

    private void pass(long millis) {
        long end = scheduler.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (scheduler.step(end)) {
            // The next task.
        }
    }

    @Test
    void silenceIsToldAndWhereItIs() {
        node(1, GRANTED);
        silentNode();
        silentNode();
        CommandPort quorum = quorum();
        CompletableFuture<AcquireReply> attempt = acquire(quorum);
        pass(1_999);
        assertThat(attempt).isNotDone();
        pass(1);
        assertThat(attempt).isCompletedExceptionally();
        Throwable failure = catchThrowable(attempt::join).getCause();
        assertThat(failure)
                .hasRootCauseMessage("not connected yet to node n1:6379, which did not answer within 2000 ms");
        assertThat(quorum.explained(failure)).hasMessageContaining("not connected yet to n1:6379, n2:6379, which");
        assertThat(MessageRules.faults(quorum.explained(failure).getMessage())).isEmpty();
    }

    @Test
    void anAttemptThatEndsBeforeIsToldWhereTheSilenceIs() {
        silentNode();
        node(1, GRANTED);
        silentNode();
        CommandPort quorum = quorum();
        acquire(quorum);
        pass(500);
        assertThat(quorum.explained(new TimeoutException("No answer came within 500 ms.")))
                .hasMessageContaining("not connected yet to n0:6379, n2:6379, which");
    }

    @Test
    void aDeadNodeBesideAMajorityDelaysNobodyForThatLong() {
        node(1, GRANTED);
        node(2, REFUSED);
        silentNode();
        CommandPort quorum = quorum();
        CompletableFuture<AcquireReply> first = acquire(quorum);
        // What a first command may take in any case.
        pass(2_000);
        assertThat(first.join()).isInstanceOf(AcquireReply.Busy.class);
        CompletableFuture<AcquireReply> second = acquire(quorum);
        pass(200);
        assertThat(second.join()).isInstanceOf(AcquireReply.Busy.class);
        assertThat(quorum.explained(new TimeoutException("No answer came within 3050 ms (…command-timeout).")))
                .hasMessage("Too few nodes of the quorum answered in time.");
    }

    @Test
    void whenAMajorityRefusesConnectionsNobodyWaitsForTheOthers() {
        refusingNode();
        refusingNode();
        silentNode();
        CompletableFuture<AcquireReply> attempt = acquire(quorum());
        pass(2_000);
        assertThat(attempt).isCompletedExceptionally();
    }
}
