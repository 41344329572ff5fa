package io.distributionlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The protocols hold in every state that its configurations reach, and no rule is superfluous. */
class ProtocolSpecificationIT {

    private static final Specification SPECIFICATION =
            new Specification(Path.of(System.getProperty("specification.folder")));

    private static final Path WORK = Path.of(System.getProperty("specification.work"));

    /** What the page of the specification tells in sum. */
    private static final List<String> RESULTS =
            new ArrayList<>(List.of("module,configuration,finding,states,depth,seconds"));

    private final ModelChecker checker = new ModelChecker(WORK);

    @AfterAll
    static void leaveTheResults() throws IOException {
        Files.write(Files.createDirectories(WORK).resolve("results.csv"), RESULTS);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sound")
    void whenAllRulesAreKeptThenEveryPropertyHoldsInEveryState(Configuration configuration)
            throws InterruptedException {
        Verdict verdict = check(configuration);

        verdict.assertHolds();
        assertThat(verdict.exploredStates()).as("states of %s", configuration).isEqualTo(configuration.states());
        tell(configuration, verdict, "holds", String.valueOf(verdict.exploredStates()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void whenARuleIsLeftOutThenAPropertyIsViolated(Configuration configuration) throws InterruptedException {
        Verdict verdict = check(configuration);

        verdict.assertViolates(configuration.finding());
        tell(configuration, verdict, configuration.finding(), "");
    }

    private static void tell(Configuration configuration, Verdict verdict, String finding, String states) {
        RESULTS.add(String.join(
                ",",
                configuration.module(),
                configuration.name(),
                finding,
                states,
                String.valueOf(verdict.depth()),
                String.format(Locale.ROOT, "%.1f", verdict.seconds())));
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
