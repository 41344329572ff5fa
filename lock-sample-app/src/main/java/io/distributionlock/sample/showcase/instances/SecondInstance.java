package io.distributionlock.sample.showcase.instances;

import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * A second process of the same application, with the same arguments but another port. It joins the Redis and the
 * database of the first instance and ends with it.
 */
@Component
class SecondInstance {

    /** The property with the process id of the instance that started this one. */
    static final String PARENT = "sample.started-by";

    private static final Logger LOG = LoggerFactory.getLogger(SecondInstance.class);
    private static final String PORT = "--server.port=";
    private static final String NAME = "--sample.instance=";
    private static final int PORTS = 20;
    private static final long STOP_SECONDS = 10;

    private final ApplicationArguments arguments;
    private final Environment environment;
    private @Nullable Process process;

    SecondInstance(ApplicationArguments arguments, Environment environment) {
        this.arguments = arguments;
        this.environment = environment;
    }

    /** Starts it unless it is already running; does not wait for it. */
    synchronized void start() {
        if (process != null && process.isAlive()) {
            return;
        }
        int port = freePort(environment.getProperty("local.server.port", Integer.class, 8080));
        Path log = Path.of(environment.getProperty("sample.data-directory", "./data"), "instance-" + port + ".log");
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            ProcessBuilder builder =
                    new ProcessBuilder(command(port)).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
            process = builder.start();
            process.getOutputStream().close();
        } catch (IOException failed) {
            throw new UncheckedIOException("A second instance cannot be started", failed);
        }
        LOG.info(
                "Started a second instance on port {}, its log is {}",
                port,
                log.toAbsolutePath().normalize());
    }

    @PreDestroy
    synchronized void stop() throws InterruptedException {
        if (process == null) {
            return;
        }
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
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
        command.add(NAME + "localhost:" + port);
        command.add("--" + PARENT + "=" + ProcessHandle.current().pid());
        return command;
    }

    /** In the packaged jar, the main class is Spring Boot's launcher. */
    private static String mainClass() {
        String packaged = "org.springframework.boot.loader.launch.JarLauncher";
        boolean isPackaged = ClassLoader.getSystemResource(packaged.replace('.', '/') + ".class") != null;
        return isPackaged ? packaged : "io.distributionlock.sample.SampleApplication";
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
