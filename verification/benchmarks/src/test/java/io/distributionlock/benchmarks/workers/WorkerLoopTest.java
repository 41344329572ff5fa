package io.distributionlock.benchmarks.workers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerLoopTest {

    @Test
    void answersEachLine() throws Exception {
        assertThat(answersTo("open echo threads=2", "step again value=5"))
                .containsExactly("ready", "ok ", "ok kind=echo threads=2 step=again value=5");
    }

    @Test
    void saysInOneLineWhyAStepFailed() throws Exception {
        assertThat(answersTo("open echo threads=2", "step fail x=1", "step again value=5"))
                .hasSize(4)
                .element(2)
                .asString()
                .startsWith("failed ")
                .contains("two lines");
    }

    @Test
    void needsAnOpenJob() throws Exception {
        assertThat(answersTo("step again value=5").get(1)).contains("no job is open");
    }

    private static List<String> answersTo(String... lines) throws Exception {
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        BufferedReader requests = new BufferedReader(new StringReader(String.join("\n", lines)));
        new WorkerLoop(requests, new PrintStream(answers, true, StandardCharsets.UTF_8), WorkerLoopTest::echo).run();
        return answers.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Job echo(String kind, Fields opened) {
        return (step, fields) -> {
            if (step.equals("fail")) {
                throw new IllegalStateException("two\nlines");
            }
            return Fields.none()
                    .with("kind", kind)
                    .with("threads", opened.number("threads"))
                    .with("step", step)
                    .with("value", fields.number("value"));
        };
    }
}
