package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.KotlinSource;
import io.distributionlock.testing.LockContextRunner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Kotlin on the page about Kotlin compiles, and what stands behind {@code <!-- run -->} runs in an application with the classes
 * above it and prints what its comments say.
 */
class KotlinPageTest {

    private static final Pattern BLOCK = Pattern.compile("(<!-- run -->\n)?```kotlin\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PRINTED = Pattern.compile("\\)\\s*// (.*)");

    /** What the page says about locking by hand holds whenever the coroutine is cancelled. */
    private static final String CANCELLED = """
            fun cancelled() = runBlocking {
                val request = lockTemplate.request("cancelled").build()
                repeat(500) { turn ->
                    val call = launch(Dispatchers.Default) { lockTemplate.withLock(request) { yield() } }
                    repeat(turn % 50) { yield() }
                    call.cancelAndJoin()
                }
                withTimeout(20_000) { while (lockTemplate.executor().isLocked("cancelled").await()) delay(5) }
            }
            """;

    private final List<String> imports = new ArrayList<>(
            List.of("import io.distributionlock.*", "import kotlinx.coroutines.*", "import kotlinx.coroutines.flow.*"));
    private final List<String> code = new ArrayList<>();
    private final List<String> printed = new ArrayList<>();

    @Test
    void itsExamplesRun(@TempDir Path folder) throws Exception {
        String page = String.join("\n", Page.of("docs/kotlin.md").lines());
        StringBuilder statements = new StringBuilder();
        BLOCK.matcher(page).results().forEach(block -> {
            boolean run = block.group(1) != null;
            if (run) {
                statements.append(block.group(2));
                PRINTED.matcher(block.group(2)).results().forEach(line -> printed.add(line.group(1)));
            } else {
                block.group(2).lines().forEach(line -> (line.startsWith("import ") ? imports : code).add(line));
            }
        });
        assertThat(printed).hasSize(6);
        String source = "package page\n\n" + String.join("\n", imports) + "\n" + String.join("\n", code)
                + "\nclass Statements(private val orderService: OrderService, private val lockTemplate: LockTemplate) {\n"
                + "fun run() = runBlocking {\n" + statements + "}\n" + CANCELLED + "}\n";
        try (URLClassLoader classes = KotlinSource.compile(source, folder)) {
            LockContextRunner.local(classes.loadClass("page.OrderService"))
                    .withClassLoader(classes)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        Object example = context.getAutowireCapableBeanFactory()
                                .createBean(classes.loadClass("page.Statements"));
                        assertThat(linesPrintedBy(example)).isEqualTo(printed);
                        example.getClass().getMethod("cancelled").invoke(example);
                    });
        }
    }

    private static List<String> linesPrintedBy(Object statements) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            statements.getClass().getMethod("run").invoke(statements);
        } finally {
            System.setOut(console);
        }
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
