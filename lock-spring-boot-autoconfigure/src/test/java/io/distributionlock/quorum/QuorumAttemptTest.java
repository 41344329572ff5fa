package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.quorum.QuorumAttempt.Action;
import io.distributionlock.redis.RaiseFenceReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of one attempt, each on its own. */
class QuorumAttemptTest {

    private final List<Action> out = new ArrayList<>();

    @Test
    void theGreatestFenceIsWrittenBackBeforeTheLockIsAcquired() {
        QuorumAttempt round = round(3, 2);
        ok(round, 0, 10);
        assertThat(actions()).isEmpty();
        ok(round, 1, 30);
        assertThat(actions()).containsExactly(new Action.RaiseFence(0, 30), new Action.RaiseFence(1, 30));
        raised(round, 0);
        assertThat(actions()).isEmpty();
        raised(round, 1);
        assertThat(actions()).containsExactly(new Action.Acquired(30));
    }

    @Test
    void aGrantDuringTheSecondPhaseJoinsIt() {
        QuorumAttempt round = round(3, 2);
        ok(round, 0, 30);
        ok(round, 1, 10);
        actions();
        ok(round, 2, 20);
        assertThat(actions()).containsExactly(new Action.RaiseFence(2, 30));
        round.raiseFailed(0, new IOException(), out);
        raised(round, 2);
        assertThat(actions()).isEmpty();
        raised(round, 1);
        assertThat(actions()).containsExactly(new Action.Acquired(30));
    }

    @Test
    void busyIsReportedOnlyWhenEveryNodeHasAnswered() {
        QuorumAttempt round = round(3, 2);
        busy(round, 0, 7);
        busy(round, 1, 9);
        assertThat(actions()).isEmpty();
        ok(round, 2, 3);
        assertThat(actions()).containsExactly(new Action.Release(2, false), new Action.Busy(9));
    }

    @Test
    void aSplitVoteIsBusyAndReleasesAtOnce() {
        QuorumAttempt round = round(4, 3);
        ok(round, 0, 1);
        ok(round, 1, 1);
        busy(round, 2, 1);
        busy(round, 3, 1);
        assertThat(actions())
                .containsExactly(new Action.Release(0, false), new Action.Release(1, false), new Action.Busy(1));
    }

    @Test
    void withoutEnoughNodesItFailsAndBuriesWhatWasNotAnswered() {
        QuorumAttempt round = round(3, 2);
        ok(round, 0, 1);
        round.acquireFailed(1, new IOException("one"), out);
        assertThat(actions()).isEmpty();
        round.acquireFailed(2, new IOException("two"), out);
        List<Action> actions = actions();
        assertThat(actions.subList(0, 3))
                .containsExactly(
                        new Action.Release(0, false), new Action.Release(1, true), new Action.Release(2, true));
        assertThat(actions.get(3))
                .isInstanceOfSatisfying(
                        Action.Failed.class,
                        failed -> assertThat(failed.cause())
                                .hasMessageContaining("2 of 3")
                                .hasRootCauseMessage("one"));
    }

    @Test
    void aNodeThatWasNotAskedCountsAsDown() {
        QuorumAttempt round = new QuorumAttempt("c-1", new boolean[] {true, true, false}, 2);
        busy(round, 0, 1);
        ok(round, 1, 1);
        assertThat(actions()).containsExactly(new Action.Release(1, false), new Action.Busy(1));
        QuorumAttempt all = new QuorumAttempt("c-2", new boolean[] {true, true, false}, 3);
        ok(all, 0, 1);
        ok(all, 1, 1);
        assertThat(actions()).last().isInstanceOf(Action.Failed.class);
    }

    @Test
    void aNodeThatRestartedRecentlyDoesNotCount() {
        QuorumAttempt round = round(3, 2);
        busy(round, 0, 1);
        ok(round, 1, 5);
        ok(round, 2, 6);
        actions();
        round.raiseAnswered(2, RaiseFenceReply.TOO_YOUNG, out);
        assertThat(actions())
                .containsExactly(new Action.Release(1, false), new Action.Release(2, false), new Action.Busy(1));
    }

