package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReleaseRepeaterTest {

    private static final int MANY = 5_000;
    private static final int LOOKS_A_SECOND = 20;

    private long now;
    private long looks;
    private final List<CompletableFuture<ReleaseReply>> sent = new ArrayList<>();
    private final ReleaseRepeater repeater =
            new ReleaseRepeater(Times.nanos(2_000), Times.nanos(1_000), () -> now, moment -> {});

    private void release(int number) {
        repeater.send(new ReleaseRepeater.Release("claim" + number) {
            @Override
            protected CompletableFuture<ReleaseReply> send() {
                CompletableFuture<ReleaseReply> answer = new CompletableFuture<>();
                sent.add(answer);
                return answer;
            }

            @Override
            protected void answered(ReleaseReply reply, boolean mayHaveRunTwice) {}

            @Override
            protected void dropped() {}
        });
    }

    private void tick() {
        repeater.tick(now, look -> {
            looks++;
            look.run();
        });
    }

    @Test
    void aTickBeforeOneIsDueLooksAtNone() {
        for (int i = 0; i < MANY; i++) {
            release(i);
        }
        now += Times.nanos(1_999);
        tick();
        assertThat(looks).isZero();
        assertThat(repeater.due()).isEqualTo(Times.nanos(2_000));
    }

    /** Each was sent at another moment, so one of them is due at nearly every moment. */
    @Test
    void theLooksAtThoseThatHaveNoAnswerDoNotGrowWithTheSquareOfTheirNumber() {
        for (int i = 0; i < MANY; i++) {
            now += Times.nanos(1);
            release(i);
        }
        int seconds = 10;
        for (int millis = 0; millis < 1_000 * seconds; millis++) {
            now += Times.nanos(1);
            if (repeater.due() <= now) {
                tick();
            }
        }
        assertThat(sent).hasSizeGreaterThan(2 * MANY);
        assertThat(looks).isLessThanOrEqualTo((long) LOOKS_A_SECOND * seconds * MANY);
    }

    @Test
    void nothingIsDueOnceAllIsAnswered() {
        release(1);
        sent.get(0).complete(ReleaseReply.RELEASED);
        now += Times.nanos(2_000);
        tick();
        assertThat(looks).isZero();
        assertThat(repeater.due()).isEqualTo(Times.NEVER);
    }
}
