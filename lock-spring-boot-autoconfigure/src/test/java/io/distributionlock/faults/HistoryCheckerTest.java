package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A checker that cannot fail proves nothing: here are histories that it must not accept. */
class HistoryCheckerTest {

    private static final Duration LONGEST_WAIT = Duration.ofNanos(1_000);
    private static final Duration SLACK = Duration.ofNanos(10);

    @Test
    void acceptsTurnsOneAfterAnother() {
        assertThat(check(turn(1, 0, 10, 20), turn(2, 5, 30, 40), turn(3, 45, 50, 60)))
                .isEmpty();
    }

    @Test
    void acceptsTurnsThatMeet() {
        assertThat(check(turn(1, 0, 10, 20), turn(2, 5, 20, 40))).isEmpty();
    }

    @Test
    void acceptsLeasesOfDifferentNamesAtTheSameTime() {
        Turn other = new Turn("other", "thread", 1, 0, 10, 10, 20, null);
        assertThat(check(turn(1, 0, 10, 20), other)).isEmpty();
    }

    @Test
    void acceptsALeaseThatWasOverBeforeItsThreadCouldLook() {
        assertThat(check(turn(1, 0, 100, Long.MIN_VALUE), turn(2, 5, 30, 200))).isEmpty();
    }

    @Test
    void findsLeasesThatOverlap() {
        assertThat(check(turn(1, 0, 10, 31), turn(2, 5, 30, 40)))
                .singleElement()
                .asString()
                .startsWith("Two leases were valid at the same time");
    }

    @Test
    void acceptsAsManyLeasesAtOnceAsThereArePermits() {
        assertThat(HistoryChecker.violationsOfPermits(
                        List.of(turn(1, 0, 10, 30), turn(2, 5, 20, 50), turn(3, 5, 30, 60), turn(4, 5, 50, 70)), 2))
                .isEmpty();
    }

    @Test
    void acceptsPermitsThatWereLearnedOfInAnotherOrder() {
        assertThat(HistoryChecker.violationsOfPermits(List.of(turn(2, 0, 10, 30), turn(1, 0, 20, 50)), 2))
                .isEmpty();
    }

    @Test
    void findsMoreLeasesThanPermits() {
        assertThat(HistoryChecker.violationsOfPermits(
                        List.of(turn(1, 0, 10, 90), turn(2, 5, 20, 90), turn(3, 5, 30, 40)), 2))
                .singleElement()
                .asString()
                .startsWith("More than 2 leases were valid at the same time");
    }

    @Test
    void findsASmallerTokenOfAPermitThatWasAskedForLater() {
        assertThat(HistoryChecker.violationsOfPermits(List.of(turn(2, 0, 10, 30), turn(1, 15, 20, 50)), 2))
                .hasSize(1);
    }

    @Test
    void findsALeaseInsideAnother() {
        assertThat(check(turn(1, 0, 10, 90), turn(2, 5, 30, 40))).hasSize(1);
    }

    @Test
    void findsAnOverlapWithALeaseBeforeTheLastOne() {
        // The first is still valid when the third begins; the second is over by then.
        assertThat(check(turn(1, 0, 10, 100), turn(2, 0, 20, 30), turn(3, 0, 90, 110)))
                .hasSize(2);
    }

    @Test
    void findsLeasesThatOverlapInWhateverOrderTheyAreTold() {
        assertThat(check(turn(2, 5, 30, 40), turn(1, 0, 10, 31))).hasSize(1);
    }

    @Test
    void findsATokenThatWasGivenTwice() {
        assertThat(check(turn(7, 0, 10, 20), turn(7, 5, 30, 40)))
                .singleElement()
                .asString()
                .startsWith("Two leases have the same fencing token");
    }

    @Test
    void findsATokenThatIsSmallerThanThatOfAnEarlierLease() {
        assertThat(check(turn(2, 0, 10, 20), turn(1, 5, 30, 40)))
                .singleElement()
                .asString()
                .startsWith("A later lease has a smaller fencing token");
    }

    @Test
    void findsATokenThatIsSmallerThanOneGivenBeforeTheCall() {
        // Nobody saw either of them valid, but the second asked when the first had got its token.
        assertThat(check(unseen(2, 0, 10), unseen(1, 11, 20)))
                .singleElement()
                .asString()
                .startsWith("A later lease has a smaller fencing token");
        assertThat(check(unseen(2, 0, 10), unseen(1, 9, 20))).isEmpty();
    }

