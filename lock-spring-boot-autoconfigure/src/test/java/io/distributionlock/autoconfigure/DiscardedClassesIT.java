package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.RedisProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application whose class loader is discarded, as by a restart of Spring Boot's devtools, leaves nothing behind. */
@Timeout(240)
@Tag("long")
class DiscardedClassesIT {

    @TempDir
    Path folder;

    @Test
    void restartsInNewClassLoadersLeaveNothingBehind() throws Exception {
        Path output = folder.resolve("output.txt");
        try (RedisProcess redis = RedisProcess.start()) {
            Process program = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            // Or Spring's caches would keep classes until the memory is used up.
                            "-XX:SoftRefLRUPolicyMSPerMB=0",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            DiscardingProgram.class.getName(),
                            String.valueOf(redis.port()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                boolean ended = program.waitFor(200, TimeUnit.SECONDS);
                assertThat(Files.readString(output))
                        .as("It ended: %s", ended)
                        .contains("[locked] 3 times", "[threads] []", "[clients] 1")
                        // An application of Spring Boot with no bean at all leaves one of them.
                        .containsPattern("\\[class loaders left] [01]\\R");
            } finally {
                program.destroyForcibly();
            }
        }
    }
}
