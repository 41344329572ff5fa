package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on a free port of this machine, without persistence, that can be killed, paused and started again empty on
 * the same port. The test that starts one closes it; what a test leaves behind ends with the virtual machine.
 */
public final class RedisProcess implements AutoCloseable {

    private static final int PORTS_TO_TRY = 10;
    private static final Duration MAX_START = Duration.ofSeconds(20);
    private static final Duration MAX_STOP = Duration.ofSeconds(10);

    private static final Pattern OPTIONAL = Pattern.compile("object, (client|delex|delifeq)");

    private static final Set<Process> running = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> running.forEach(Process::destroyForcibly)));
    }

    private final Path binary;
    private final List<String> options;
    private final Path output;
    private int port;
    private @Nullable Process process;

    private RedisProcess(Path binary, List<String> options) throws IOException {
        this.binary = binary;
        this.options = options;
        this.output = Files.createTempFile("redis-server", ".log");
        output.toFile().deleteOnExit();
    }

    /** Starts the given server, which is the embedded one unless another is named. */
    public static RedisProcess start() {
        return start(RedisBinary.GIVEN);
    }

    /**
     * Starts a server; returns when it answers.
     *
     * @param options further command line options, such as {@code "--requirepass", "secret"}
     */
    public static RedisProcess start(RedisBinary binary, String... options) {
        try {
            RedisProcess redis = new RedisProcess(binary.locate(), List.of(options));
            redis.startOnAFreePort();
            return redis;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a Sentinel.
     *
     * @param configuration what it watches; the Sentinel writes into this file what it learns
     */
    static RedisProcess startSentinel(RedisBinary binary, Path configuration) {
        return start(binary, configuration.toString(), "--sentinel");
    }

    private void startOnAFreePort() throws IOException {
        for (int attempt = 0; attempt < PORTS_TO_TRY; attempt++) {
            port = FreePorts.next();
            // Another program may take the port before the server does.
            if (tryStart()) {
                return;
            }
        }
        throw new IllegalStateException("No redis-server could be started. It said: " + Files.readString(output));
    }

    private boolean tryStart() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                binary.toString(),
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no"));
        if (!options.isEmpty() && !options.get(0).startsWith("--")) {
            // A configuration file comes before everything else.
            command.add(1, options.get(0));
            command.addAll(options.subList(1, options.size()));
        } else {
            command.addAll(options);
        }
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        running.add(started);
        process = started;
        long deadline = System.nanoTime() + MAX_START.toNanos();
        while (started.isAlive() && System.nanoTime() < deadline) {
            if (isOurs(started)) {
                return true;
            }
            pauseBriefly();
        }
        end(started);
        return false;
    }

    /** Whether the server at the port is the one that was started, and not one that had the port before. */
    private boolean isOurs(Process started) {
        try (RespClient client = new RespClient(port)) {
            Object info;
            try {
                info = client.command("INFO", "server");
            } catch (IllegalStateException asksForPassword) {
                return started.isAlive();
            }
            return String.valueOf(info).contains("process_id:" + started.pid() + "\r\n");
        } catch (IOException | UncheckedIOException notYet) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    public long pid() {
        return running().pid();
    }

    /** Sends one command over a connection of its own; see {@link RespClient#command}. */
    public @Nullable Object command(String... words) {
        try (RespClient client = new RespClient(port)) {
            return client.command(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What the rights of users have refused, apart from CLIENT SETINFO, by which clients introduce themselves, and from what not every
     * server has and locks only try.
     */
    public List<?> refusals() {
        return command("ACL", "LOG") instanceof List<?> log
                ? log.stream()
                        .filter(entry ->
                                !OPTIONAL.matcher(String.valueOf(entry)).find())
                        .toList()
                : List.of();
    }

    /** The version that the server says it has. */
    public String version() {
        return info("server", "redis_version");
    }

    /** The command by which this server compares and deletes, if it has one; in lower case. */
    public Optional<String> compareAndDelete() {
        return Stream.of("delex", "delifeq")
                .filter(name -> command("COMMAND", "INFO", name) instanceof List<?> known && known.get(0) != null)
                .findFirst();
    }

    /** How often a command was called, by clients and by scripts; since the start or the last {@link #resetCalls()}. */
    public long calls(String command) {
        String all = String.valueOf(command("INFO", "commandstats"));
        String start = "cmdstat_" + command + ":calls=";
        return all.lines()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.substring(start.length(), line.indexOf(','))))
                .sum();
    }

    /** How many commands were called, by clients and by scripts, but for INFO and CONFIG; counted as {@link #calls(String)} is. */
    public long calls() {
        String all = String.valueOf(command("INFO", "commandstats"));
        return all.lines()
                .filter(line -> line.startsWith("cmdstat_")
                        && !line.startsWith("cmdstat_info")
                        && !line.startsWith("cmdstat_config"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf("calls=") + "calls=".length(), line.indexOf(','))))
                .sum();
    }

    /** Starts {@link #calls(String)} again from 0. */
    public void resetCalls() {
        command("CONFIG", "RESETSTAT");
    }

    /** One field of INFO. */
    public String info(String section, String field) {
        String all = String.valueOf(command("INFO", section));
        return all.lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("INFO " + section + " has no " + field));
    }

    /** Whether it was started and has not ended since. */
    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Ends the server in an orderly way, if it runs. */
    public void stop() {
        end(process);
    }

    /** Ends the server at once, as by kill -9. */
    public void kill() {
        Process killed = running();
        killed.destroyForcibly();
        awaitEnd(killed);
    }

    /** Starts the server again on the same port; it knows nothing of before. */
    public void startAgain() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("The server at port " + port + " runs already");
        }
        long deadline = System.nanoTime() + MAX_START.toNanos();
        try {
            while (!tryStart()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("No redis-server could be started again at port " + port
                            + ". It said: " + Files.readString(output));
                }
                pauseBriefly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the server's clockwork: connections stay open, nothing is answered. */
    public void pause() {
        signal("-STOP", running());
    }

    /** Lets a paused server go on. */
    public void resume() {
        signal("-CONT", running());
    }

    /** Sends a signal to a process, such as {@code -STOP}. */
    public static void signal(String signal, Process process) {
        try {
            Process kill = new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill " + signal + " " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Process running() {
        Process current = process;
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException("The server at port " + port + " does not run");
        }
        return current;
    }

    private static void end(@Nullable Process ending) {
        if (ending == null) {
            return;
        }
        ending.destroy();
        try {
            if (!ending.waitFor(MAX_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                ending.destroyForcibly();
            }
        } catch (InterruptedException e) {
            ending.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        awaitEnd(ending);
    }

    private static void awaitEnd(Process ending) {
        ending.onExit().join();
        running.remove(ending);
    }

    private static void pauseBriefly() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a redis-server started", e);
        }
    }

    /** Ends the server however it is, paused or dead; may be called again. */
    @Override
    public void close() {
        Process last = process;
        if (last != null && last.isAlive()) {
            last.destroyForcibly();
            awaitEnd(last);
        }
        try {
            Files.deleteIfExists(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "redis-server " + Objects.requireNonNull(binary.getFileName()) + " at port " + port;
    }
}
