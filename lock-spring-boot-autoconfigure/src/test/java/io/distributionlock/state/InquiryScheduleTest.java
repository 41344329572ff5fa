package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When owners are asked whether they know their claims, and what a process answers (finding T1). */
class InquiryScheduleTest {

    private static final long HEARTBEAT = Times.nanos(1_000);

    private final InquirySchedule inquiry = new InquirySchedule(HEARTBEAT);
    private final List<Integer> asked = new ArrayList<>();

    private void hear(long fence, int from, int to) {
        for (int heartbeat = from; heartbeat <= to; heartbeat++) {
            if (inquiry.isDue(fence, heartbeat * HEARTBEAT)) {
                asked.add(heartbeat);
            }
        }
    }

    @Test
    void nobodyIsAskedWhileTheLockChangesHands() {
        for (int heartbeat = 0; heartbeat < 100; heartbeat++) {
            hear(heartbeat, heartbeat, heartbeat);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void whoeverKeepsTheLockIsAskedEverMoreRarely() {
        hear(7, 0, 130);
        assertThat(asked).containsExactly(1, 5, 21, 53, 85, 117);
        hear(8, 131, 132);
        assertThat(asked).endsWith(117, 132);
    }

    @Test
    void afterANewConnectionTheNextAnswerAsksAndItBeginsAnew() {
        hear(7, 0, 8);
        inquiry.soon();
        hear(7, 9, 14);
        assertThat(asked).containsExactly(1, 5, 9, 10, 14);
    }

    @Test
    void anAttemptThatDoesNotWaitAsksNobody() {
        Script script = new Script().enter("a", 0, 1000);
        Decision.SendAcquire acquire = script.only(Decision.SendAcquire.class);
        script.on(new Event.Reconnected());
        script.busy(acquire, 5_000, 7);
        assertThat(script.all(Decision.Inquire.class)).isEmpty();
    }

    @Test
    void aClaimIsWantedWhileItWaitsAndWhileItOwnsTheLock() {
        Script script = Script.waiting("a", 5_000);
        assertThat(script.isUnwanted(Claim.of("me:1"))).as("a claim that waits").isFalse();
        script.ok(script.only(Decision.SendAcquire.class), 8, 0);
        assertThat(script.holds("a")).isTrue();
        assertThat(script.isUnwanted(Claim.of("me:1"))).as("a second message").isFalse();
        assertThat(script.isUnwanted(Claim.of("me:1"))).isFalse();
        assertThat(script.decisions).isEmpty();
        assertThat(script.isUnwanted(Claim.of("me:2"))).isTrue();
        assertThat(script.holds("a")).isTrue();
        script.exit("a");
        assertThat(script.isUnwanted(Claim.of("me:1"))).isTrue();
    }

    @Test
    void aClaimThatHasAskedForTheFirstTimeIsWanted() {
        Script script = new Script().enterRenewed("a", 5_000, 60_000);
        Claim claim = script.only(Decision.SendAcquire.class).claim();
        assertThat(script.knows(claim)).isTrue();
        script.leave("a");
        assertThat(script.knows(claim)).isFalse();
    }
}
