package io.distributionlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * TLC's result for one configuration.
 *
 * @param exitCode 0 if everything held in every state, 12 if an invariant was violated, 13 if a property of the steps was
 * @param output everything it printed, including any counterexample
 * @param seconds how long it took
 */
record Verdict(int exitCode, String output, double seconds) {

    private static final int SUCCESS = 0;
    private static final int INVARIANT_VIOLATED = 12;
    private static final int STEP_PROPERTY_VIOLATED = 13;
    private static final Pattern DEPTH = Pattern.compile("The depth of the complete state graph search is (\\d+)\\.");
    private static final Pattern STEP = Pattern.compile("(?m)^State (\\d+): ");
    private static final Pattern STATES =
            Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, (\\d+) states left on queue\\.");

    void assertHolds() {
        assertThat(output).contains("Model checking completed. No error has been found.");
        assertThat(exitCode).isEqualTo(SUCCESS);
    }

    void assertViolates(String property) {
        assertThat(output)
                .containsAnyOf(
                        "Error: Invariant " + property + " is violated.",
                        "Error: Action property " + property + " is violated.");
        assertThat(exitCode).isIn(INVARIANT_VIOLATED, STEP_PROPERTY_VIOLATED);
    }

    /** The number of distinct states; fails if some were left unexplored. */
    long exploredStates() {
        Matcher states = STATES.matcher(output);
        assertThat(states.find())
                .as("the number of states in TLC's output: %s", output)
                .isTrue();
        assertThat(states.group(3)).as("states left unexplored").isEqualTo("0");
        return Long.parseLong(states.group(2));
    }

    /** How many steps the longest of the shortest ways to a state has, or a counterexample; 0 if TLC did not say. */
    int depth() {
        return Stream.of(DEPTH, STEP)
                .flatMap(pattern -> pattern.matcher(output).results())
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .max()
                .orElse(0);
    }
}
