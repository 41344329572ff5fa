package io.distributionlock.state;

import static io.distributionlock.state.Script.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules of the protocol that are kept on the client's side, one by one, without Redis and without sleeping. */
class LockStateTest {

    @Nested
    class Uncontended {

        @Test
        void oneAcquireAndOneReleaseAreSent() {
            Script script = new Script().enter("a", 1000, 5000);
            Decision.SendAcquire acquire = script.only(Decision.SendAcquire.class);

            assertThat(acquire.leaseMillis()).isEqualTo(5000);
            script.ok(acquire, 7, 0);
            assertThat(script.decisions).hasSize(1).first().isInstanceOf(Decision.Grant.class);

            assertThat(script.exit("a")).isNull();
            assertThat(script.decisions).hasSize(1);
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isFalse();
            assertThat(script.state.isIdle()).isTrue();
        }

        @Test
        void theLeaseIsCountedFromBeforeTheCommandWasSent() {
            Script script = new Script().enter("a", 10_000, 1000);
            script.after(600).ok(script.only(Decision.SendAcquire.class), 7, 0);

            assertThat(script.after(399).holds("a")).isTrue();
            assertThat(script.after(1).holds("a")).isFalse();
        }

        @Test
        void anAnswerThatComesAfterItsOwnLeaseIsNoLock() {
            Script script = new Script().enter("a", 10_000, 500);
            Decision.SendAcquire first = script.only(Decision.SendAcquire.class);
            script.after(600).ok(first, 7, 0);

            assertThat(script.only(Decision.SendRelease.class).claim()).isEqualTo(first.claim());
            assertThat(script.only(Decision.SendAcquire.class).claim()).isNotEqualTo(first.claim());
            assertThat(script.all(Decision.Grant.class)).isEmpty();
        }

