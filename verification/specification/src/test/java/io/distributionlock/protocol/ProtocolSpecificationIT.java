package io.distributionlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The protocols hold in every state that its configurations reach, and no rule is superfluous. */
class ProtocolSpecificationIT {

    private static final Specification SPECIFICATION =
            new Specification(Path.of(System.getProperty("specification.folder")));

    private final ModelChecker checker = new ModelChecker(Path.of(System.getProperty("specification.work")));

    @ParameterizedTest(name = "{0}")
    @MethodSource("sound")
    void whenAllRulesAreKeptThenEveryPropertyHoldsInEveryState(Configuration configuration)
            throws InterruptedException {
        Verdict verdict = check(configuration);

        verdict.assertHolds();
        assertThat(verdict.exploredStates()).as("states of %s", configuration).isEqualTo(configuration.states());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void whenARuleIsLeftOutThenAPropertyIsViolated(Configuration configuration) throws InterruptedException {
        check(configuration).assertViolates(configuration.finding());
    }

    @Test
    void whenARuleIsInTheModuleThenAConfigurationLeavesItOut() {
        assertThat(SPECIFICATION.rules()).isNotEmpty().isEqualTo(SPECIFICATION.rulesLeftOut());
    }

    private Verdict check(Configuration configuration) throws InterruptedException {
        return checker.check(
                configuration.name(),
                configuration.module(),
                configuration.text(),
                Map.of(configuration.module(), SPECIFICATION.read(configuration.module())));
    }

    static List<Configuration> sound() {
        return SPECIFICATION.configurations().stream()
                .filter(Configuration::isSound)
                .toList();
    }

    static List<Configuration> broken() {
        return SPECIFICATION.configurations().stream()
                .filter(configuration -> !configuration.isSound())
                .toList();
    }
}
