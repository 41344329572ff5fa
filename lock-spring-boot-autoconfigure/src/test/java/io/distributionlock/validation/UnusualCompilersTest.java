package io.distributionlock.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes as other compilers, or this one with other options, make them. */
@Tag("boot4")
class UnusualCompilersTest {

    @TempDir
    Path folder;

    @Test
    void aKeyThatNamesAParameterNeedsItsNameInTheClassFile() throws Exception {
        assertFailure(Map.of("bare/Service.java", """
                        package bare;
                        public class Service {
                            @io.distributionlock.annotation.DistributionLock(key = "order:#{#code}")
                            public void work(String code) {}
                        }
                        """), "bare.Service", "-parameters");
    }

    private void assertFailure(Map<String, String> sources, String className, String message) throws Exception {
        compileWithoutParameterNames(sources);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            LockContextRunner.with(new ScriptedLockExecutor(), loader.loadClass(className))
                    .withClassLoader(loader)
                    .run(context -> assertThat(context)
                            .hasFailed()
                            .getFailure()
                            .isInstanceOf(InvalidLockDefinitionException.class)
                            .hasMessageContaining(className)
                            .hasMessageContaining(message));
        }
    }

    private void compileWithoutParameterNames(Map<String, String> sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-classpath",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "-d",
                folder.toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            arguments.add(file.toString());
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).as("exit code of the compiler").isZero();
    }
}
