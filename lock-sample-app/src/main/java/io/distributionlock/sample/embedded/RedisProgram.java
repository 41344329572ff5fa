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

/** The server program, which comes in a jar, and how the sample runs it. */
final class RedisProgram {

    static final String LOG_FILE = "lock-sample-redis.log";

    private RedisProgram() {}

    /**
     * Starts a server without waiting for it. One at a time: a program cannot run while it is open for writing, and a
     * process that another thread starts during the unpacking would inherit the open file.
     *
     * @param directory the directory of its files; created if it does not exist
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
                if (!isWindows()) {
                    process.waitFor();
                }
            } finally {
                // A running program no longer needs its file (except on Windows, which refuses to delete it).
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
        command.addAll(
                List.of("--dir", directory.toString(), "--pidfile", EmbeddedRedis.PID_FILE, "--logfile", LOG_FILE));
        // Nothing is stored on disk, and memory is limited.
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of("--maxmemory", "64mb", "--maxmemory-policy", "noeviction"));
        // Other users of this machine can connect, but not make it run code or write files. (Windows has an older
        // program.)
        String rights =
                "--user default on nopass ~* &* +@all -acl -config +config|get -debug -module -replicaof -slaveof";
        command.addAll(isWindows() ? List.of() : List.of(rights.split(" ")));
        // Detached, it does not receive the Ctrl+C that stops the instance which started it.
        command.addAll(List.of("--daemonize", isWindows() ? "no" : "yes"));
        return command;
    }

    private static boolean isWindows() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    }
}
