package io.distributionlock.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/**
 * Runs TLC, TLA+'s model checker, in a separate process, because it keeps its state in static fields, needs its own heap, and must
 * be stopped if it takes too long.
 */
final class ModelChecker {

    /** Many times what the largest configuration takes on two idle cores. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private static final String MODULE = "LockProtocol.tla";

    private final Path specification;
    private final Path work;

    /**
     * @param specification the folder of the module and its configurations
     * @param work where the runs leave their files
     */
    ModelChecker(Path specification, Path work) {
        this.specification = specification;
        this.work = work;
    }

    /**
     * Checks the module with one configuration. Blocks until TLC ends.
     *
     * @param configuration the path of the configuration within the folder of the specification
     */
    Verdict check(String configuration) throws InterruptedException {
        try {
            Path run = emptyFolder(configuration.replace('/', '-').replace(".cfg", ""));
            // TLC finds its input only beside the module, and leaves its own files there.
            Files.copy(specification.resolve(MODULE), run.resolve(MODULE));
            Files.copy(specification.resolve(configuration), run.resolve("run.cfg"));
            Path output = run.resolve("output.txt");
            Process process = new ProcessBuilder(command(run))
                    .directory(run.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError("TLC has not ended after " + PATIENCE + "; its output: " + output);
                }
                return new Verdict(process.exitValue(), Files.readString(output));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("TLC could not be run on " + configuration, e);
        }
    }

    private static List<String> command(Path run) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-Xmx2g",
                "-Djava.io.tmpdir=" + run,
                "-cp",
                tlcJar().toString(),
                TLC.class.getName(),
                "-workers",
                "2",
                "-cleanup",
                "-difftrace",
                "-metadir",
                run.resolve("states").toString(),
                "-config",
                "run.cfg",
                MODULE);
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
