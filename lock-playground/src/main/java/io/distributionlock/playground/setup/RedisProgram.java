package io.distributionlock.playground.setup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/** The server program, an installed one or that of a jar, and how the playground runs it. */
final class RedisProgram {

    static final String LOG_FILE = "lock-playground-redis.log";

    private static final Logger LOG = LoggerFactory.getLogger(RedisProgram.class);

    private static final String OLD_ON_WINDOWS =
            "For Windows there is only Redis 5.0.14 here, older than the 6.2 that locks need, and without rights: whoever uses this"
                    + " machine may do anything with it. Run a newer one, in WSL or Docker, and set spring.data.redis.host.";

    private static final String INSTALLED = "redis-server";
    private static final int[] IN_THE_JAR = {6, 2, 11};
    private static final Pattern VERSION = Pattern.compile("v=(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})");

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
            if (isWindows()) {
                LOG.warn(OLD_ON_WINDOWS);
            }
            Optional<String> installed = isWindows() ? Optional.empty() : installed();
            if (installed.isPresent()) {
                run(installed.get(), host, port, home, log);
            } else {
                runTheOneInTheJar(host, port, home, log);
            }
            return log;
        } catch (IOException failed) {
            throw new UncheckedIOException("The embedded Redis cannot be started: " + remedy, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the embedded Redis was starting", interrupted);
        }
    }

    private static void runTheOneInTheJar(String host, int port, Path home, Path log)
            throws IOException, InterruptedException {
        Path unpacked = Files.createTempDirectory("lock-playground-redis");
        try {
            String executable = ExecutableProvider.newJarResourceProvider(unpacked.toFile())
                    .get()
                    .getAbsolutePath();
            run(executable, host, port, home, log);
        } finally {
            // A running program no longer needs its file (except on Windows, which refuses to delete it).
            FileSystemUtils.deleteRecursively(unpacked.toFile());
        }
    }

    private static void run(String executable, String host, int port, Path home, Path log)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(executable, host, port, home))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process.getOutputStream().close();
        if (!isWindows()) {
            process.waitFor();
        }
    }

    /** A server on the path, if it is newer than the one in the jar, and so has fewer known holes. */
    private static Optional<String> installed() throws InterruptedException {
        try {
            Process process = new ProcessBuilder(INSTALLED, "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 && isNewerThanInTheJar(version) ? Optional.of(INSTALLED) : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** @param version such as "Redis server v=7.2.11 sha=…" */
    static boolean isNewerThanInTheJar(String version) {
        Matcher found = VERSION.matcher(version);
        if (!found.find()) {
            return false;
        }
        int[] parts = IntStream.rangeClosed(1, 3)
                .map(part -> Integer.parseInt(found.group(part)))
                .toArray();
        return Arrays.compare(parts, IN_THE_JAR) > 0;
    }

    private static List<String> command(String executable, String host, int port, Path directory) {
        List<String> command = new ArrayList<>(List.of(executable, "--bind", host, "--port", String.valueOf(port)));
        command.addAll(
                List.of("--dir", directory.toString(), "--pidfile", EmbeddedRedis.PID_FILE, "--logfile", LOG_FILE));
        // Nothing is stored on disk, and memory is limited.
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of("--maxmemory", "64mb", "--maxmemory-policy", "noeviction"));
        // Other users of this machine can connect, and take and free locks by commands and scripts. No command lets
        // them write files, change settings, or make it connect somewhere; but the server of the jar has holes in
        // its scripts (CVE-2025-49844), and that for Windows knows no rights.
        String rights = "--user default on nopass ~* &* +@all -@dangerous -@admin"
                + " +info +config|get +client|setname +client|list +shutdown";
        command.addAll(isWindows() ? List.of() : List.of(rights.split(" ")));
        // Detached, it does not receive the Ctrl+C that stops the instance which started it.
        command.addAll(List.of("--daemonize", isWindows() ? "no" : "yes"));
        return command;
    }

    private static boolean isWindows() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    }
}
