package io.distributionlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the random drive has seen of the real scripts is what those of the specification do. */
class ScriptTraceIT {

    private static final String MODULE = "LockTrace.tla";
    private static final String PROTOCOL = "LockProtocol.tla";
    private static final String STEPS = "Steps.tla";
    private static final Path DRIVEN = Path.of(System.getProperty("specification.trace"));

    private static final String CONFIGURATION = """
            SPECIFICATION TraceSpec
            INVARIANTS SameReply SameMessages SameNumbers SameHolders SameQueue SameKey
            CHECK_DEADLOCK FALSE
            """;

    private final Specification specification = new Specification(Path.of(System.getProperty("specification.folder")));
    private final ModelChecker checker = new ModelChecker(Path.of(System.getProperty("specification.work")));

    @Test
    void whenTheRealScriptsAreDrivenThenTheSpecificationAllowsEachStep() throws Exception {
        assertThat(DRIVEN)
                .as("the trace of ./mvnw -pl lock-redis test -Dtest=ScriptsAndMemoryTest")
                .exists();

        assertAllowed("trace", Trace.of(Files.readAllLines(DRIVEN)));
    }

    @Test
    void whenTheScriptsAreRightThenTheSpecificationAllowsEachStep() throws Exception {
        assertAllowed("trace-right", Trace.of(example()));
    }

    @ParameterizedTest
    @MethodSource
    void whenAScriptIsWrongThenTheSpecificationDoesNotAllowTheStep(Trace.Wrong wrong) throws Exception {
        check("trace-wrong", wrong.trace()).assertViolates(wrong.property());
    }

    static List<Trace.Wrong> whenAScriptIsWrongThenTheSpecificationDoesNotAllowTheStep() throws Exception {
        return Trace.wrong(example());
    }

    private static List<String> example() throws IOException {
        return Files.readAllLines(Path.of("src", "test", "resources", "trace.txt"));
    }

    /** Each run starts with a state of its own, and each step leads to another. */
    private void assertAllowed(String name, Trace trace) throws InterruptedException {
        Verdict verdict = check(name, trace);
        System.out.println(
                trace.steps() + " steps; the first run: " + trace.runs().get(0).get(0));

        assertThat(trace.steps()).isPositive();
        verdict.assertHolds();
        assertThat(verdict.exploredStates())
                .isEqualTo(trace.steps() + trace.runs().size());
    }

    private Verdict check(String name, Trace trace) throws InterruptedException {
        return checker.check(
                name,
                MODULE,
                CONFIGURATION,
                Map.of(
                        MODULE,
                        specification.read(MODULE),
                        STEPS,
                        trace.module(),
                        PROTOCOL,
                        specification.read(PROTOCOL)));
    }
}
