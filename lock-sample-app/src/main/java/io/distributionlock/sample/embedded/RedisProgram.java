package io.distributionlock.sample.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/** The server's program, which comes in a jar, and how the sample runs it. */
final class RedisProgram {

    /** By this file in its directory a server is known to be the sample's own. It holds the number of the process. */
    static final String PID_FILE = "lock-sample-redis.pid";

    private static final String LOG_FILE = "lock-sample-redis.log";

    private RedisProgram() {}

    /**
     * Starts a server, and does not wait for it. One at a time: a program cannot be run while it is open for writing, as it would be in
     * the child that another thread starts while this one unpacks.
     *
     * @param directory where it writes its files; made if it is not there
     * @param remedy what to do if it cannot be started
     * @return its log
     */
    static synchronized Path start(String host, int port, Path directory, String remedy) {
        try {
            Path home = Files.createDirectories(directory).toAbsolutePath().normalize();
            Path log = home.resolve(LOG_FILE);
            Path unpacked = Files.createTempDirectory("lock-sample-redis");
            try {
                String executable = ExecutableProvider.newJarResourceProvider(unpacked.toFile())
                        .get()
                        .getAbsolutePath();
                Process process = new ProcessBuilder(command(executable, host, port, home))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
                process.getOutputStream().close();
                if (isDetached()) {
                    process.waitFor();
                }
            } finally {
                // A running program needs its file no more (except on Windows, which refuses, and keeps it).
                FileSystemUtils.deleteRecursively(unpacked.toFile());
            }
            return log;
        } catch (IOException failed) {
            throw new UncheckedIOException("The embedded Redis cannot be started: " + remedy, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the embedded Redis was starting", interrupted);
        }
    }

    private static List<String> command(String executable, String host, int port, Path directory) {
        List<String> command = new ArrayList<>(List.of(executable, "--bind", host, "--port", String.valueOf(port)));
        command.addAll(List.of("--dir", directory.toString(), "--pidfile", PID_FILE, "--logfile", LOG_FILE));
        // Nothing is kept on disk, and memory has a bound.
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of("--maxmemory", "64mb", "--maxmemory-policy", "noeviction"));
        // Detached, it does not hear the Ctrl+C that ends the instance which happened to start it.
        command.addAll(List.of("--daemonize", isDetached() ? "yes" : "no"));
        return command;
    }

    private static boolean isDetached() {
        return !System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    }
}
