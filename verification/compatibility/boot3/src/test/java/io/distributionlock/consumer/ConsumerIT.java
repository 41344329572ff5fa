package io.distributionlock.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.RedisProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The application, run from its jar as in production, locks in a real Redis. Each line of Spring Boot runs this test. */
@Tag("application")
class ConsumerIT {

    private static final Path JAR = Path.of(System.getProperty("application.jar"));
    private static final String SPRING_BOOT = System.getProperty("application.spring-boot");
    private static final String CLIENT = System.getProperty("application.client");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheStarterBringsIsEnoughToLock(boolean aheadOfTime) throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            List<String> printed = run(
                    "-Dspring.aot.enabled=" + aheadOfTime,
                    "-Dspring.data.redis.port=" + redis.port(),
                    // On a busy machine the first command takes its time.
                    "-Ddistribution-lock.redis.command-timeout=30s");
            assertThat(printed)
                    .contains(
                            "[boot] " + SPRING_BOOT,
                            "[client] " + CLIENT,
                            "[aot] " + aheadOfTime,
                            "[proxied] true",
                            "[owned while it runs] true",
                            "[owned afterwards] false",
                            "[second caller] BUSY",
                            "[fallback] later: change:A1001",
                            "[mapper] mapped BUSY",
                            "[job] skipped",
                            "[by hand] entered again",
                            "[fenced] true");
        }
    }

    @Test
    void aNativeImageIsToldOfTheScriptsAndOfWhatNamesALock() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            StringBuilder metadata = new StringBuilder();
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().matches("META-INF/native-image/.*\\.json")) {
                    metadata.append(new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
                }
            }
            // One line of Spring writes a pattern, the other a glob, and one of them writes slashes as "\/".
            assertThat(metadata.toString().replace("\\", ""))
                    .containsPattern("io/distributionlock/redis/.*lua")
                    .contains("io.distributionlock.consumer.StatusChange");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "distribution-lock.executor=local, distribution-lock.executor",
        "distribution-lock.leader.elections=outbox, distribution-lock.leader.elections",
        "distribution-lock.redis.check-on-start=on, distribution-lock.redis.check-on-start",
    })
    void whatWasFixedAheadOfTimeCannotBeOtherwiseAtRunTime(String setting, String property) throws Exception {
        String printed = start(1, "-Dspring.aot.enabled=true", "-D" + setting);
        assertThat(printed).contains("processed ahead of time with other values of [" + property + "]");
    }

    private List<String> run(String... settings) throws IOException, InterruptedException {
        return start(0, settings).lines().toList();
    }

    /** @param exitValue with which it has to end */
    private String start(int exitValue, String... settings) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(Arrays.asList(settings));
        command.addAll(List.of("-jar", JAR.toString()));
        Process application = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = application.waitFor(300, TimeUnit.SECONDS);
            String printed = Files.readString(output);
            assertThat(ended).as("It did not end. It printed:%n%s", printed).isTrue();
            assertThat(application.exitValue()).as(printed).isEqualTo(exitValue);
            return printed;
        } finally {
            application.destroyForcibly();
        }
    }
}
