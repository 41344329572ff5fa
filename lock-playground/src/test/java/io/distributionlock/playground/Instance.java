package io.distributionlock.playground;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One running playground application in a process of its own. Its output goes to {@code target/instances}. */
public final class Instance implements AutoCloseable {

    private static final Pattern STARTED_ON = Pattern.compile("Tomcat started on port (\\d+)");
    private static final String PORT = "server.port=";
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Path OUTPUT = Path.of("target", "instances");

    private final String name;
    private final Process process;
    private final Path output;
    private final Thread endWithTheTests;

    private Instance(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.endWithTheTests = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(endWithTheTests);
    }

    /** Starts an instance without waiting for it. Unless a port is given, it uses a free one. */
    public static Instance start(String name, String... properties) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PlaygroundApplication.class.getName()));
        command.add("--spring.profiles.active=dev");
        command.add("--playground.instance=" + name);
        for (String property : properties) {
            command.add("--" + property);
        }
        if (Arrays.stream(properties).noneMatch(property -> property.startsWith(PORT))) {
            command.add("--" + PORT + "0");
        }
        try {
            Files.createDirectories(OUTPUT);
            Path output = Files.createTempFile(OUTPUT, name + "-", ".log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            return new Instance(name, process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return name;
    }

    /** The port of the instance; waits until it has started. */
    public int port() {
        return await("start of " + this)
                .atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(this::portIfStarted, port -> port != null);
    }

    /** Waits until a change works. */
    public Instance warmUp() {
        int port = port();
        await("first change by " + this).atMost(START_LIMIT).until(() -> Answer.isFirstChangeDone(port));
        return this;
    }

    public Answer update(String orderCode, int userId, int status) {
        return Answer.toUpdate(port(), orderCode, userId, status);
    }

    public Answer orders() {
        return Answer.toOrders(port());
    }

    /** The processes that it has started, directly or indirectly. */
    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** Kills the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Asks the process to end, and waits until it has. */
    public void stop() {
        process.destroy();
        awaitEnd();
    }

    @Override
    public void close() {
        kill();
        Runtime.getRuntime().removeShutdownHook(endWithTheTests);
    }

    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "instance " + name + " (process " + process.pid() + ", output " + output + ")";
    }

    private @Nullable Integer portIfStarted() {
        Matcher started = STARTED_ON.matcher(output());
        if (started.find()) {
            return Integer.valueOf(started.group(1));
        }
        if (!process.isAlive()) {
            throw new AssertionError(this + " ended with " + process.exitValue() + ":\n" + output());
        }
        return null;
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(this + " did not end within 60 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
