package io.distributionlock.rack;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.rack.History.Kind;
import org.junit.jupiter.api.Test;

/** The figures of histories that are told as a {@link Script}. */
class JudgeTest {

    private final History history = new History();

    private void happens(String script) {
        Script.play(history, script);
    }

    private void during(Kind kind, int process, int from, int to) {
        Script.during(history, kind, process, from, to);
    }

    private long of(Figure figure) {
        return Judge.verdictOn(history).of(figure);
    }

    @Test
    void oneAfterTheOtherIsNoOverlap() {
        happens(
                "0 1 call; 1 1 enter 3000; 2 2 call; 100 1 held 3000; 110 1 leave; 111 1 released OK; 112 2 enter 3100; 200 2 leave; 201 2 released OK");

        assertThat(Judge.verdictOn(history).isBroken()).isFalse();
        assertThat(of(Figure.OVERTAKEN)).isZero();
        assertThat(of(Figure.LONGEST_FREE)).isEqualTo(2);
    }

    @Test
    void aLockGivenTwiceWithinALeaseIsFound() {
        happens("0 1 call; 1 1 enter 3000; 2 2 call; 50 2 enter 3050; 100 1 held 3000; 110 1 leave");

        assertThat(of(Figure.OVERLAPS_BY_LEASE)).isEqualTo(1);
        assertThat(of(Figure.OVERLAPS_BY_TOLD)).isEqualTo(1);
    }

    @Test
    void whatRedisHasLostIsNotTheLibrarysLoss() {
        happens("0 1 call; 1 1 enter 3000; 2 2 call; 50 2 enter 3050; 100 1 held 3000; 110 1 leave");
        during(Kind.LOSS, -1, 40, 45);

        assertThat(Judge.verdictOn(history).isBroken()).isFalse();
        assertThat(of(Figure.OVERLAPS_BY_LEASE_OF_REDIS)).isEqualTo(1);
        assertThat(of(Figure.OVERLAPS_BY_TOLD_OF_REDIS)).isEqualTo(1);
    }

    @Test
    void whoIsPausedAndToldBeforeItGoesOnDoesNotOverlap() {
        happens("0 1 call; 1 1 enter 3000; 2 2 call; 3010 2 enter 6000; 4000 1 lost; 4001 1 leave");
        during(Kind.STALL, 1, 20, 4000);

        assertThat(Judge.verdictOn(history).isBroken()).isFalse();
        assertThat(of(Figure.OVERTAKEN)).isEqualTo(1);
        assertThat(of(Figure.TOLD_LATE) + of(Figure.UNTOLD)).isZero();
    }

    @Test
    void whoIsPausedAndGoesOnUntoldOverlapsByWhatItWasTold() {
        happens(
                "0 1 call; 1 1 enter 3000; 2 2 call; 3010 2 enter 6000; 4000 1 held 0; 4001 1 leave; 4002 1 released OK");
        during(Kind.STALL, 1, 20, 4000);

        assertThat(of(Figure.OVERLAPS_BY_TOLD)).isEqualTo(1);
        assertThat(of(Figure.UNTOLD)).isEqualTo(1);
    }

    @Test
    void aReleaseThatReportsTheLossTellsLate() {
        happens("0 1 call; 1 1 enter 3000; 2 2 call; 3010 2 enter 6000; 4000 1 leave; 4002 1 released LOST");

        assertThat(of(Figure.TOLD_LATE)).isEqualTo(1);
        assertThat(of(Figure.UNTOLD)).isZero();
    }

    @Test
    void aTokenThatIsNotGreaterThanAnEarlierOneIsFound() {
        happens(
                "0 1 call; 1 1 enter 3000 7; 20 1 leave; 21 1 released OK; 22 2 call; 23 2 enter 3000 8; 24 2 leave; 25 2 released OK; 26 1 call; 27 1 enter 3000 8; 28 1 leave");

        assertThat(of(Figure.TOKENS_INVERTED)).isEqualTo(1);
    }

    @Test
    void theLockOfADeadProcessIsFreeWhenItsLeaseHasEnded() {
        happens("0 1 call; 1 1 enter 3000; 2 2 call");
        history.died(1, Script.nanos("500"));
        happens("5000 2 enter 8000; 5100 2 leave");

        assertThat(of(Figure.LONGEST_FREE)).isEqualTo(1_500);
    }

    @Test
    void whileRedisServesNobodyTheLockIsKeptFromNobody() {
        happens(
                "0 1 call; 1 1 enter 3000; 2 2 call; 100 1 leave; 101 1 released OK; 1101 2 enter 4000; 1200 2 leave; 1201 2 released OK");
        during(Kind.OUTAGE, -1, 300, 800);

        assertThat(of(Figure.LONGEST_FREE)).isEqualTo(501);
    }
}
