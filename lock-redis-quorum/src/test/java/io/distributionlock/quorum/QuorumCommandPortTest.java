package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What is sent to which of three nodes, and when, step by step. */
@ExtendWith(OutputCaptureExtension.class)
class QuorumCommandPortTest {

    private static final long LEASE = 30_000;
    private static final String CLAIM = "me:1";
    private static final Duration TIMEOUT = QuorumSettings.STANDARD.nodeTimeout();
    private static final Duration RETRY_DELAY = QuorumSettings.STANDARD.retryDelay();
    private static final Duration LONG_AFTER = RETRY_DELAY.multipliedBy(100);

    private final VirtualScheduler scheduler = new VirtualScheduler();
    private final List<ScriptedNode> nodes = List.of(new ScriptedNode(), new ScriptedNode(), new ScriptedNode());
    private final CommandListener engine = mock(CommandListener.class);
    private final QuorumCommandPort port = new QuorumCommandPort(
            IntStream.range(0, 3)
                    .mapToObj(i ->
                            new Node("n" + i, nodes.get(i), QuorumSettings.STANDARD, Duration.ofSeconds(2), scheduler))
                    .toList(),
            QuorumSettings.STANDARD,
            scheduler,
            () -> 0.5);

    @BeforeEach
    void attach() {
        port.attach(engine);
    }

    @Test
    void aMajorityIsMoreThanHalf() {
        assertThat(List.of(1, 2, 3, 4, 5))
                .extracting(QuorumMode.MAJORITY::needed)
                .containsExactly(1, 2, 2, 3, 3);
    }

    @Test
    void leasesAtTheNodesAllowForDriftAndUptimesForWholeSeconds() {
        assertThat(QuorumSettings.STANDARD.leaseOnNode(30_000)).isEqualTo(30_302);
        assertThat(QuorumSettings.STANDARD.leaseOnNode(0)).isZero();
        assertThat(QuorumSettings.STANDARD.leastUptimeSeconds()).isZero();
        assertThat(new QuorumSettings(QuorumMode.MAJORITY, TIMEOUT, 0, TIMEOUT, Duration.ofMillis(1_001))
                        .leastUptimeSeconds())
                .isEqualTo(3);
    }