    @Test
    void aLeaseThatExpiredBetweenThePhasesDoesNotCount() {
        QuorumAttempt round = round(3, 3);
        ok(round, 0, 1);
        ok(round, 1, 2);
        ok(round, 2, 3);
        actions();
        raised(round, 0);
        raised(round, 1);
        round.raiseAnswered(2, RaiseFenceReply.NOT_MINE, out);
        assertThat(actions())
                .containsExactly(new Action.Release(0, false), new Action.Release(1, false), new Action.Busy(0));
    }

    @Test
    void anAcquireWhoseCopyMayRunLateIsBuriedAtTheEnd() {
        QuorumAttempt round = round(3, 2);
        round.acquireAnswered(0, new AcquireReply.Ok(1, 0), false, out);
        ok(round, 1, 1);
        busy(round, 2, 1);
        raised(round, 0);
        raised(round, 1);
        actions();
        round.release(out);
        assertThat(actions()).containsExactly(new Action.Release(0, true), new Action.Release(1, false));
    }

    @Test
    void aNodeWithoutAPartIsAskedAgainAndCountsOnceItHasAcceptedTheFence() {
        QuorumAttempt round = won(3, 2);
        assertThat(round.heal(2)).as("still asked").isFalse();
        round.acquireFailed(2, new IOException(), out);
        round.goneFrom(0);
        assertThat(round.heal(0)).isTrue();
        assertThat(round.heal(1)).as("has a part").isFalse();
        assertThat(round.heal(2)).isTrue();
        ok(round, 0, 5);
        busy(round, 2, 7);
        assertThat(actions()).containsExactly(new Action.RaiseFence(0, 1));
        assertThat(round.isConfirmed(0)).isFalse();
        raised(round, 0);
        assertThat(round.isConfirmed(0)).isTrue();
        assertThat(round.heal(2)).isTrue();
        round.release(out);
        assertThat(actions())
                .containsExactly(
                        new Action.Release(0, false), new Action.Release(1, false), new Action.Release(2, true));
        assertThat(round.heal(2)).as("released").isFalse();
    }

    @Test
    void aNodeThatWasTooYoungIsAskedAgain() {
        QuorumAttempt round = won(3, 2);
        ok(round, 2, 1);
        round.raiseAnswered(2, RaiseFenceReply.TOO_YOUNG, out);
        assertThat(round.isConfirmed(2)).isFalse();
        assertThat(round.heal(2)).isTrue();
        ok(round, 2, 1);
        raised(round, 2);
        assertThat(round.isConfirmed(2)).isTrue();
    }

    @Test
    void afterTheReleaseNothingHappens() {
        QuorumAttempt round = round(3, 2);
        ok(round, 0, 1);
        round.release(out);
        assertThat(actions())
                .containsExactly(
                        new Action.Release(0, false), new Action.Release(1, true), new Action.Release(2, true));
        ok(round, 1, 1);
        ok(round, 2, 1);
        round.release(out);
        assertThat(actions()).isEmpty();
    }

    private QuorumAttempt round(int nodes, int needed) {
        boolean[] asked = new boolean[nodes];
        Arrays.fill(asked, true);
        return new QuorumAttempt("c-1", asked, needed);
    }

    /** Nodes 0 and 1 hold; node 2 has not answered. */
    private QuorumAttempt won(int nodes, int needed) {
        QuorumAttempt round = round(nodes, needed);
        ok(round, 0, 1);
        ok(round, 1, 1);
        raised(round, 0);
        raised(round, 1);
        assertThat(actions()).last().isEqualTo(new Action.Acquired(1));
        return round;
    }

    private void ok(QuorumAttempt round, int node, long fence) {
        round.acquireAnswered(node, new AcquireReply.Ok(fence, 0), true, out);
    }

    private void busy(QuorumAttempt round, int node, long fence) {
        round.acquireAnswered(node, new AcquireReply.Busy(100, fence), true, out);
    }

    private void raised(QuorumAttempt round, int node) {
        round.raiseAnswered(node, RaiseFenceReply.RAISED, out);
    }

    private List<Action> actions() {
        List<Action> actions = List.copyOf(out);
        out.clear();
        return actions;
    }
}
