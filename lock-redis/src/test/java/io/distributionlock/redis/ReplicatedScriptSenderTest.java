package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.redis.LockCall.SetIfAbsent;
import io.lettuce.core.RedisCommandExecutionException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that are replaced in the moments between a command and its acknowledgement, which no real server can be made to hit. */
class ReplicatedScriptSenderTest {

    private static final SetIfAbsent SET =
            new SetIfAbsent("key".getBytes(StandardCharsets.UTF_8), "claim".getBytes(StandardCharsets.UTF_8), 1_000);

    private final List<CompletableFuture<Boolean>> sent = new ArrayList<>();
    private final List<CompletableFuture<Long>> waits = new ArrayList<>();
    private long epoch;
    private Runnable whileAWaitIsSent = () -> {};
    private ReplicatedScriptSender sender;
    private CompletableFuture<Boolean> answer;

    @BeforeEach
    void send() {
        sender = new ReplicatedScriptSender(new RecordingLink(), new ReplicaAcks(1, Duration.ofSeconds(1)));
        answer = sender.send(SET, taken -> taken);
    }

    @Test
    void aWriteCountsOnceAReplicaHasIt() {
        sent.get(0).complete(true);
        assertThat(answer).isNotDone();
        waits.get(0).complete(1L);

        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void aWriteOverAnEarlierConnectionHasToBeRepeated() {
        reconnect();
        sent.get(0).complete(true);
        waits.get(0).complete(1L);

        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TryAgainException.class);
    }

    @Test
    void aWriteThatIsAnsweredWhileAWaitIsUnderWayWaitsForTheNext() {
        CompletableFuture<Boolean> second = sender.send(SET, taken -> taken);
        sent.get(0).complete(true);
        sent.get(1).complete(true);
        waits.get(0).complete(1L);
        assertThat(answer).isCompletedWithValue(true);
        assertThat(second).isNotDone();
        waits.get(1).complete(1L);
        assertThat(second).isCompletedWithValue(true);
    }

    /** That WAIT has perhaps reached Redis before the write has. */
    @Test
    void aWriteThatIsAnsweredWhileAWaitIsSentWaitsForTheNext() {
        CompletableFuture<Boolean> second = sender.send(SET, taken -> taken);
        whileAWaitIsSent = () -> sent.get(1).complete(true);
        sent.get(0).complete(true);
        waits.get(0).complete(1L);
        assertThat(answer).isCompletedWithValue(true);
        assertThat(second).isNotDone();
        waits.get(1).complete(1L);
        assertThat(second).isCompletedWithValue(true);
    }

    @Test
    void anAcknowledgementOverALaterConnectionDoesNotCount() {
        sent.get(0).complete(true);
        reconnect();
        waits.get(0).complete(1L);

        assertThat(answer).isCompletedExceptionally();
    }

    @Test
    void aRefusedWaitMeansThatNoReplicaIsKnownToHaveTheWrite() {
        sent.get(0).complete(true);
        waits.get(0).completeExceptionally(new RedisCommandExecutionException("ERR unknown command 'WAIT'"));

        assertThat(answer)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(NotReplicatedException.class)
                .withMessageContaining("unknown command 'WAIT'");
    }

    @Test
    void aWaitThatIsLostSaysNothingOfReplicas() {
        ConnectException lost = new ConnectException("lost");
        sent.get(0).complete(true);
        waits.get(0).completeExceptionally(lost);

        assertThat(answer).failsWithin(Duration.ZERO).withThrowableThat().withCause(lost);
    }

    @Test
    void whatWasCancelledIsNotRepeated() {
        answer.cancel(false);
        reconnect();

        assertThat(sent).hasSize(1).allMatch(CompletableFuture::isCancelled);
    }

    private void reconnect() {
        epoch++;
    }

    private final class RecordingLink implements ReplicatedScriptSender.Link {

        @Override
        @SuppressWarnings("unchecked") // every call here is a SET
        public <T> CompletableFuture<T> send(LockCall<T> call) {
            CompletableFuture<Boolean> reply = new CompletableFuture<>();
            sent.add(reply);
            return (CompletableFuture<T>) reply;
        }

        @Override
        public CompletableFuture<Long> awaitReplicas(int wanted, Duration timeout) {
            CompletableFuture<Long> reply = new CompletableFuture<>();
            waits.add(reply);
            whileAWaitIsSent.run();
            return reply;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public CompletableFuture<?> publish(String channel, String message, boolean sharded) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ScriptSender.@Nullable Diagnosis diagnosis() {
            return null;
        }

        @Override
        public void close() {}
    }
}
