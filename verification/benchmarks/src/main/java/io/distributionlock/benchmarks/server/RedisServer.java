package io.distributionlock.benchmarks.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A Redis of the benchmarks' own on a free port of this machine, which keeps nothing on disk. */
public final class RedisServer implements AutoCloseable {

    /** Names the Redis that comes with embedded-redis. */
    public static final String EMBEDDED = "embedded";

    private static final String HOST = "127.0.0.1";
    private static final Duration START = Duration.ofSeconds(15);

    private final Process process;
    private final int port;

    private RedisServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts a server; returns when it answers.
     *
     * @param program a path, {@link #EMBEDDED}, or empty for the installed one, and the embedded one if none is installed
     * @param folder where its log goes
     */
    public static RedisServer start(String program, Path folder) {
        int port = freePort();
        try {
            Process process = new ProcessBuilder(List.of(
                            locate(program, folder),
                            "--bind",
                            HOST,
                            "--port",
                            String.valueOf(port),
                            "--dir",
                            folder.toString(),
                            "--save",
                            "",
                            "--appendonly",
                            "no"))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("redis.log").toFile())
                    .start();
            RedisServer server = new RedisServer(process, port);
            server.awaitAnswer();
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException("Redis cannot be started; name another one with --redis <path>", failed);
        }
    }

    public int port() {
        return port;
    }

    private void awaitAnswer() {
        RedisClient client = RedisClient.create(RedisURI.create(HOST, port));
        long begin = System.nanoTime();
        try {
            while (true) {
                try (StatefulRedisConnection<String, String> connection = client.connect()) {
                    connection.sync().ping();
                    return;
                } catch (RedisConnectionException notYet) {
                    if (!process.isAlive() || System.nanoTime() - begin > START.toNanos()) {
                        close();
                        throw new IllegalStateException("Redis did not answer within " + START.toSeconds() + " s");
                    }
                    pause();
                }
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while Redis was starting", interrupted);
        }
    }

    private static String locate(String program, Path folder) throws IOException {
        if (program.isEmpty()) {
            Optional<Path> installed = installed();
            if (installed.isPresent()) {
                return installed.get().toString();
            }
        } else if (!program.equals(EMBEDDED)) {
            return program;
        }
        Path unpacked = Files.createDirectories(folder.resolve("embedded-redis"));
        return ExecutableProvider.newJarResourceProvider(unpacked.toFile())
                .get()
                .getAbsolutePath();
    }

    private static Optional<Path> installed() {
        String path = System.getenv("PATH");
        return Arrays.stream((path == null ? "" : path).split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