    @Test
    void twoOfThreeAreEnough() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        assertThat(answer).isNotDone();
        grant(1, 5);
        raise(0);
        assertThat(answer).isNotDone();
        raise(1);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(7, 1));
    }

    @Test
    void theGreatestNumberIsWrittenBackAlsoToANodeThatGrantsLater() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        grant(1, 5);
        grant(2, 3);
        assertThat(nodes).extracting(node -> node.last("raiseFence").fence()).containsExactly(7L, 7L, 7L);
        nodes.get(0).fail("raiseFence");
        raise(2);
        assertThat(answer).isNotDone();
        raise(1);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(7, 1));
    }

    /** Node 0 came back empty and does not count yet; the clock of node 2 is ahead, and an earlier holder may have had its number 8. */
    @Test
    void aNodeThatDrewAGreaterNumberCountsOnlyIfTheHolderGetsIt() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        grant(1, 5);
        grant(2, 9);
        raise(1);
        assertThat(nodes.get(2).claims("raiseFence")).as("it may not be needed").isEmpty();
        nodes.get(0).answer("raiseFence", RaiseFenceReply.TOO_YOUNG);
        assertThat(nodes.get(1).last("raiseFence").fence())
                .as("told to the one that agreed to 7")
                .isEqualTo(9);
        raise(2);
        assertThat(answer).isNotDone();
        raise(1);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(9, 1));
    }

    @Test
    void aNodeThatDrewAGreaterNumberAndIsNotNeededCountsOnceTheLockIsHeld() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        grant(1, 5);
        raise(0);
        grant(2, 9);
        assertThat(nodes.get(2).claims("raiseFence")).isEmpty();
        raise(1);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(7, 1));
        assertThat(nodes.get(2).last("raiseFence").fence()).isEqualTo(7);
        raise(2);
        renew();
        assertThat(nodes.get(2).claims("renew")).hasSize(1);
    }

    /** Node 0 is slow to agree, node 1 came back empty. */
    @Test
    void anOverdueAnswerToASmallerNumberDoesNotCountForAGreater() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        grant(1, 5);
        Sent slow = nodes.get(0).last("raiseFence");
        pass(TIMEOUT);
        nodes.get(1).answer("raiseFence", RaiseFenceReply.TOO_YOUNG);
        grant(2, 9);
        slow.answer.complete(RaiseFenceReply.RAISED);
        raise(2);
        assertThat(answer).as("node 0 has agreed to 7").isNotDone();
        raise(0);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(9, 1));
    }

    @Test
    void busyIsReportedWhenEveryNodeHasAnsweredAndWhatWasGrantedIsGivenBack() {
        CompletableFuture<AcquireReply> answer = acquire();
        nodes.get(0).answer("acquire", new AcquireReply.Busy(100, 7));
        nodes.get(1).answer("acquire", new AcquireReply.Busy(100, 9));
        assertThat(answer).isNotDone();
        grant(2, 3);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Busy(50, 9));
        assertThat(nodes).extracting(node -> node.claims("release").size()).containsExactly(0, 0, 1);
        assertThat(nodes.get(2).last("release").tombstone()).isFalse();
    }

    @Test
    void withoutEnoughNodesItFailsAndWritesTombstonesWhereNothingWasAnswered() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 1);
        nodes.get(1).fail("acquire");
        assertThat(answer).isNotDone();
        nodes.get(2).fail("acquire");
        assertThatThrownBy(answer::join).hasMessageContaining("2 of 3").hasRootCauseMessage("down");
        assertThat(nodes).extracting(node -> node.last("release").tombstone()).containsExactly(false, true, true);
    }

    @ParameterizedTest
    @EnumSource(
            value = RaiseFenceReply.class,
            names = {"NOT_MINE", "TOO_YOUNG"})
    void aNodeThatHasRestartedOrForgottenTheLockBetweenThePhasesDoesNotCount(RaiseFenceReply reply) {
        CompletableFuture<AcquireReply> answer = acquire();
        busy(0);
        grant(1, 5);
        grant(2, 6);
        raise(1);
        nodes.get(2).answer("raiseFence", reply);
        assertThat(answer).isCompletedWithValueMatching(AcquireReply.Busy.class::isInstance);
        assertThat(nodes)
                .extracting(node -> node.claims("release").size())
                .as("what it may own is given back")
                .containsExactly(0, 1, reply == RaiseFenceReply.TOO_YOUNG ? 1 : 0);
    }

    @Test
    void aGivenUpAttemptIsReleasedAndLaterAnswersChangeNothing() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 1);
        release();
        assertThat(answer).isCompletedExceptionally();
        assertThat(nodes).extracting(node -> node.last("release").tombstone()).containsExactly(false, true, true);
        grant(1, 1);
        grant(2, 1);
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.claims("raiseFence")).isEmpty();
            assertThat(node.claims("release")).hasSize(1);
        });
    }

    @Test
    void aClaimThatIsAskedForAgainGivesBackItsEarlierAttempt() {
        acquire();
        grant(0, 7);
        acquire();
        assertThat(nodes.get(0).claims("release")).containsExactly("me:1-1");
        assertThat(nodes.get(0).claims("acquire")).containsExactly("me:1-1", "me:1-2");
    }

    @Test
    void aClaimThatIsAskedForAgainAlthoughItHoldsTheLockKeepsIt() {
        hold();
        assertThat(acquire()).isCompletedExceptionally();
        assertThat(nodes.get(0).claims("release")).isEmpty();
        release();
        assertThat(nodes.get(0).claims("release")).containsExactly("me:1-1");
    }

    /** Its answer came too late to be of use, and its caller waits on. */
    @Test
    void aClaimThatIsAskedForAgainAfterItsLeaseGivesItsAttemptBack() {
        hold();
        pass(Duration.ofMillis(LEASE));
        assertThat(acquire()).isNotDone();
        assertThat(nodes.get(0).claims("release")).containsExactly("me:1-1");
        assertThat(nodes.get(0).claims("acquire")).containsExactly("me:1-1", "me:1-2");
    }

    @Test
    void whatNobodyWaitsForAnyLongerIsGivenBack() {
        acquire().cancel(false);
        grant(0, 7);
        grant(1, 5);
        raise(0);
        raise(1);
        assertThat(nodes.get(0).claims("release")).containsExactly("me:1-1");
        assertThat(nodes.get(1).claims("release")).containsExactly("me:1-1");
    }

    @Test
    void nodesThatDoNotAnswerAreLeftOutOnlyIfTheOthersSuffice() {
        CompletableFuture<AcquireReply> first = acquire();
        nodes.get(2).fail("acquire");
        busy(0);
        busy(1);
        assertThat(first).isCompleted();
        acquire();
        assertThat(nodes).extracting(node -> node.claims("acquire").size()).containsExactly(2, 2, 1);
        nodes.get(1).fail("acquire");
        acquire();
        assertThat(nodes).extracting(node -> node.claims("acquire").size()).containsExactly(3, 3, 2);
    }

    @Test
    void aCommandThatIsNotAnsweredInTimeIsDropped() {
        acquire();
        pass(Duration.ofSeconds(3));
        assertThat(nodes.get(0).last("acquire").answer()).isCancelled();
    }

    /** After a first round, in which each node may take longer. */
    private void warmUp() {
        hold();
        release();
        nodes.subList(0, 2).forEach(node -> node.answer("release", ReleaseReply.RELEASED));
    }

    @Test
    void whatASlowMajorityAnswersLateCounts() {
        warmUp();
        CompletableFuture<AcquireReply> answer = acquire();
        pass(TIMEOUT.plusMillis(100));
        assertThat(answer).isNotDone();
        grant(0, 7);
        grant(1, 5);
        pass(TIMEOUT.plusMillis(100));
        raise(0);
        raise(1);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(7, 1));
    }

    @Test
    void whoeverIsLateDelaysNobodyIfTheOthersSayThatTheLockIsBusy() {
        warmUp();
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        busy(1);
        pass(TIMEOUT);
        assertThat(answer).isCompletedWithValueMatching(AcquireReply.Busy.class::isInstance);
        assertThat(nodes.get(2).last("release").tombstone()).isTrue();
    }

    @Test
    void aMajorityThatIsSilentMayBeAskedAgainForTenSeconds() {
        warmUp();
        CompletableFuture<AcquireReply> first = acquire();
        grant(0, 7);
        pass(Duration.ofSeconds(2));
        assertThatThrownBy(first::join)
                .hasCauseInstanceOf(TryAgainException.class)
                .hasMessageContaining("2 of 3");
        pass(Duration.ofSeconds(7));
        CompletableFuture<AcquireReply> last = acquire();
        grant(0, 7);
        pass(Duration.ofSeconds(2));
        assertThatThrownBy(last::join).hasCauseInstanceOf(IllegalStateException.class);
        CompletableFuture<AcquireReply> later = acquire();
        grant(0, 7);
        pass(TIMEOUT);
        assertThatThrownBy(later::join).as("known to be away").hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAcquireThatMayRunAgainGetsATombstone() {
        acquire();
        nodes.get(0).listener.reconnected();
        grant(0, 7);
        pass(Node.firstCommandTimeout().dividedBy(2).plusMillis(1));
        grant(1, 5);
        acquire();
        grant(2, 5); // of the second attempt
        assertThat(nodes.get(0).last("release").tombstone())
                .as("over an earlier connection")
                .isTrue();
        assertThat(nodes.get(1).last("release").tombstone()).as("a slow answer").isTrue();
        release();
        assertThat(nodes.get(2).last("release").tombstone())
                .as("of the second attempt")
                .isFalse();
    }

    @Test
    void aLockIsRenewedWhereItIsHeld() {
        hold();
        CompletableFuture<RenewReply> renewed = renew();
        assertThat(nodes.get(2).claims("renew")).isEmpty();
        nodes.get(0).answer("renew", new RenewReply(true, 0));
        assertThat(renewed).isNotDone();
        nodes.get(1).answer("renew", new RenewReply(true, 0));
        assertThat(renewed).isCompletedWithValue(new RenewReply(true, 1));
    }

    @Test
    void aRenewalAsksANodeAgainThatDoesNotHaveTheLockAndTheNextOneRenewsItThere() {
        hold();
        renew();
        assertThat(nodes.get(2).claims("acquire")).containsExactly("me:1-1", "me:1-1");
        grant(2, 9);
        raise(2);
        assertThat(nodes.get(2).claims("renew")).isEmpty();
        renew();
        assertThat(nodes.get(2).claims("renew")).containsExactly("me:1-1");
    }

    /** Until then, one of the two could lose its data, and another holder would have it and the third. */
    @Test
    void aNodeThatAnotherHadForAMomentIsAskedAgainAheadOfTheFirstRenewal() {
        hold();
        pass(RETRY_DELAY);
        assertThat(nodes).extracting(node -> node.claims("acquire").size()).containsExactly(1, 1, 2);
        grant(2, 9);
        assertThat(nodes.get(2).last("raiseFence").fence()).isEqualTo(7);
        raise(2);
        pass(LONG_AFTER);
        assertThat(nodes).extracting(node -> node.claims("acquire").size()).containsExactly(1, 1, 2);
    }

    @Test
    void aReleasedLockIsNotAskedForAgain() {
        hold();
        release();
        pass(RETRY_DELAY);
        assertThat(nodes.get(2).claims("acquire")).hasSize(1);
    }

    @Test
    void aNodeThatIsAskedAgainDoesNotCountBeforeItHasAgreed() {
        hold();
        CompletableFuture<RenewReply> first = renew();
        grant(2, 9);
        nodes.get(2).answer("raiseFence", RaiseFenceReply.TOO_YOUNG);
        nodes.get(0).answer("renew", new RenewReply(true, 0));
        nodes.get(1).answer("renew", new RenewReply(false, 0));
        assertThat(first).as("one agrees, one refuses, one is too young").isCompletedExceptionally();
        renew();
        assertThat(nodes)
                .extracting(node -> node.claims("acquire").size())
                .as("asked again")
                .containsExactly(1, 2, 3);
        release();
        assertThat(nodes)
                .extracting(node -> node.last("release").tombstone())
                .as("an acquire may still run")
                .containsExactly(false, true, true);
        renew();
        assertThat(nodes)
                .extracting(node -> node.claims("acquire").size())
                .as("released")
                .containsExactly(1, 2, 3);
    }

    /** A leader confirms its lock each second, for days. */
    @Test
    void aNodeThatRefusesAHeldLockLeavesNothingBehind() {
        hold();
        for (int renewal = 0; renewal < 100; renewal++) {
            renew();
            nodes.get(2).refuse("acquire");
            nodes.get(2).answer("isLocked", false); // the probe
        }
        assertThat(nodes.get(2).claims("acquire")).hasSize(101);
        assertThat(port)
                .extracting("attempts")
                .asInstanceOf(MAP)
                .extractingByKey(CLAIM)
                .extracting("failures")
                .asInstanceOf(LIST)
                .isEmpty();
    }

    @Test
    void aNodeThatRefusesWritesButAnswersIsReportedOnceAndNotAsSilent(CapturedOutput output) {
        for (int attempt = 0; attempt < 3; attempt++) {
            acquire();
            nodes.get(0).refuse("acquire");
            nodes.get(0).answer("isLocked", false); // the probe
            assertThat(port.nodeStates().get(0).reachable()).isTrue();
            busy(1);
            busy(2);
        }
        assertThat(nodes.get(0).claims("acquire")).hasSize(3);
        assertThat(output)
                .containsOnlyOnce("Node n0 of the quorum answers, and has refused a command")
                .doesNotContain("does not answer", "answers again");
    }

    /** Otherwise one without memory would have to store a tombstone for each attempt that it has refused. */
    @Test
    void aNodeThatRefusesAnAcquireNeedsNoTombstone() {
        acquire();
        busy(0);
        busy(1);
        nodes.get(2).refuse("acquire");
        assertThat(nodes.get(2).last("release").tombstone()).isFalse();
    }

    @Test
    void aNodeWhoseConnectionWasLostDidNotAnswer(CapturedOutput output) {
        acquire();
        nodes.get(0).fail("acquire", new TryAgainException("The connection was given up.", true));
        assertThat(output).contains("Node n0 of the quorum does not answer");
    }

    @Test
    void aNodeThatRefusesTheProbeTooIsLeftOut(CapturedOutput output) {
        acquire();
        nodes.get(0).refuse("acquire");
        nodes.get(0).refuse("isLocked");
        assertThat(port.nodeStates().get(0).reachable()).isFalse();
        busy(1);
        busy(2);
        acquire();
        assertThat(nodes.get(0).claims("acquire")).hasSize(1);
        assertThat(output).contains("Node n0 of the quorum refuses every command");
    }

    @Test
    void afterAForcedReleaseNoNodeIsAskedAgain() {
        hold();
        nodes.get(0).listener.revoked("name", "me:1-1");
        CompletableFuture<RenewReply> renewed = renew();
        assertThat(nodes.get(2).claims("acquire")).hasSize(1);
        nodes.get(0).answer("renew", new RenewReply(false, 0));
        assertThat(renewed).isCompletedWithValue(new RenewReply(false, 1));
        renew();
        assertThat(nodes.get(0).claims("acquire")).hasSize(1);
    }

    @Test
    void aForcedReleaseThatAQuorumDeniesEndsNoHealing() {
        hold();
        nodes.get(0).listener.revoked("name", "me:1-1");
        renew();
        nodes.get(0).answer("renew", new RenewReply(true, 0));
        nodes.get(1).answer("renew", new RenewReply(true, 0));
        assertThat(nodes.get(2).claims("acquire")).hasSize(1);
        renew();
        assertThat(nodes.get(2).claims("acquire")).hasSize(2);
    }

    @Test
    void anAnswerToAnEarlierQuestionDeniesNoForcedRelease() {
        hold();
        renew();
        nodes.get(0).listener.revoked("name", "me:1-1");
        nodes.get(0).answer("renew", new RenewReply(true, 0));
        nodes.get(1).answer("renew", new RenewReply(true, 0));
        int asked = nodes.get(2).claims("acquire").size();
        // Not a failure: a node that does not answer is not asked again anyway.
        busy(2);
        renew();
        assertThat(nodes.get(2).claims("acquire")).hasSize(asked);
    }

    @Test
    void aReleaseThatIsAskedForTwiceIsSentOnceAndNobodyElseCanEndIt() {
        hold();
        CompletableFuture<ReleaseReply> first = release();
        CompletableFuture<ReleaseReply> second = release();
        first.cancel(false);
        assertThat(nodes.get(0).claims("release")).hasSize(1);
        nodes.get(0).answer("release", ReleaseReply.RELEASED);
        assertThat(second).isNotDone();
        nodes.get(1).answer("release", ReleaseReply.RELEASED);
        assertThat(second).isCompletedWithValue(ReleaseReply.RELEASED);
        assertThat(release()).isCompletedWithValue(ReleaseReply.NOT_MINE);
    }

    @Test
    void whoReleasesLetsOtherProcessesTryFirst() {
        hold();
        release();
        port.acquire("name", "me:2", LEASE, true);
        pass(QuorumSettings.STANDARD.retryDelay());
        assertThat(nodes.get(0).claims("acquire")).hasSize(1);
        pass(QuorumSettings.STANDARD.retryDelay());
        assertThat(nodes.get(0).claims("acquire")).hasSize(2);
    }

    @Test
    void whoReleasesAShortLeaseIsSoonBack() {
        hold();
        release();
        port.acquire("name", "me:2", QuorumSettings.STANDARD.retryDelay().toMillis(), true);
        pass(QuorumSettings.STANDARD.retryDelay().dividedBy(4).minusMillis(1));
        assertThat(nodes.get(0).claims("acquire")).hasSize(1);
        pass(Duration.ofMillis(1));
        assertThat(nodes.get(0).claims("acquire")).hasSize(2);
    }

    @Test
    void aReleaseIsRepeatedAsSoonAsTheNodeAnswersAgain() {
        hold();
        release();
        pass(Duration.ofMinutes(1));
        int copies = nodes.get(0).claims("release").size();
        port.isLocked("name");
        nodes.get(0).fail("isLocked");
        nodes.get(0).answer("isLocked", false); // the probe
        pass(Duration.ofMillis(1));
        assertThat(nodes.get(0).claims("release")).hasSize(copies + 1);
    }

    @Test
    void aForcedReleaseConcernsTheAttemptThatHolds() {
        acquire();
        hold();
        nodes.forEach(node -> node.listener.revoked("name", "me:1-1"));
        verify(engine, never()).revoked(any(), any());
        nodes.get(0).listener.revoked("name", "me:1-2");
        verify(engine).revoked("name", CLAIM);
    }

    @Test
    void aForcedReleaseTellsWhetherAnyNodeHeldTheLock() {
        CompletableFuture<Boolean> none = port.forceRelease("name");
        nodes.forEach(node -> node.answer("forceRelease", false));
        assertThat(none).isCompletedWithValue(false);
        CompletableFuture<Boolean> one = port.forceRelease("name");
        nodes.get(0).answer("forceRelease", false);
        nodes.get(1).answer("forceRelease", true);
        assertThat(one).as("before every node has answered").isNotDone();
        nodes.get(2).fail("forceRelease");
        assertThat(one).isCompletedWithValue(true);
    }

    private CompletableFuture<AcquireReply> acquire() {
        return port.acquire("name", CLAIM, LEASE, true);
    }

    /** Nodes 0 and 1 hold the lock, node 2 is busy. */
    private void hold() {
        CompletableFuture<AcquireReply> answer = acquire();
        grant(0, 7);
        grant(1, 5);
        busy(2);
        raise(0);
        raise(1);
        assertThat(answer).isCompletedWithValue(new AcquireReply.Ok(7, 1));
    }

    private CompletableFuture<RenewReply> renew() {
        return port.renew(List.of(new Renewal("name", CLAIM, LEASE))).get(0);
    }

    private CompletableFuture<ReleaseReply> release() {
        return port.release("name", CLAIM, false, 0);
    }

    private void grant(int node, long fence) {
        nodes.get(node).answer("acquire", new AcquireReply.Ok(fence, 0));
    }

    private void busy(int node) {
        nodes.get(node).answer("acquire", new AcquireReply.Busy(100, 1));
    }

    private void raise(int node) {
        nodes.get(node).answer("raiseFence", RaiseFenceReply.RAISED);
    }

    private void pass(Duration time) {
        long end = scheduler.nanoTime() + time.toNanos();
        while (scheduler.step(end)) {
            // all that is due
        }
    }

    private record Sent(String what, String claim, boolean tombstone, long fence, CompletableFuture<Object> answer) {}

    /** Answers when it is told to. */
    private static final class ScriptedNode implements CommandPort {

        private final List<Sent> sent = new ArrayList<>();
        private CommandListener listener;

        @SuppressWarnings("unchecked")
        private <T> CompletableFuture<T> send(String what, String claim, boolean tombstone, long fence) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            sent.add(new Sent(what, claim, tombstone, fence, answer));
            return (CompletableFuture<T>) answer;
        }

        List<String> claims(String what) {
            return sent.stream()
                    .filter(one -> one.what.equals(what))
                    .map(Sent::claim)
                    .toList();
        }

        Sent last(String what) {
            return sent.stream()
                    .filter(one -> one.what.equals(what))
                    .reduce((earlier, later) -> later)
                    .orElseThrow();
        }

        void answer(String what, Object reply) {
            last(what).answer.complete(reply);
        }

        void fail(String what) {
            fail(what, new IOException("down"));
        }

        void fail(String what, Exception failure) {
            last(what).answer.completeExceptionally(failure);
        }

        void refuse(String what) {
            fail(what, new BackendProblemException("Redis has no memory left.", "Free memory.", null, true));
        }

        @Override
        public void attach(CommandListener listener) {
            this.listener = listener;
        }

        @Override
        public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
            return send("acquire", claim, false, 0);
        }

        @Override
        public CompletableFuture<RaiseFenceReply> raiseFence(
                String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
            return send("raiseFence", claim, false, fence);
        }

        @Override
        public CompletableFuture<ReleaseReply> release(
                String name, String claim, boolean tombstone, long minHoldMillis) {
            return send("release", claim, tombstone, 0);
        }

        @Override
        public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> this.<RenewReply>send("renew", renewal.claim(), false, 0))
                    .toList();
        }

        @Override
        public CompletableFuture<Boolean> isLocked(String name) {
            return send("isLocked", "", false, 0);
        }

        @Override
        public CompletableFuture<Boolean> forceRelease(String name) {
            return send("forceRelease", "", false, 0);
        }

        @Override
        public void listen() {}

        @Override
        public void close() {}
    }
}
