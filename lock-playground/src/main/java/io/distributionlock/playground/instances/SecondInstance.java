package io.distributionlock.playground.instances;

import io.distributionlock.playground.web.BusinessException;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * A second process of the same application, with the same arguments but another port. It joins the Redis and the
 * database of the first instance and ends with it.
 */
@Component
public class SecondInstance {

    /** The property with the process id of the instance that started this one. */
    static final String PARENT = "playground.started-by";

    private static final Logger LOG = LoggerFactory.getLogger(SecondInstance.class);
    private static final String PORT = "--server.port=";
    private static final String NAME = "--playground.instance=";
    private static final int PORTS = 20;
    private static final long STOP_SECONDS = 10;

    private final ApplicationArguments arguments;
    private final Environment environment;
    private final Instances instances;
    private @Nullable Started latest;
    private @Nullable FrozenProcess frozen;

    SecondInstance(ApplicationArguments arguments, Environment environment, Instances instances) {
        this.arguments = arguments;
        this.environment = environment;
        this.instances = instances;
    }

    /** What has become of it. */
    enum Phase {
        NONE,
        STARTING,
        RUNNING,
        /** Its process is stopped. */
        FROZEN,
        /** It ended without being killed; its log says why. */
        ENDED,
        KILLED
    }

    /**
     * The state of the latest second instance.
     *
     * @param name its name; empty if there is none
     * @param log its log; empty if there is none
     * @param seconds how long ago it was started
     */
    record State(Phase phase, String name, String log, long seconds) {}

    private record Started(Process process, String name, Path log, long at, boolean killed) {

        Started asKilled() {
            return new Started(process, name, log, at, true);
        }
    }

    /** Starts it unless it is already running; does not wait for it. */
    synchronized void start() {
        if (latest != null && latest.process().isAlive()) {
            return;
        }
        int port = freePort(environment.getProperty("local.server.port", Integer.class, 8080));
        Path log = Path.of(environment.getProperty("playground.data-directory", "./data"), "instance-" + port + ".log")
                .toAbsolutePath()
                .normalize();
        try {
            Files.createDirectories(log.getParent());
            ProcessBuilder builder =
                    new ProcessBuilder(command(port)).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
            Process process = builder.start();
            latest = new Started(process, nameAt(port), log, System.nanoTime(), false);
            process.getOutputStream().close();
        } catch (IOException failed) {
            throw new UncheckedIOException("A second instance cannot be started", failed);
        }
        LOG.info("Started a second instance on port {}, its log is {}", port, log);
    }

    synchronized State state() {
        Started second = latest;
        if (second == null) {
            return new State(Phase.NONE, "", "", 0);
        }
        long seconds = Duration.ofNanos(System.nanoTime() - second.at()).toSeconds();
        return new State(phase(second), second.name(), second.log().toString(), seconds);
    }

    private Phase phase(Started second) {
        if (second.killed()) {
            return Phase.KILLED;
        }
        if (!second.process().isAlive()) {
            return Phase.ENDED;
        }
        if (isFrozen(second.name())) {
            return Phase.FROZEN;
        }
        boolean isRegistered = instances.running().stream()
                .anyMatch(instance -> instance.name().equals(second.name()));
        return isRegistered ? Phase.RUNNING : Phase.STARTING;
    }

    /** Kills it as {@code kill -9} does. Returns its name once it has ended; empty if it was not running. */
    synchronized Optional<String> kill() throws InterruptedException {
        Started second = latest;
        if (second == null || !second.process().isAlive()) {
            return Optional.empty();
        }
        second.process().destroyForcibly().waitFor();
        latest = second.asKilled();
        instances.killed(second.name());
        LOG.info("Killed the second instance {}", second.name());
        return Optional.of(second.name());
    }

    /**
     * Stops it as {@code kill -STOP} does. It goes on when the result is closed, or when this instance ends.
     *
     * @throws BusinessException if it is not running, or this system cannot stop it
     */
    public synchronized AutoCloseable freeze() {
        Started second = latest;
        if (second == null || phase(second) != Phase.RUNNING) {
            throw new BusinessException(HttpStatus.CONFLICT, "instance.none-to-freeze");
        }
        FrozenProcess stopped = FrozenProcess.stop(second.process());
        frozen = stopped;
        LOG.info("Stopped the second instance {}", second.name());
        return stopped;
    }

    synchronized boolean isFrozen(String name) {
        return latest != null && latest.name().equals(name) && frozen != null && frozen.isStopped();
    }

    @PreDestroy
    synchronized void stop() throws InterruptedException {
        if (latest == null) {
            return;
        }
        if (frozen != null) {
            frozen.close();
        }
        Process process = latest.process();
        // One that is starting holds nothing, and would finish its start before it stops.
        if (phase(latest) == Phase.RUNNING) {
            process.destroy();
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        }
        process.destroyForcibly();
    }

    private static String nameAt(int port) {
        return "localhost:" + port;
    }

    private List<String> command(int port) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-X") || argument.startsWith("-D"))
                .forEach(command::add);
        command.add(mainClass());
        // Spring Boot would turn repeated arguments into a list.
        Stream.of(arguments.getSourceArgs())
                .filter(argument -> !argument.startsWith(PORT) && !argument.startsWith(NAME))
                .forEach(command::add);
        command.add(PORT + port);
        command.add(NAME + nameAt(port));
        command.add("--" + PARENT + "=" + ProcessHandle.current().pid());
        return command;
    }

    /** In the packaged jar, the main class is Spring Boot's launcher. */
    private static String mainClass() {
        String packaged = "org.springframework.boot.loader.launch.JarLauncher";
        boolean isPackaged = ClassLoader.getSystemResource(packaged.replace('.', '/') + ".class") != null;
        return isPackaged ? packaged : "io.distributionlock.playground.PlaygroundApplication";
    }

    private static int freePort(int after) {
        for (int port = after + 1; port <= Math.min(after + PORTS, 65535); port++) {
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                LOG.debug("Port {} is taken", port, taken);
            }
        }
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException("There is no free port for a second instance", failed);
        }
    }
}
