package io.distributionlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol holds in every state that its configurations reach, and no rule is superfluous. The results must match those in
 * {@code specification.md}.
 */
class ProtocolSpecificationIT {

    private static final Path FOLDER = Path.of(System.getProperty("specification.folder"));
    private static final Path WORK = Path.of(System.getProperty("specification.work"));
    private static final SpecificationText TEXT = new SpecificationText(FOLDER);
    private static final Map<String, String> STATED = TEXT.stated();

    private final ModelChecker checker = new ModelChecker(FOLDER, WORK);

    @ParameterizedTest(name = "{0}")
    @MethodSource("sound")
    void whenAllRulesAreKeptThenEveryPropertyHoldsInEveryState(String configuration) throws InterruptedException {
        Verdict verdict = checker.check(configuration);

        verdict.assertHolds();
        assertThat(verdict.exploredStates())
                .as("states of %s as specification.md has them", configuration)
                .isEqualTo(Long.parseLong(stated(configuration).replace(",", "")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void whenARuleIsLeftOutThenAPropertyIsViolated(String configuration) throws InterruptedException {
        checker.check(configuration).assertViolates(stated(configuration));
    }

    @Test
    void whenARuleIsInTheModuleThenAConfigurationLeavesItOut() {
        assertThat(TEXT.rules()).isNotEmpty().isEqualTo(TEXT.rulesLeftOut());
    }

    @Test
    void whenAConfigurationExistsThenThePageHasItsResult() {
        assertThat(TEXT.configurations()).isNotEmpty().isEqualTo(STATED.keySet());
    }

    static List<String> sound() {
        return STATED.keySet().stream()
                .filter(configuration -> !isBroken(configuration))
                .toList();
    }

    static List<String> broken() {
        return STATED.keySet().stream()
                .filter(ProtocolSpecificationIT::isBroken)
                .toList();
    }

    private static boolean isBroken(String configuration) {
        return configuration.startsWith("broken/");
    }

    private static String stated(String configuration) {
        return STATED.getOrDefault(configuration, "");
    }
}