        @Test
        void aSingleAttemptIsBusyAtTheFirstAnswerAndLeavesNothing() {
            Script script = new Script().enter("a", 0, 1000);
            assertThat(script.only(Decision.SendAcquire.class).inQueue()).isFalse();
            script.busy(script.only(Decision.SendAcquire.class), 5000, 7);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BUSY);
            assertThat(script.all(Decision.SendRelease.class)).isEmpty();
            assertThat(script.state.isIdle()).isTrue();
        }
    }

    @Nested
    class Reentry {

        @Test
        void costsNoCommandAndKeepsTheLockUntilTheLastExit() {
            Script script = new Script().enterRenewed("outer", 1000, 60_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("inner", "outer", request(0));

            assertThat(script.decisions).hasSize(1).first().isInstanceOf(Decision.Grant.class);
            assertThat(script.exit("inner")).isEqualTo(ReleaseResult.STILL_HELD);
            assertThat(script.holds("outer")).isTrue();
            assertThat(script.exit("inner")).isEqualTo(ReleaseResult.ALREADY_RELEASED);
            assertThat(script.exit("outer")).isNull();
            assertThat(script.state.isIdle()).isTrue();
        }

        /** It would wait for itself. */
        @Test
        void aReaderCannotBecomeAWriter() {
            Script script = new Script().enter("outer", "outer", request(1000).kind(LockKind.READ));
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("inner", "outer", request(1000).kind(LockKind.WRITE));

            assertThat(script.only(Decision.Fail.class).outcome()).isInstanceOf(LockOutcome.Upgrade.class);
            assertThat(script.holds("outer")).isTrue();
        }

        @Test
        void anOwnerOfAPermitCannotHaveTheNameAsALock() {
            Script script = new Script().enter("outer", "outer", request(1000).permits(2));
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("inner", "outer", request(1000));

            assertThat(script.failures.get("inner").reason()).isEqualTo(LockFailureReason.INCOMPATIBLE);
            assertThat(script.holds("outer")).isTrue();
        }

        @Test
        void whoAsksForALockOfANameWithPermitsIsRefusedAndLeavesNothing() {
            Script script = new Script().enter("first", "first", request(1000));
            Decision.SendAcquire asked = script.only(Decision.SendAcquire.class);
            script.enter("second", "second", request(1000));
            script.on(new Event.AcquireAnswered(asked, new AcquireReply.Mixed("other:p3-1")));

            assertThat(script.failures).containsOnlyKeys("first", "second");
            assertThat(script.failures.get("first").reason()).isEqualTo(LockFailureReason.INCOMPATIBLE);
            assertThat(script.state.isIdle()).isTrue();
        }

        @Test
        void theLaterFixedEndWinsAndIsAskedFor() {
            Script script = new Script().enter("outer", 1000, 1000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("inner", "outer", request(0).holdLockTime(Duration.ofMillis(5000)));
            script.tickAfter(400);

            Decision.SendRenew renew = script.only(Decision.SendRenew.class);
            assertThat(renew.leaseMillis()).isEqualTo(4600);
            script.renewed(renew, true, 0).after(2000);
            assertThat(script.holds("outer")).isTrue();
        }

        @Test
        void aRenewedReentryRenewsAFixedLeaseUntilItsExit() {
            Script script = new Script().enter("outer", 1000, 1000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("inner", "outer", request(0).renewedLease(Duration.ofMillis(3000)));
            script.tickAfter(400)
                    .renewed(script.only(Decision.SendRenew.class), true, 0)
                    .after(1000);
            assertThat(script.holds("outer")).isTrue();

            assertThat(script.exit("inner")).isEqualTo(ReleaseResult.STILL_HELD);
            assertThat(script.holds("outer")).as("its own time is over").isFalse();
            assertThat(script.exit("outer")).isEqualTo(ReleaseResult.LOST);
        }
    }

    @Nested
    class Waiting {

        @Test
        void onlyTheFirstThreadTalksToRedis() {
            Script script = Script.waiting("a", 5000);
            script.enterRenewed("b", 5000, 60_000);

            assertThat(script.decisions).isEmpty();
        }

        @Test
        void asksAgainEachHeartbeatWithTheSameClaim() {
            Script script = Script.waiting("a", 5000);
            script.tickAfter(500);
            assertThat(script.decisions).isEmpty();
            script.tickAfter(600);
            assertThat(script.only(Decision.SendAcquire.class).claim()).isEqualTo(Claim.of("me:1"));
            script.tickAfter(1100);
            assertThat(script.decisions).as("one acquire is under way already").isEmpty();
        }

        @Test
        void asksAgainWhenTheLeaseOfTheOwnerEnds() {
            Script script = new Script().enterRenewed("a", 5000, 60_000);
            script.busy(script.only(Decision.SendAcquire.class), 200, 7).tickAfter(210);

            script.only(Decision.SendAcquire.class);
        }

        @Test
        void aLockWithoutEndIsNotAskedForWithoutPause() {
            Script script = new Script().enterRenewed("a", 5000, 60_000);
            script.busy(script.only(Decision.SendAcquire.class), -1, 7).tickAfter(500);

            assertThat(script.decisions).isEmpty();
        }

        @Test
        void aWaiterThatFindsASingleAttemptUnderWayJoinsTheQueueAtItsAnswer() {
            Script script = new Script().enterRenewed("single", 0, 60_000);
            Decision.SendAcquire single = script.only(Decision.SendAcquire.class);
            script.enterRenewed("a", 5000, 60_000);
            assertThat(script.decisions).isEmpty();
            script.busy(single, 60_000, 7);

            assertThat(script.only(Decision.SendAcquire.class).inQueue()).isTrue();
        }

        @Test
        void endsBusyAtItsDeadlineAndLeavesTheQueue() {
            Script script = Script.waiting("a", 800).tickAfter(800);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BUSY);
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isFalse();
            assertThat(script.state.isIdle()).isTrue();
        }

        @Test
        void theNextThreadInheritsTheClaim() {
            Script script = Script.waiting("a", 5000).enterRenewed("b", 5000, 60_000);
            script.leave("a");
            assertThat(script.decisions).isEmpty();

            script.granted(Claim.of("me:1"));
            script.ok(script.only(Decision.SendAcquire.class), 8, 0);
            assertThat(script.holds("b")).isTrue();
        }

        @Test
        void aClaimWithAnAcquireUnderWayIsBuriedWhenItIsGivenUp() {
            Script script = Script.waiting("a", 5000).tickAfter(1100).leave("a");

            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }
    }

    /** E8. */
    @Nested
    class Heartbeats {

        private Script waitingFor(String name) {
            Script script = new Script(name, Script.SETTINGS);
            script.enter("a", "a", request(60_000).kind(LockKind.FAIR));
            return script.busy(script.only(Decision.SendAcquire.class), 60_000, 7);
        }

        @Test
        void ofManyNamesAreSpreadOverTheSecond() {
            long[] inTenths = new long[10];
            for (int i = 0; i < 1_000; i++) {
                Script script = waitingFor("order-" + i);
                long in = script.state.due() - script.now;
                assertThat(in).isBetween(1L, Times.nanos(1_000));
                inTenths[(int) Math.min(9, in / Times.nanos(100))]++;
            }
            for (long count : inTenths) {
                assertThat(count).isBetween(50L, 200L);
            }
        }

        @Test
        void ofOneNameAreAtTheSameMoments() {
            Script first = waitingFor("order");
            Script second = new Script("order", Script.SETTINGS).after(1_234);
            second.enter("a", "a", request(60_000).kind(LockKind.READ));
            second.busy(second.only(Decision.SendAcquire.class), 60_000, 7);
            assertThat((second.state.due() - first.state.due()) % Times.nanos(1_000))
                    .isZero();
        }

        @Test
        void areNotMissedByAnAnswerThatComesJustAfterTheMoment() {
            long moment = waitingFor("order").state.due();
            Script script = new Script("order", Script.SETTINGS);
            script.now = moment - Times.nanos(10);
            script.enter("a", "a", request(60_000).kind(LockKind.FAIR));
            script.after(20).busy(script.only(Decision.SendAcquire.class), 60_000, 7);

            assertThat(script.all(Decision.SendAcquire.class)).isEmpty();
            assertThat(script.state.due()).isEqualTo(moment + Times.nanos(1_000));
        }
    }

    @Nested
    class Outcomes {

        @Test
        void anErrorBeforeAnyAnswerIsABackendFailure() {
            Script script = new Script().enterRenewed("a", 5000, 60_000);
            script.failed(script.only(Decision.SendAcquire.class));

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }

        @Test
        void noAnswerAtAllIsABackendFailureAtTheCommandTimeout() {
            Script script = new Script().enterRenewed("a", 5000, 60_000).tickAfter(2000);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }

        @Test
        void anAcquireThatTimedOutIsDroppedBeforeItsClaimIsBuried() {
            Script script = new Script().enterRenewed("a", 5000, 60_000);
            Decision.SendAcquire acquire = script.only(Decision.SendAcquire.class);
            script.tickAfter(2000);

            assertThat(script.decisions)
                    .filteredOn(decision -> !(decision instanceof Decision.Fail))
                    .containsExactly(
                            new Decision.Drop(acquire.flight()),
                            new Decision.DistrustConnection(),
                            new Decision.SendRelease(
                                    acquire.claim(), Decision.ReleaseWay.TOMBSTONE_FOR_PLAIN, 0, null));
        }

        @Test
        void aWaiterThatGoesOnAfterATimeoutDropsNothingUntilItLeaves() {
            Script script = Script.waiting("a", 60_000).tickAfter(1100);
            Decision.SendAcquire acquire = script.only(Decision.SendAcquire.class);
            script.tickAfter(2000);
            assertThat(script.decisions).isEmpty();

            script.after(100).leave("a");
            assertThat(script.only(Decision.Drop.class).flight()).isSameAs(acquire.flight());
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }

        @Test
        void whatWasAnsweredInTimeIsNotDropped() {
            Script script = Script.waiting("a", 5000).leave("a");

            assertThat(script.all(Decision.Drop.class)).isEmpty();
        }

        @Test
        void theLateAnswerToAnAcquireThatTimedOutStillWinsTheLockForWhoGoesOn() {
            Script script = Script.waiting("a", 60_000).tickAfter(1100);
            Decision.SendAcquire acquire = script.only(Decision.SendAcquire.class);
            script.tickAfter(2000).tickAfter(1000);
            assertThat(script.only(Decision.SendAcquire.class).flight()).isSameAs(acquire.flight());
            script.ok(acquire, 8, 0);

            assertThat(script.holds("a")).isTrue();
        }

        @Test
        void noAnswerWithinAShortWaitIsABackendFailure() {
            Script script = new Script().enterRenewed("a", 300, 60_000).tickAfter(300);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }

        @Test
        void aWaitShorterThanARoundTripIsStillToldThatTheLockIsBusy() {
            Script script = new Script().enterRenewed("a", 1, 60_000);
            Decision.SendAcquire acquire = script.only(Decision.SendAcquire.class);
            script.tickAfter(40).busy(acquire, 60_000, 7);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BUSY);
            assertThat(script.state.isIdle()).isTrue();
        }

        @Test
        void aShortWaitWithoutAnyAnswerEndsSoonAllTheSame() {
            Script script = new Script().enterRenewed("a", 1, 60_000).tickAfter(100);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }

        @Test
        void onceBusyWasAnsweredWaitingSurvivesErrors() {
            Script script = Script.waiting("a", 5000).tickAfter(1100);
            script.failed(script.only(Decision.SendAcquire.class));
            assertThat(script.failures).isEmpty();
            script.tickAfter(1100);
            script.busy(script.only(Decision.SendAcquire.class), 60_000, 7).tickAfter(2850);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BUSY);
        }

        @Test
        void aDeadlineWhileRedisIsSilentIsABackendFailure() {
            Script script = Script.waiting("a", 2500).tickAfter(1100).tickAfter(1400);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }

        @Test
        void aDeadlineJustAfterAHeartbeatIsBusyAllTheSame() {
            Script script = Script.waiting("a", 1020).tickAfter(1010).tickAfter(10);

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BUSY);
        }
    }

    @Nested
    class HandOver {

        @Test
        void aGrantIsNotTrustedButAskedAbout() {
            Script script = Script.waiting("a", 60_000).after(400).granted(Claim.of("me:1"));

            assertThat(script.all(Decision.Grant.class)).isEmpty();
            script.ok(script.only(Decision.SendAcquire.class), 8, 0);
            assertThat(script.holds("a")).isTrue();
        }

        @Test
        void aGrantThatOvertakesABusyAnswerIsAskedForAsSoonAsThatHasCome() {
            Script script = Script.waiting("a", 10_000).tickAfter(1_000);
            Decision.SendAcquire heartbeat = script.only(Decision.SendAcquire.class);
            script.granted(Claim.of("me:1"));
            assertThat(script.decisions).isEmpty();
            script.busy(heartbeat, 60_000, 7);

            script.ok(script.only(Decision.SendAcquire.class), 8, 0);
            assertThat(script.holds("a")).isTrue();
        }

        @Test
        void anAnswerToAnEarlierAcquireDoesNotReplaceTheQuestionAfterAMessage() {
            Script script = Script.waiting("a", 10_000).tickAfter(1_000);
            Decision.SendAcquire first = script.only(Decision.SendAcquire.class);
            Decision.SendAcquire second =
                    script.tickAfter(2_000).tickAfter(1_000).only(Decision.SendAcquire.class);
            script.granted(Claim.of("me:1")).busy(first, 60_000, 7);
            assertThat(script.all(Decision.SendAcquire.class)).isEmpty();
            script.busy(second, 60_000, 7);

            script.only(Decision.SendAcquire.class);
        }

        @Test
        void aClaimFarBehindIsLookedForOnceAMessageNamesIt() {
            Script script = new Script();
            for (int i = 0; i < 101; i++) {
                script.enter("a" + i, "a" + i, Script.request(60_000).kind(LockKind.FAIR));
                script.busy(script.only(Decision.SendAcquire.class), 60_000, 7);
            }
            script.granted(Claim.of("me:101"));

            assertThat(script.only(Decision.SendAcquire.class).assumedQueued()).isFalse();
        }

        @Test
        void aForcedReleaseIsNotTrustedButAskedAbout() {
            Script script = new Script().enterRenewed("a", 5000, 60_000);
            script.ok(script.only(Decision.SendAcquire.class), 8, 0).on(new Event.Revoked(Claim.of("me:1")));

            assertThat(script.holds("a")).isTrue();
            script.renewed(script.only(Decision.SendRenew.class), false, 0);
            assertThat(script.exit("a")).isEqualTo(ReleaseResult.LOST);
        }

        @Test
        void aForcedReleaseThatIsReportedDuringARenewalIsAskedAboutRightAfterIt() {
            Script script = new Script().enterRenewed("a", 5000, 60_000);
            script.ok(script.only(Decision.SendAcquire.class), 8, 0).tickAfter(30_000);
            Decision.SendRenew renewal = script.only(Decision.SendRenew.class);
            script.on(new Event.Revoked(Claim.of("me:1")))
                    .renewed(renewal, true, 0)
                    .tickAfter(0);

            script.renewed(script.only(Decision.SendRenew.class), false, 0);
            assertThat(script.exit("a")).isEqualTo(ReleaseResult.LOST);
        }

        @Test
        void aGrantForAClaimThatWasGivenUpIsReleasedAndNothingElse() {
            Script script = Script.waiting("a", 5000).leave("a").granted(Claim.of("me:1"));

            assertThat(script.decisions).containsExactly(new Decision.ReleaseUnknown(Claim.of("me:1")));
        }
    }

    /** An acquire that may still run needs a tombstone: its late copy would be an owner that no process knows. */
    @Nested
    class Burial {

        /** E5: thousands of refused attempts would fill a memory that is full with tombstones. */
        @Test
        void doesNotFollowAnAcquireThatTheBackendRefused() {
            Script script = new Script().enter("a", 10_000, 5000);
            script.failed(
                    script.only(Decision.SendAcquire.class),
                    new BackendProblemException("Redis has no memory left for a lock.", "Free some.", null, true));

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isFalse();
        }

        @Test
        void aFailedAcquireIsRememberedWhenAGrantArrivesWhileTheNextOneIsUnderWay() {
            Script script = Script.waiting("a", 10_000);
            Decision.SendAcquire lost = script.tickAfter(1000).only(Decision.SendAcquire.class);
            script.after(10).failed(lost);
            Decision.SendAcquire next = script.tickAfter(1000).only(Decision.SendAcquire.class);
            script.after(1).granted(next.claim());
            script.after(1).ok(next, 8, 0);
            script.exit("a");
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }

        @Test
        void anAcquireUnderWayAcrossAReconnectIsRememberedByTheHolder() {
            Script script = Script.waiting("a", 10_000);
            Decision.SendAcquire beat = script.tickAfter(1000).only(Decision.SendAcquire.class);
            script.after(1).granted(beat.claim());
            script.on(new Event.Reconnected());
            script.after(1).ok(beat, 8, 0);
            script.exit("a");
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }

        @Test
        void aSlowAnswerToAnAcquireIsRememberedByTheHolder() {
            Script script = Script.waiting("a", 10_000);
            Decision.SendAcquire beat = script.tickAfter(1000).only(Decision.SendAcquire.class);
            script.after(1).granted(beat.claim());
            script.after(1200).ok(beat, 8, 0);
            script.exit("a");
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }

        @Test
        void aSlowAnswerThatTheLockIsBusyIsRememberedByWhoeverLeaves() {
            Script script = Script.waiting("a", 10_000).tickAfter(1000);
            script.after(1200).busy(script.only(Decision.SendAcquire.class), 60_000, 7);
            script.after(1)
                    .busy(script.only(Decision.SendAcquire.class), 60_000, 7)
                    .leave("a");
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }

        @Test
        void aForcedReleaseThatOvertakesTheAnswerToAnAcquireIsAskedAboutAfterIt() {
            Script script = Script.waiting("a", 10_000).tickAfter(1000);
            Decision.SendAcquire beat = script.only(Decision.SendAcquire.class);
            script.on(new Event.Revoked(Claim.of("me:1"))).ok(beat, 8, 0);

            script.renewed(script.only(Decision.SendRenew.class), false, 0);
            assertThat(script.exit("a")).isEqualTo(ReleaseResult.LOST);
        }
    }

    @Nested
    class InsideTheProcess {

        private Script heldByAWithBWaiting(long holdMillis) {
            Script script = new Script().enter("a", 1000, holdMillis);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            return script.enter("b", 5000, holdMillis);
        }

        @Test
        void theLockPassesWithoutACommandAndWithAGreaterToken() {
            Script script = heldByAWithBWaiting(3000);
            assertThat(script.exit("a")).isEqualTo(ReleaseResult.RELEASED);

            assertThat(script.all(Decision.SendRelease.class)).isEmpty();
            assertThat(script.all(Decision.SendAcquire.class)).isEmpty();
            assertThat(script.holds("b")).isTrue();
            assertThat(script.holds.get("b").token())
                    .isGreaterThan(script.holds.get("a").token());
        }

        @Test
        void whoHasWaitedLongestIsNext() {
            Script script = heldByAWithBWaiting(3000).enter("c", 5000, 3000);
            script.exit("a");
            assertThat(script.holds("b")).isTrue();
            assertThat(script.holds("c")).isFalse();
        }

        @Test
        void oldKnowledgeOfWhoWaitsElsewhereIsRenewedFirst() {
            Script script = heldByAWithBWaiting(3000).after(50);
            assertThat(script.exit("a")).isNull();
            assertThat(script.all(Decision.Grant.class)).isEmpty();

            script.renewed(script.only(Decision.SendRenew.class), true, 0);
            assertThat(script.only(Decision.Released.class).result()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(script.holds("b")).isTrue();
        }

        @Test
        void whoseLockIsGoneFromTheBackendIsNotToldThatItHeldItWhenItPassesItOn() {
            Script script = heldByAWithBWaiting(3000).after(50);
            assertThat(script.exit("a")).isNull();
            script.renewed(script.only(Decision.SendRenew.class), false, 0);

            assertThat(script.all(Decision.Released.class)).isEmpty();
            assertThat(script.only(Decision.SendRelease.class).result()).isNotNull();
            assertThat(script.holds("b")).isFalse();
        }

        @Test
        void aSlowNetworkDoesNotKeepTheLockFromPassing() {
            Script script = heldByAWithBWaiting(3000).after(50);
            script.exit("a");
            Decision.SendRenew renew = script.only(Decision.SendRenew.class);
            script.after(200).renewed(renew, true, 0);

            assertThat(script.holds("b")).isTrue();
        }

        /** One slow answer is no licence to pass the lock on for seconds and never to ask who waits elsewhere. (E12) */
        @Test
        void afterASlowAnswerItIsAskedSoonWhoWaitsElsewhere() {
            Script script = new Script().enter("h0", 10_000, 60_000);
            script.after(1_900).ok(script.only(Decision.SendAcquire.class), 7, 0);
            long heard = script.now;
            int passed = 0;
            long asked = -1;
            while (script.now - heard < Times.nanos(20_000)) {
                script.enter("h" + (passed + 1), 30_000, 60_000).after(10);
                script.exit("h" + passed);
                passed++;
                if (asked < 0 && !script.all(Decision.SendRenew.class).isEmpty()) {
                    asked = script.now - heard;
                }
                if (!script.holds("h" + passed)) {
                    break;
                }
            }
            assertThat(asked).isBetween(0L, Times.nanos(250));
            assertThat(script.now - heard).as("passed on without an answer").isLessThanOrEqualTo(Times.nanos(300));
        }

        @Test
        void aSlowNetworkThatAnswersDoesNotMakeEveryHandOverWait() {
            Script script = new Script().enter("h0", 10_000, 60_000);
            script.after(200).ok(script.only(Decision.SendAcquire.class), 7, 0);
            Decision.SendRenew underWay = null;
            long arrives = 0;
            for (int i = 0; i < 200; i++) {
                script.enter("h" + (i + 1), 30_000, 60_000).after(10);
                script.exit("h" + i);
                if (!script.all(Decision.SendRenew.class).isEmpty()) {
                    underWay = script.only(Decision.SendRenew.class);
                    arrives = script.now + Times.nanos(200);
                }
                assertThat(script.holds("h" + (i + 1))).as("hand-over %s", i).isTrue();
                if (underWay != null && script.now >= arrives) {
                    script.renewed(underWay, true, 0);
                    underWay = null;
                }
            }
        }

        /** The lease that was asked for would outlast a crash of its first holder by far. (E11) */
        @Test
        void whoWantsTheLockForAMomentDoesNotInheritTheLongLeaseOfOneWhoHasLeft() {
            Script script = new Script().enter("long", 5000, 3_600_000);
            Decision.SendAcquire asked = script.only(Decision.SendAcquire.class);
            script.enter("short", 5000, 100).leave("long").after(1).ok(asked, 7, 0);

            assertThat(script.only(Decision.SendRelease.class).claim()).isEqualTo(asked.claim());
            Decision.SendAcquire again = script.only(Decision.SendAcquire.class);
            assertThat(again.leaseMillis()).isEqualTo(100);
            script.after(1).ok(again, 8, 0);
            assertThat(script.holds("short")).isTrue();
        }

        @Test
        void whileOthersWaitItPassesOnlyWithinItsBudget() {
            Script script = new Script().enter("h0", 1000, 3000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 1);
            int passed = 0;
            while (script.all(Decision.SendRelease.class).isEmpty()) {
                script.enter("h" + (passed + 1), 5000, 3000);
                script.exit("h" + passed);
                passed++;
            }

            assertThat(passed).isEqualTo(Script.SETTINGS.handoverMaxCount() + 1);
            List<Class<?>> order =
                    script.decisions.stream().<Class<?>>map(Object::getClass).toList();
            assertThat(order).containsExactly(Decision.SendRelease.class, Decision.SendAcquire.class);
        }

        @Test
        void whileOthersWaitItPassesOnlyForAWhile() {
            Script script = new Script().enter("a", 1000, 3000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 1).enter("b", 5000, 3000);
            script.after(Script.SETTINGS.handoverMaxTime().toMillis()).exit("a");

            script.only(Decision.SendRelease.class);
        }

        @Test
        void aLeaseThatIsAboutToEndIsNotPassedOn() {
            Script script = heldByAWithBWaiting(3000).after(2500);
            script.exit("a");

            script.only(Decision.SendRelease.class);
        }

        @Test
        void aSingleAttemptOnALockOfThisProcessIsBusyWithoutACommand() {
            Script script = heldByAWithBWaiting(3000).enter("c", 0, 1000);

            assertThat(script.failures.get("c").reason()).isEqualTo(LockFailureReason.BUSY);
            assertThat(script.all(Decision.SendAcquire.class)).isEmpty();
        }

        @Test
        void aLongLeaseIsNotPassedToAShortHold() {
            Script script = new Script().enterRenewed("a", 1000, 60_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).enter("b", 5000, 1000);
            script.exit("a");

            script.only(Decision.SendRelease.class);
            script.only(Decision.SendAcquire.class);
        }

        @Test
        void noHandOverWhenItIsTurnedOff() {
            Script script = new Script(new EngineSettings(
                            "me",
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(3),
                            Duration.ofSeconds(1),
                            0,
                            Duration.ZERO))
                    .enter("a", 1000, 3000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).enter("b", 5000, 3000);
            script.exit("a");

            script.only(Decision.SendRelease.class);
        }
    }

    /** Until the first answer of all has come, a command may take 10 s instead of 2 s. */
    @Nested
    class FirstAnswer {

        private final Script cold = new Script(Script.SETTINGS.withFirstAnswerTimeout(Duration.ofSeconds(10)));

        @Test
        void anAttemptThatDoesNotWaitForHoldersWaitsForIt() {
            cold.enter("a", 0, 60_000);
            Decision.SendAcquire acquire = cold.only(Decision.SendAcquire.class);
            cold.tickAfter(9_999);
            assertThat(cold.failures).isEmpty();

            cold.ok(acquire, 7, 0);
            assertThat(cold.holds("a")).isTrue();
        }

        @Test
        void anAttemptThatDoesNotWaitForHoldersFailsAfterThatTime() {
            cold.enter("a", 0, 1000).tickAfter(10_000);

            assertThat(cold.failures.get("a")).isInstanceOfSatisfying(LockOutcome.BackendFailed.class, failed -> {
                assertThat(failed.waited()).isEqualTo(Duration.ofSeconds(10));
                assertThat(failed.cause()).hasMessage("No answer came within 10000 ms.");
            });
        }

        @Test
        void anAttemptNeverWaitsLongerThanItsOwnTime() {
            cold.enter("a", 500, 1000).tickAfter(499);
            assertThat(cold.failures).isEmpty();

            cold.tickAfter(1);
            assertThat(cold.failures.get("a"))
                    .isInstanceOfSatisfying(
                            LockOutcome.BackendFailed.class,
                            failed -> assertThat(failed.cause()).hasMessageContaining("before the backend answered"));
            assertThat(cold.state.isIdle()).isTrue();
        }

        @Test
        void anAttemptWithMoreTimeGivesUpAllTheSame() {
            cold.enter("a", 60_000, 1000).tickAfter(9_999);
            assertThat(cold.failures).isEmpty();

            cold.tickAfter(1);
            assertThat(cold.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }

        @Test
        void afterItACommandHasTheCommandTimeout() {
            cold.firstAnswer().enter("a", 60_000, 1000).tickAfter(1_999);
            assertThat(cold.failures).isEmpty();

            cold.tickAfter(1);
            assertThat(cold.failures.get("a"))
                    .isInstanceOfSatisfying(
                            LockOutcome.BackendFailed.class,
                            failed -> assertThat(failed.cause())
                                    .hasMessageContaining("2000 ms (distribution-lock.redis.command-timeout)"));
        }

        @Test
        void whatWasSentBeforeHasTheCommandTimeoutFromThenOn() {
            cold.enter("a", 60_000, 1000).enter("b", 0, 1000).tickAfter(3_000);
            cold.firstAnswer();
            assertThat(cold.state.due()).isEqualTo(cold.now + Times.nanos(2_000));
            cold.tickAfter(1_999);
            assertThat(cold.failures).isEmpty();

            cold.tickAfter(1);
            assertThat(cold.failures).containsOnlyKeys("a", "b");
        }

        @Test
        void itDoesNotProlongWhatWasSentLongBefore() {
            cold.enter("a", 60_000, 1000).tickAfter(9_500).firstAnswer().tickAfter(500);

            assertThat(cold.failures).containsOnlyKeys("a");
        }

        @Test
        void aSingleAttemptThatTheBackendCannotRunYetIsRepeatedForTheCommandTimeout() {
            cold.enter("a", 0, 1000);
            Decision.SendAcquire acquire = cold.only(Decision.SendAcquire.class);
            cold.after(3_000).firstAnswer().failed(acquire, new TryAgainException("LOADING"));
            assertThat(cold.failures).isEmpty();

            cold.tickAfter(2_000);
            assertThat(cold.failures.get("a"))
                    .isInstanceOfSatisfying(
                            LockOutcome.BackendFailed.class,
                            failed -> assertThat(failed.cause()).hasMessage("LOADING"));
        }

        @Test
        void aRefusalIsNotWaitedOut() {
            cold.enter("a", 60_000, 1000);
            cold.after(5).failed(cold.only(Decision.SendAcquire.class));

            assertThat(cold.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }

        @Test
        void aLongerCommandTimeoutCounts() {
            Script patient = new Script(Script.SETTINGS
                    .withCommandTimeout(Duration.ofSeconds(30))
                    .withFirstAnswerTimeout(Duration.ofSeconds(10)));
            patient.enter("a", 0, 1000).tickAfter(29_999);
            assertThat(patient.failures).isEmpty();

            patient.tickAfter(1);
            assertThat(patient.failures).containsOnlyKeys("a");
        }

        @Test
        void aLateFirstAnswerLeavesATombstoneBehind() {
            cold.enter("a", 0, 1000);
            cold.after(3_000).busy(cold.only(Decision.SendAcquire.class), 5000, 7);

            // The client may have sent it once more over another connection.
            assertThat(cold.failures.get("a").reason()).isEqualTo(LockFailureReason.BUSY);
            assertThat(cold.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
        }
    }

    @Nested
    class Replicas {

        @Test
        void whatReplicasDidNotAcknowledgeIsGivenBackAndNobodyHereWaitsForTheSameAgain() {
            Script script = new Script().enterRenewed("a", 10_000, 60_000);
            Decision.SendAcquire sent = script.only(Decision.SendAcquire.class);
            script.enterRenewed("b", 10_000, 60_000);
            script.failed(sent, new NotReplicatedException("0 of 1"));

            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.NOT_REPLICATED);
            assertThat(script.failures.get("b").reason()).isEqualTo(LockFailureReason.NOT_REPLICATED);
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isTrue();
            assertThat(script.state.isIdle()).isTrue();
        }

        @Test
        void aRenewalThatReplicasDidNotAcknowledgeProlongsNothing() {
            Script script = new Script().enterRenewed("a", 1_000, 9_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            for (int second = 0; second < 9; second++) {
                script.tickAfter(1_000);
                script.all(Decision.SendRenew.class).forEach(renew -> script.on(new Event.RenewAnswered(renew, null)));
            }
            assertThat(script.holds("a")).isFalse();
        }
    }

    @Nested
    class Refusals {

        @Test
        void anAcquireThatCannotRunYetIsRepeatedAndNobodyIsTold() {
            Script script = new Script().enterRenewed("a", 10_000, 60_000);
            for (int i = 0; i < 20; i++) {
                script.failed(script.only(Decision.SendAcquire.class), new TryAgainException("TRYAGAIN"));
                assertThat(script.failures).isEmpty();
                script.tickAfter(200);
            }
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);

            assertThat(script.holds("a")).isTrue();
            script.exit("a");
            assertThat(script.only(Decision.SendRelease.class).way().writesTombstone())
                    .isFalse();
        }

        @Test
        void atTheDeadlineTheBackendHasFailedAndSaysWhy() {
            Script script = new Script().enterRenewed("a", 300, 60_000);
            script.failed(script.only(Decision.SendAcquire.class), new TryAgainException("TRYAGAIN"))
                    .tickAfter(150);
            script.failed(script.only(Decision.SendAcquire.class), new TryAgainException("TRYAGAIN"))
                    .tickAfter(150);

            assertThat(script.failures.get("a"))
                    .isInstanceOfSatisfying(
                            LockOutcome.BackendFailed.class,
                            failed -> assertThat(failed.cause()).hasMessage("TRYAGAIN"));
        }

        @Test
        void whoWasBusyBeforeIsNotBusyWhenTheLatestAnswerWasARefusal() {
            Script script = Script.waiting("a", 3_000).tickAfter(1_000);
            while (script.failures.isEmpty()) {
                script.all(Decision.SendAcquire.class)
                        .forEach(sent -> script.failed(sent, new TryAgainException("CLUSTERDOWN")));
                script.tickAfter(200);
            }
            assertThat(script.failures.get("a").reason()).isEqualTo(LockFailureReason.BACKEND_FAILED);
        }
    }

    @Nested
    class Loss {

        @Test
        void aHolderThatOverstaysDoesNotHoldUpTheLocalQueue() {
            Script script = new Script().enter("a", 1000, 500);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).enter("b", 5000, 500);
            script.tickAfter(500);

            script.only(Decision.ReportLoss.class);
            assertThat(script.only(Decision.SendRelease.class).claim()).isEqualTo(Claim.of("me:1"));
            assertThat(script.only(Decision.SendAcquire.class).claim()).isEqualTo(Claim.of("me:2"));
            assertThat(script.exit("a")).isEqualTo(ReleaseResult.LOST);
            assertThat(script.decisions).isEmpty();
        }

        @Test
        void anAnswerDoesNotReviveALeaseWhoseDeadlineHasPassed() {
            Script script = new Script().enterRenewed("a", 1000, 3000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).tickAfter(1100);
            Decision.SendRenew renew = script.only(Decision.SendRenew.class);
            script.after(2000).renewed(renew, true, 0);

            assertThat(script.holds("a")).isFalse();
            script.only(Decision.ReportLoss.class);
        }

        @Test
        void aRenewalThatFindsAnotherOwnerMeansLostAtOnce() {
            Script script = new Script().enterRenewed("a", 1000, 3000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).tickAfter(1100);
            script.renewed(script.only(Decision.SendRenew.class), false, 0);

            script.only(Decision.ReportLoss.class);
            assertThat(script.holds("a")).isFalse();
        }

        @Test
        void aRenewalWithoutAnAnswerIsRepeatedUntilTheDeadline() {
            Script script = new Script().enterRenewed("a", 1000, 9000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).tickAfter(3100);
            script.only(Decision.SendRenew.class);
            script.tickAfter(2000);
            script.tickAfter(1000);
            script.renewed(script.only(Decision.SendRenew.class), true, 0);

            assertThat(script.after(8000).holds("a")).isTrue();
        }

        @Test
        void aLongerLeaseThatIsInForceAlreadyIsNotAskedForAgainAndAgain() {
            Script script = new Script().enterRenewed("a", 1000, 600_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("b", "a", request(0).renewedLease(Duration.ofMillis(60_000)));
            assertThat(script.exit("a")).isEqualTo(ReleaseResult.STILL_HELD);
            script.tickAfter(200_000);
            int asked = 0;
            for (int millis = 0; millis < 300_000; millis += 100) {
                for (Decision.SendRenew renew : script.all(Decision.SendRenew.class)) {
                    asked++;
                    script.renewed(renew, true, 0);
                }
                script.tickAfter(100);
            }

            assertThat(asked).as("in five times its lease").isBetween(1, 20);
            assertThat(script.holds("b")).isTrue();
        }

        @Test
        void aCheckWithoutAnAnswerIsRepeated() {
            Script script = new Script().enter("a", 1000, 30_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.on(new Event.Reconnected());
            script.only(Decision.SendRenew.class);
            script.tickAfter(2000);
            script.tickAfter(1000);

            script.renewed(script.only(Decision.SendRenew.class), false, 0);
            script.only(Decision.ReportLoss.class);
        }

        @Test
        void afterAReconnectEveryLeaseIsChecked() {
            Script script = new Script().enter("a", 1000, 30_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.on(new Event.Reconnected());

            Decision.SendRenew check = script.only(Decision.SendRenew.class);
            assertThat(check.leaseMillis()).isZero();
            script.renewed(check, false, 0);
            script.only(Decision.ReportLoss.class);
        }

        @Test
        void whenMessagesAreReceivedEveryLeaseIsCheckedBecauseOneMayHaveBeenMissed() {
            Script script = new Script().enter("a", 1000, 30_000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.on(new Event.Listening());

            script.renewed(script.only(Decision.SendRenew.class), false, 0);
            script.only(Decision.ReportLoss.class);
        }

        /** A loss is counted once, however often it is reported. (E11) */
        @Test
        void whoWantsToKnowOfALossThatHasHappenedIsToldAndItIsNotCountedAgain() {
            Script script = new Script().enter("a", 1000, 900);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).tickAfter(900);
            assertThat(script.all(Decision.Lost.class)).hasSize(1);

            script.enter("b", 1000, 60_000);
            script.on(new Event.ListenForLoss(script.holds.get("a"), new LossListener() {
                @Override
                public void lost() {}
            }));
            script.only(Decision.ReportLoss.class);
            assertThat(script.all(Decision.Lost.class)).isEmpty();
        }

        @Test
        void aMaximumHoldTimeEndsARenewedLock() {
            Script script = new Script().enter("a", "a", request(0).maxHoldTime(Duration.ofMillis(4000)));
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).tickAfter(4000);

            script.only(Decision.ReportLoss.class);
            script.only(Decision.SendRelease.class);
        }

        @Test
        void aMinimumHoldTimeKeepsTheLockAfterItsRelease() {
            Script script = new Script()
                    .enter(
                            "a",
                            "a",
                            request(0).holdLockTime(Duration.ofMillis(900)).minHoldTime(Duration.ofMillis(600)));
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).after(100);
            script.exit("a");

            assertThat(script.only(Decision.SendRelease.class).keepMillis()).isEqualTo(500);
        }

        @Test
        void aMinimumHoldTimeThatIsWaivedKeepsNothing() {
            Script script = new Script().enter("a", "a", request(0).minHoldTime(Duration.ofMillis(600)));
            script.ok(script.only(Decision.SendAcquire.class), 7, 0).after(100);
            script.on(new Event.WaiveMinHoldTime(script.holds.get("a")));
            script.exit("a");

            assertThat(script.only(Decision.SendRelease.class).keepMillis()).isZero();
        }

        @Test
        void aWaivedMinimumLeavesThatOfAnotherHold() {
            Script script = new Script().enter("outer", "a", request(0).minHoldTime(Duration.ofMillis(600)));
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            script.enter("inner", "a", request(0).minHoldTime(Duration.ofMillis(900)))
                    .after(100);
            script.on(new Event.WaiveMinHoldTime(script.holds.get("outer")));
            script.exit("inner");
            script.exit("outer");

            assertThat(script.only(Decision.SendRelease.class).keepMillis()).isEqualTo(800);
        }
    }

    @Nested
    class Answers {

        @Test
        void whoHearsThatALeaseIsGoneFindsItInvalid() {
            Script script = new Script().enter("a", 1000, 3000);
            script.ok(script.only(Decision.SendAcquire.class), 7, 0);
            CompletableFuture<Boolean> confirmation = new CompletableFuture<>();
            script.on(new Event.Confirm(script.holds.get("a"), confirmation));
            Decision.SendCheck asked = script.only(Decision.SendCheck.class);

            script.on(new Event.CheckAnswered(asked, new RenewReply(false, 0)));

            assertThat(confirmation)
                    .as("nobody is told while the state changes")
                    .isNotDone();
            assertThat(script.only(Decision.Answer.class).held()).isFalse();
            assertThat(script.holds("a")).isFalse();
        }
    }
}
