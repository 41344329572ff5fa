package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A checker that cannot fail proves nothing: here are histories that it must not accept, and some that it must. A turn is its token, when
 * it was called, and from when until when it was seen valid; or, with a question mark, when it returned, if nobody saw it valid.
 */
class HistoryCheckerTest {

    private static final Duration MAX_WAIT = Duration.ofNanos(1_000);
    private static final Duration SLACK = Duration.ofNanos(10);

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            one after another               | 1 0 10 20, 2 5 30 40, 3 45 50 60    | 0 |
            they meet                       | 1 0 10 20, 2 5 20 40                | 0 |
            over before its thread looked   | 1 0 100 ?, 2 5 30 200               | 0 |
            they overlap                    | 1 0 10 31, 2 5 30 40                | 1 | Two leases were valid at the same time
            one inside the other            | 1 0 10 90, 2 5 30 40                | 1 | Two leases were valid at the same time
            with one before the last        | 1 0 10 100, 2 0 20 30, 3 0 90 110   | 2 | Two leases were valid at the same time
            told in another order           | 2 5 30 40, 1 0 10 31                | 1 | Two leases were valid at the same time
            a token given twice             | 7 0 10 20, 7 5 30 40                | 1 | Two leases have the same fencing token
            a smaller one later             | 2 0 10 20, 1 5 30 40                | 1 | A later lease has a smaller fencing token
            asked for when it was known     | 2 0 10 ?, 1 11 20 ?                 | 1 | A later lease has a smaller fencing token
            asked for before                | 2 0 10 ?, 1 9 20 ?                  | 0 |
            """)
    void turns(String what, String turns, int violations, @Nullable String first) {
        assertFound(HistoryChecker.violationsOf(turns(turns)), violations, first);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            two at once                     | 1 0 10 30, 2 5 20 50, 3 5 30 60, 4 5 50 70 | 0 |
            learned of in another order     | 2 0 10 30, 1 0 20 50                       | 0 |
            three at once                   | 1 0 10 90, 2 5 20 90, 3 5 30 40            | 1 | More than 2 leases were valid
            a smaller token asked for later | 2 0 10 30, 1 15 20 50                      | 1 | A later lease has a smaller fencing token
            """)
    void turnsWithTwoPermits(String what, String turns, int violations, @Nullable String first) {
        assertFound(HistoryChecker.violationsOfPermits(turns(turns), 2), violations, first);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            they may overlap                  | 1 0 10 31, 2 5 30 40  | 0
            who had asked before may have less | 2 0 10 20, 1 5 30 40 | 0
            who asks after may not            | 2 0 10 20, 1 11 30 40 | 1
            """)
    void tokensWhereExclusionIsNotPromised(String what, String turns, int violations) {
        assertThat(HistoryChecker.fencingViolationsOf(turns(turns))).hasSize(violations);
    }

    @Test
    void leasesOfDifferentNamesMayOverlapAndEachIsReleasedOnce() {
        Turn other = new Turn("other", "thread", 1, 0, 10, 10, 20, null);
        assertThat(HistoryChecker.violationsOf(List.of(turn("1 0 10 20"), other)))
                .isEmpty();
        Turn again = new Turn("key", "thread", 1, 0, 10, 10, 20, ReleaseResult.ALREADY_RELEASED);
        assertThat(HistoryChecker.violationsOf(List.of(again))).hasSize(1);
    }

    /** Each began at 0; {@code KILLED} stands for one whose process was killed before it ended. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            busy in time                 | 100   | 100   | BUSY     |
            acquired in time             | 100   | 50    | ACQUIRED |
            forgotten                    | 5_000 | 1_001 | ACQUIRED | A live waiter had no turn
            forgotten, and killed        | 5_000 | 1_001 | KILLED   | A live waiter had no turn
            beyond its budget            | 100   | 111   | BUSY     | A waiter waited
            told busy too early          | 100   | 99    | BUSY     | A waiter was told 'busy' before
            """)
    void waits(String what, String budget, String ended, String outcome, @Nullable String violation) {
        assertFound(violations(attempt(budget, ended, outcome)), violation == null ? 0 : 1, violation);
    }

    @Test
    void theTimeInWhichItsOwnProcessIsStoppedDoesNotCount() {
        Attempt attempt = attempt("100", "200", "ACQUIRED");
        assertThat(violations(attempt, new Pause("process", 50, 150))).isEmpty();
        assertThat(violations(attempt, new Pause("process", 150, 500))).hasSize(1);
        assertThat(violations(attempt, new Pause("another process", 50, 150))).hasSize(1);
    }

    private static void assertFound(List<String> violations, int count, @Nullable String first) {
        assertThat(violations).hasSize(count);
        if (first != null) {
            assertThat(violations.get(0)).startsWith(first);
        }
    }

    private static List<String> violations(Attempt attempt, Pause... pauses) {
        return HistoryChecker.violationsOf(List.of(attempt), List.of(pauses), MAX_WAIT, SLACK);
    }

    private static List<Turn> turns(String turns) {
        return Stream.of(turns.split(", ")).map(HistoryCheckerTest::turn).toList();
    }

    private static Turn turn(String turn) {
        String[] words = turn.split(" ");
        long returned = Long.parseLong(words[2]);
        boolean seen = !words[3].equals("?");
        return new Turn(
                "key",
                "thread",
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                returned,
                seen ? returned : Long.MAX_VALUE,
                seen ? Long.parseLong(words[3]) : Long.MIN_VALUE,
                null);
    }

    private static Attempt attempt(String budget, String ended, String outcome) {
        return new Attempt(
                "process",
                "thread",
                "key",
                0,
                number(budget),
                number(ended),
                outcome.equals("KILLED") ? null : outcome);
    }

    private static long number(String text) {
        return Long.parseLong(text.replace("_", ""));
    }
}
