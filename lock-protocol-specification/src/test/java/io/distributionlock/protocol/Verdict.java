package io.distributionlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TLC said of one configuration.
 *
 * @param exitCode 0 if everything held in every state, 12 if an invariant was violated
 * @param output all that it printed, with the counterexample if there is one
 */
record Verdict(int exitCode, String output) {

    private static final int SUCCESS = 0;
    private static final int INVARIANT_VIOLATED = 12;
    private static final Pattern STATES =
            Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, (\\d+) states left on queue\\.");

    void assertHolds() {
        assertThat(output).contains("Model checking completed. No error has been found.");
        assertThat(exitCode).isEqualTo(SUCCESS);
    }

    void assertViolates(String invariant) {
        assertThat(output).contains("Error: Invariant " + invariant + " is violated.");
        assertThat(exitCode).isEqualTo(INVARIANT_VIOLATED);
    }

    /** How many different states were looked at; all that there are, else the assertion fails. */
    long exploredStates() {
        Matcher states = STATES.matcher(output);
        assertThat(states.find())
                .as("TLC tells its number of states in: %s", output)
                .isTrue();
        assertThat(states.group(3)).as("states left unexplored").isEqualTo("0");
        return Long.parseLong(states.group(2));
    }
}
