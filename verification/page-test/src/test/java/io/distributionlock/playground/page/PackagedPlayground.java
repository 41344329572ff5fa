package io.distributionlock.playground.page;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packaged playground, run by {@code java -jar} with its own Redis and database. */
final class PackagedPlayground implements AutoCloseable {

    /**
     * Longer times, because processes may pause for a second or two on a busy machine: the change of an order takes long
     * enough to be seen, and waiters learn of the holder before their wait ends.
     */
    private static final List<String> PATIENCE = List.of(
            "--playground.order.work-time=10s",
            "--distribution-lock.locks.updateOrderStatus.try-lock-time=3s",
            "--distribution-lock.locks.flashSale.try-lock-time=50s",
            "--distribution-lock.locks.userAddress.try-lock-time=50s",
            "--distribution-lock.locks.catalogue.try-lock-time=50s",
            "--distribution-lock.locks.queue.try-lock-time=50s",
            "--distribution-lock.locks.invoice.try-lock-time=50s",
            "--distribution-lock.locks.stockImport.try-lock-time=50s",
            "--distribution-lock.locks.stockImport.lease-time=10s",
            "--playground.import.time=3s",
            "--distribution-lock.locks.lastItem.lease-time=5s",
            "--playground.freeze.pause=6s",
            // A busy machine must not end a term.
            "--distribution-lock.leader.lease-time=30s",
            "--distribution-lock.quorum.node-timeout=2s",
            "--distribution-lock.redis.command-timeout=20s",
            "--spring.data.redis.timeout=20s");

    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final long STOP_SECONDS = 60;

    private final int port;
    private final Process process;
    private final Path output;

    private PackagedPlayground(int port, Process process, Path output) {
        this.port = port;
        this.process = process;
        this.output = output;
    }

    /** Starts the playground and waits until it listens. */
    static PackagedPlayground start() {
        return start(PATIENCE);
    }

    /** The same with the times that the playground has as installed, but for leases that end soon when their holder is killed. */
    static PackagedPlayground startImpatient() {
        return start(List.of("--distribution-lock.defaults.lease-time=4s", "--playground.order.work-time=1500ms"));
    }

    private static PackagedPlayground start(List<String> arguments) {
        List<Integer> ports = freePorts(5);
        int port = ports.get(0);
        try {
            Path work = Files.createDirectories(Path.of(System.getProperty("playground.work")));
            Path data = Files.createTempDirectory(work, "data-").toAbsolutePath();
            Path output = data.resolve("instance.log");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:TieredStopAtLevel=1",
                    "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                    "-jar",
                    System.getProperty("playground.jar"),
                    "--spring.profiles.active=dev",
                    "--server.port=" + port,
                    "--playground.data-directory=" + data,
                    "--playground.embedded-redis.port=" + ports.get(1),
                    "--distribution-lock.quorum.nodes=" + nodesAt(ports.subList(2, 5))));
            command.addAll(arguments);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            PackagedPlayground playground = new PackagedPlayground(port, process, output);
            await("start of the playground").atMost(START_LIMIT).until(playground::isListening);
            return playground;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String root() {
        return "http://localhost:" + port + "/";
    }

    /** The page, as the last line of the start names it. */
    String address() {
        return root() + "api/";
    }

    /** The second instance, and the servers. */
    Stream<ProcessHandle> children() {
        return process.children();
    }

    /** Whether a second instance has ever finished its start. */
    boolean secondIsReady() {
        try (Stream<Path> files = Files.list(output.getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith("instance-"))
                    .anyMatch(log -> read(log).contains("Ready. Open "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long processId() {
        return process.pid();
    }

    /** Asks the playground to stop, and waits until it has. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("The playground did not end; its output is " + output);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private boolean isListening() {
        try {
            String text = Files.readString(output);
            if (!process.isAlive()) {
                throw new AssertionError("The playground ended with " + process.exitValue() + ":\n" + text);
            }
            return text.stripTrailing().endsWith("Ready. Open " + address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String nodesAt(List<Integer> ports) {
        return ports.stream().map(port -> "redis://127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** Below the range from which the system assigns ports, because the playground needs some seconds to occupy all of them. */
    private static List<Integer> freePorts(int count) {
        return ThreadLocalRandom.current()
                .ints(10_000, 21_000, 32_000)
                .distinct()
                .filter(PackagedPlayground::isFree)
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
