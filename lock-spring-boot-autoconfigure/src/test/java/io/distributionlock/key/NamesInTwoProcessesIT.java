package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Equal values have one name in two processes that differ in all that a text may depend on, and different values have different names,
 * whatever their types. The seed is printed; {@code -Dnames.seed} repeats it.
 */
class NamesInTwoProcessesIT {

    private static final List<String> HERE = List.of(
            "-Duser.timezone=Asia/Shanghai",
            "-Duser.language=tr",
            "-Duser.country=TR",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:hashCode=0");
    private static final List<String> THERE = List.of(
            "-Duser.timezone=America/New_York",
            "-Duser.language=ar",
            "-Duser.country=EG",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:hashCode=3");

    @TempDir
    Path folder;

    @Test
    void equalValuesHaveEqualNamesAndDifferentOnesDifferentNames() throws Exception {
        long seed = Long.getLong("names.seed", ThreadLocalRandom.current().nextInt(1_000_000));
        System.out.println("names.seed=" + seed);
        compile(GeneratedTypes.source(seed));
        List<Process> processes = new ArrayList<>();
        try {
            processes.add(start("here", HERE, seed, false));
            processes.add(start("there", THERE, seed, true));
            for (Process process : processes) {
                assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
        List<String> here = lines("here");
        assertThat(here).as("seed " + seed).endsWith("end").hasSizeGreaterThan(1_000);
        assertThat(lines("there")).as("seed " + seed).containsExactlyElementsOf(here);
        assertThat(here).as("seed " + seed).noneMatch(line -> line.startsWith("WRONG"));
        assertThat(here).anyMatch(line -> line.endsWith(" starts")).anyMatch(line -> line.endsWith(" refused"));
    }

    private void compile(String source) throws Exception {
        Path file = Files.writeString(folder.resolve("Generated.java"), source);
        ByteArrayOutputStream problems = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        problems,
                        "-proc:none",
                        "-parameters",
                        "-d",
                        folder.toString(),
                        "-cp",
                        classPath(),
                        file.toString());
        assertThat(code).as(problems.toString(StandardCharsets.UTF_8)).isZero();
    }

    private Process start(String name, List<String> settings, long seed, boolean other) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(settings);
        command.addAll(List.of(
                "-cp",
                folder + File.pathSeparator + classPath(),
                NamesOfGeneratedValues.class.getName(),
                String.valueOf(seed),
                String.valueOf(other)));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve(name).toFile())
                .redirectError(folder.resolve(name + ".err").toFile())
                .start();
    }

    /** The launcher of the tests may have loaded them by a class loader of its own. */
    private static String classPath() {
        return NamesInTwoProcessesIT.class.getClassLoader() instanceof URLClassLoader own
                ? Stream.of(own.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** What a process printed, without what the logging of a test prints. */
    private List<String> lines(String name) throws Exception {
        return Files.readAllLines(folder.resolve(name)).stream()
                .filter(line -> line.startsWith("Generated$") || line.startsWith("WRONG") || line.equals("end"))
                .toList();
    }
}
