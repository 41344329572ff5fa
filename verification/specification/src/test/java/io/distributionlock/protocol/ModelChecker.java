package io.distributionlock.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/**
 * Runs TLC, TLA+'s model checker, in a separate process, because it keeps its state in static fields, needs its own heap, and must
 * be stopped if it takes too long.
 */
final class ModelChecker {

    /** Many times what the largest configuration takes on two idle cores. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private static final String CONFIGURATION = "run.cfg";

    private final Path work;

    /** @param work where the runs leave their files */
    ModelChecker(Path work) {
        this.work = work;
    }

    /**
     * Checks a module. Blocks until TLC ends.
     *
     * @param run names the folder of the run
     * @param module the file of the module to check
     * @param modules the text of each file of a module that TLC reads
     */
    Verdict check(String run, String module, String configuration, Map<String, String> modules)
            throws InterruptedException {
        try {
            Path folder = emptyFolder(run);
            Files.writeString(folder.resolve(CONFIGURATION), configuration);
            for (Map.Entry<String, String> file : modules.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
            Path output = folder.resolve("output.txt");
            long begin = System.nanoTime();
            Process process = new ProcessBuilder(command(folder, module))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError("TLC has not ended after " + PATIENCE + "; its output: " + output);
                }
                return new Verdict(process.exitValue(), Files.readString(output), (System.nanoTime() - begin) / 1e9);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("TLC could not be run on " + run, e);
        }
    }

    private static List<String> command(Path run, String module) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-Xmx2g",
                // Evaluates functions that call themselves a hundred times.
                "-Xss16m",
                "-Djava.io.tmpdir=" + run,
                "-cp",
                tlcJar().toString(),
                TLC.class.getName(),
                "-workers",
                "auto",
                "-cleanup",
                "-difftrace",
                "-metadir",
                run.resolve("states").toString(),
                "-config",
                CONFIGURATION,
                module);
    }

    private static Path tlcJar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The jar of TLC has no path", e);
        }
    }

    private Path emptyFolder(String name) throws IOException {
        Path run = work.resolve(name);
        if (Files.exists(run)) {
            try (var files = Files.walk(run)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(run);
    }
}
