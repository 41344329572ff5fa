package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.redis.RaiseReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule of an attempt over several nodes, alone. */
class RoundTest {

    private final List<Step> out = new ArrayList<>();

    @Test
    void theGreatestNumberIsWrittenBackToThoseWhoGaveTheLockBeforeItIsWon() {
        Round round = round(3, 2);
        ok(round, 0, 10);
        assertThat(told()).isEmpty();
        ok(round, 1, 30);
        assertThat(told()).containsExactly(new Step.Raise(0, 30), new Step.Raise(1, 30));
        raised(round, 0);
        assertThat(told()).isEmpty();
        raised(round, 1);
        assertThat(told()).containsExactly(new Step.Won(30));
    }

    @Test
    void aNodeThatAnswersDuringTheSecondHalfTakesPartInIt() {
        Round round = round(3, 2);
        ok(round, 0, 10);
        ok(round, 1, 30);
        told();
        ok(round, 2, 20);
        assertThat(told()).containsExactly(new Step.Raise(2, 30));
        round.raiseFailed(0, new IOException(), out);
        raised(round, 2);
        assertThat(told()).isEmpty();
        raised(round, 1);
        assertThat(told()).containsExactly(new Step.Won(30));
    }

    @Test
    void aBusyLockIsToldOnlyWhenEveryNodeHasAnswered() {
        Round round = round(3, 2);
        busy(round, 0, 7);
        busy(round, 1, 9);
        assertThat(told()).isEmpty();
        ok(round, 2, 3);
        assertThat(told()).containsExactly(new Step.GiveBack(2, false), new Step.Busy(9));
    }

    @Test
    void aSplitVoteIsBusyAndGivesBackAtOnce() {
        Round round = round(4, 3);
        ok(round, 0, 1);
        ok(round, 1, 1);
        busy(round, 2, 1);
        busy(round, 3, 1);
        assertThat(told()).containsExactly(new Step.GiveBack(0, false), new Step.GiveBack(1, false), new Step.Busy(1));
    }

    @Test
    void withoutEnoughNodesItFailsAndBuriesWhatWasNotAnswered() {
        Round round = round(3, 2);
        ok(round, 0, 1);
        round.acquireFailed(1, new IOException("one"), out);
        assertThat(told()).isEmpty();
        round.acquireFailed(2, new IOException("two"), out);
        List<Step> steps = told();
        assertThat(steps.subList(0, 3))
                .containsExactly(new Step.GiveBack(0, false), new Step.GiveBack(1, true), new Step.GiveBack(2, true));
        assertThat(steps.get(3))
                .isInstanceOfSatisfying(
                        Step.Failed.class,
                        failed -> assertThat(failed.cause())
                                .hasMessageContaining("2 of 3")
                                .hasRootCauseMessage("one"));
    }

    @Test
    void aNodeThatWasNotAskedCountsAsAway() {
        Round round = new Round("c-1", new boolean[] {true, true, false}, 2);
        busy(round, 0, 1);
        ok(round, 1, 1);
        assertThat(told()).containsExactly(new Step.GiveBack(1, false), new Step.Busy(1));
        Round all = new Round("c-2", new boolean[] {true, true, false}, 3);
        ok(all, 0, 1);
        ok(all, 1, 1);
        assertThat(told()).last().isInstanceOf(Step.Failed.class);
    }

    @Test
    void aNodeThatWasStartedLatelyDoesNotCount() {
        Round round = round(3, 2);
        busy(round, 0, 1);
        ok(round, 1, 5);
        ok(round, 2, 6);
        told();
        round.raiseAnswered(2, RaiseReply.TOO_YOUNG, out);
        assertThat(told()).containsExactly(new Step.GiveBack(1, false), new Step.GiveBack(2, false), new Step.Busy(1));
    }

    @Test
    void aLeaseThatRanOutBetweenTheHalvesDoesNotCount() {
        Round round = round(3, 3);
        ok(round, 0, 1);
        ok(round, 1, 2);
        ok(round, 2, 3);
        told();
        raised(round, 0);
        raised(round, 1);
        round.raiseAnswered(2, RaiseReply.NOT_MINE, out);
        assertThat(told()).containsExactly(new Step.GiveBack(0, false), new Step.GiveBack(1, false), new Step.Busy(0));
    }

    @Test
    void anAnswerThatACopyMayFollowIsBuriedAtTheEnd() {
        Round round = round(3, 2);
        round.acquireAnswered(0, new AcquireReply.Ok(1, 0), false, out);
        ok(round, 1, 1);
        busy(round, 2, 1);
        raised(round, 0);
        raised(round, 1);
        told();
        round.giveBack(out);
        assertThat(told()).containsExactly(new Step.GiveBack(0, true), new Step.GiveBack(1, false));
    }

    @Test
    void aNodeWhoseAnswerWasLostIsKeptAliveIfItTurnsOutToHold() {
        Round round = won(3, 2);
        round.acquireFailed(2, new IOException(), out);
        assertThat(round.mayHold(2)).isTrue();
        round.renewAnswered(2, true);
        round.renewAnswered(0, false);
        assertThat(round.mayHold(0)).isFalse();
        assertThat(round.mayHold(2)).isTrue();
        round.giveBack(out);
        assertThat(told()).containsExactly(new Step.GiveBack(1, false), new Step.GiveBack(2, true));
    }

    @Test
    void takenAwayByForceAtTooManyNodesItIsLost() {
        Round round = won(3, 2);
        ok(round, 2, 1);
        round.revoked(0, out);
        assertThat(told()).isEmpty();
        round.revoked(0, out);
        assertThat(told()).isEmpty();
        round.revoked(2, out);
        assertThat(told()).containsExactly(new Step.Deprived());
    }

    @Test
    void afterTheEndNothingHappens() {
        Round round = round(3, 2);
        ok(round, 0, 1);
        round.giveBack(out);
        assertThat(told())
                .containsExactly(new Step.GiveBack(0, false), new Step.GiveBack(1, true), new Step.GiveBack(2, true));
        ok(round, 1, 1);
        ok(round, 2, 1);
        round.giveBack(out);
        round.revoked(0, out);
        assertThat(told()).isEmpty();
    }

    private Round round(int nodes, int needed) {
        boolean[] asked = new boolean[nodes];
        Arrays.fill(asked, true);
        return new Round("c-1", asked, needed);
    }

    /** Nodes 0 and 1 hold; node 2 has not answered. */
    private Round won(int nodes, int needed) {
        Round round = round(nodes, needed);
        ok(round, 0, 1);
        ok(round, 1, 1);
        raised(round, 0);
        raised(round, 1);
        assertThat(told()).last().isEqualTo(new Step.Won(1));
        return round;
    }

    private void ok(Round round, int node, long fence) {
        round.acquireAnswered(node, new AcquireReply.Ok(fence, 0), true, out);
    }

    private void busy(Round round, int node, long fence) {
        round.acquireAnswered(node, new AcquireReply.Busy(100, fence), true, out);
    }

    private void raised(Round round, int node) {
        round.raiseAnswered(node, RaiseReply.RAISED, out);
    }

    private List<Step> told() {
        List<Step> steps = List.copyOf(out);
        out.clear();
        return steps;
    }
}