    @Test
    void findsAReleaseThatWasNoRelease() {
        assertThat(check(new Turn("key", "thread", 1, 0, 10, 10, 20, ReleaseResult.ALREADY_RELEASED)))
                .hasSize(1);
    }

    @Test
    void tokensAreCheckedEvenWhereExclusionIsNot() {
        assertThat(HistoryChecker.fencingViolationsOf(List.of(turn(1, 0, 10, 31), turn(2, 5, 30, 40))))
                .isEmpty();
        // Whoever had asked before the first token was known may have a smaller one.
        assertThat(HistoryChecker.fencingViolationsOf(List.of(turn(2, 0, 10, 20), turn(1, 5, 30, 40))))
                .isEmpty();
        assertThat(HistoryChecker.fencingViolationsOf(List.of(turn(2, 0, 10, 20), turn(1, 11, 30, 40))))
                .hasSize(1);
    }

    @Test
    void acceptsAttemptsThatEndInTime() {
        assertThat(checkWaits(attempt(0, 100, 100, "BUSY"), attempt(0, 100, 50, "ACQUIRED")))
                .isEmpty();
    }

    @Test
    void findsAWaiterThatWasForgotten() {
        assertThat(checkWaits(attempt(0, 5_000, 1_001, "ACQUIRED")))
                .singleElement()
                .asString()
                .startsWith("A live waiter had no turn");
    }

    @Test
    void findsAForgottenWaiterOfAProcessThatWasKilled() {
        assertThat(checkWaits(attempt(0, 5_000, 1_001, null))).hasSize(1);
    }

    @Test
    void findsAWaiterThatWaitsBeyondItsBudget() {
        assertThat(checkWaits(attempt(0, 100, 111, "BUSY")))
                .singleElement()
                .asString()
                .contains("too long");
    }

    @Test
    void findsAWaiterThatIsToldBusyTooEarly() {
        assertThat(checkWaits(attempt(0, 100, 99, "BUSY")))
                .singleElement()
                .asString()
                .startsWith("A waiter was told 'busy' before");
    }

    @Test
    void theTimeInWhichItsOwnProcessIsStoppedDoesNotCount() {
        List<Attempt> attempts = List.of(attempt(0, 100, 200, "ACQUIRED"));
        assertThat(waitViolations(attempts, new Pause("process", 50, 150))).isEmpty();
        assertThat(waitViolations(attempts, new Pause("process", 150, 500))).hasSize(1);
        assertThat(waitViolations(attempts, new Pause("another process", 50, 150)))
                .hasSize(1);
    }

    @Test
    void aTurnIsReadAsItWasWritten() {
        Turn turn = new Turn("key", "thread", 1, 2, 3, Long.MAX_VALUE, Long.MIN_VALUE, null);
        assertThat(Turn.parse(turn.toLine())).isEqualTo(turn);
        Turn released = new Turn("key", "thread", 1, 2, 3, 4, 5, ReleaseResult.LOST);
        assertThat(Turn.parse(released.toLine())).isEqualTo(released);
    }

    private static List<String> check(Turn... turns) {
        return HistoryChecker.violationsOf(Arrays.asList(turns));
    }

    private static List<String> checkWaits(Attempt... attempts) {
        return waitViolations(Arrays.asList(attempts));
    }

    private static List<String> waitViolations(List<Attempt> attempts, Pause... pauses) {
        return HistoryChecker.violationsOf(attempts, Arrays.asList(pauses), LONGEST_WAIT, SLACK);
    }

    private static Turn turn(long token, long calledAt, long validFrom, long validUntil) {
        return new Turn("key", "thread", token, calledAt, validFrom, validFrom, validUntil, null);
    }

    private static Turn unseen(long token, long calledAt, long returnedAt) {
        return new Turn("key", "thread", token, calledAt, returnedAt, Long.MAX_VALUE, Long.MIN_VALUE, null);
    }

    private static Attempt attempt(long calledAt, long budgetNanos, long endedAt, @Nullable String outcome) {
        return new Attempt("process", "thread", "key", calledAt, budgetNanos, endedAt, outcome);
    }
}
