package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Path source = Files.writeString(folder.resolve("Bare.java"), """
                public class Bare {
                    @io.distributionlock.annotation.DistributionLock(key = "order:#{#code}")
                    public void work(String code) {}
                }
                """);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String[] arguments = {"-proc:none", "-classpath", classPath, "-d", folder.toString(), source.toString()};
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments))
                .isZero();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            LockContextRunner.with(new ScriptedLockExecutor(), loader.loadClass("Bare"))
                    .withClassLoader(loader)
                    .run(context -> assertThat(context)
                            .hasFailed()
                            .getFailure()
                            .isInstanceOf(InvalidLockDefinitionException.class)
                            .hasMessageContaining("Bare")
                            .hasMessageContaining("-parameters"));
        }
    }
}
