package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.autoconfigure.LockIntegrationAutoConfiguration;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/**
 * Every block of Java in the documentation compiles, and an application starts with the classes and members that it declares,
 * so that the check of declarations finds nothing wrong with them. Those with {@code <!-- run -->} before them run: classes and
 * members as beans of one application per page, with locks in memory, and statements in their order. What a line prints is what
 * the comment behind it says. The pages may name an executor "payments", listen to all events
 * and use a database.
 */
class SnippetTest {

    @TempDir
    Path output;

    /** A page in two languages makes the same tables. */
    @BeforeEach
    void emptyTheDatabase() {
        Examples.jdbc.execute("DROP ALL OBJECTS");
    }

    static List<Page> pagesWithJava() {
        return Page.all().stream().filter(page -> !Snippet.on(page).isEmpty()).toList();
    }

    @ParameterizedTest
    @MethodSource("pagesWithJava")
    void everySnippetCompilesAndRuns(Page page) {
        SnippetCompiler.Compiled compiled = new SnippetCompiler(output).compile(page.path(), Snippet.on(page));
        assertThat(compiled.problems()).isEmpty();
        run(compiled);
    }

    private static void run(SnippetCompiler.Compiled compiled) {
        compiled.otherBeans()
                .forEach((snippet, beans) -> application(beans, compiled)
                        .run(context -> assertThat(context)
                                .as("an application with " + snippet)
                                .hasNotFailed()));
        application(compiled.beans(), compiled).run(context -> {
            assertThat(context).hasNotFailed();
            for (Map.Entry<Snippet, String> statements : compiled.statements().entrySet()) {
                Class<?> type = load(statements.getValue(), compiled.classes());
                assertThat(linesPrintedBy(type, context))
                        .as("what " + statements.getKey() + " prints")
                        .containsSubsequence(statements.getKey().printed());
            }
        });
    }

    /** An application with these classes of snippets, and with locks in memory. */
    static ApplicationContextRunner application(List<String> beans, SnippetCompiler.Compiled compiled) {
        Class<?>[] types =
                beans.stream().map(name -> load(name, compiled.classes())).toArray(Class<?>[]::new);
        return LockContextRunner.local(types)
                .withClassLoader(compiled.classes())
                .withConfiguration(AutoConfigurations.of(
                        LockIntegrationAutoConfiguration.class, TransactionAutoConfiguration.class))
                .withBean("payments", LocalLockExecutor.class, LocalLockExecutor::new, LockContextRunner::byNameOnly)
                .withPropertyValues("distribution-lock.events.enabled=true")
                .withBean(DataSourceTransactionManager.class, Examples.jdbc.getDataSource())
                .withBean(Examples.Tenant.class, () -> new Examples.Tenant("tenant"));
    }

    static Class<?> load(String name, ClassLoader classes) {
        try {
            return Class.forName(name, true, classes);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> linesPrintedBy(Class<?> statements, ApplicationContext context) throws Throwable {
        Object instance = context.getAutowireCapableBeanFactory().createBean(statements);
        Method run = statements.getDeclaredMethod("run");
        run.setAccessible(true);
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            run.invoke(instance);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void theReadmeShowsJavaThatRuns() {
        List<Snippet> snippets = Snippet.on(Page.of("README.md"));
        assertThat(snippets).hasSizeGreaterThan(1).allMatch(Snippet::run);
    }

    @Test
    void aSnippetThatDoesNotCompileIsNamedByPageAndLine() {
        Page page = new Page(
                "wrong.md", List.of("# Wrong", "   ```java", "   String s = \"\";", "   s.shout();", "   ```", "text"));
        SnippetCompiler.Compiled compiled = new SnippetCompiler(output).compile(page.path(), Snippet.on(page));
        assertThat(compiled.problems()).singleElement().asString().startsWith("wrong.md:4: ");
    }

    @Test
    void aDeclarationThatIsWrongIsFound() {
        List<String> code =
                List.of("```java", "@DistributionLock(key = \"#{#nobody}\")", "public void m() { … }", "```");
        SnippetCompiler.Compiled compiled =
                new SnippetCompiler(output).compile("wrong.md", Snippet.on(new Page("wrong.md", code)));
        assertThat(compiled.problems()).isEmpty();
        assertThatThrownBy(() -> run(compiled))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("wrong.md:2")
                .hasStackTraceContaining("#nobody");
    }
}
