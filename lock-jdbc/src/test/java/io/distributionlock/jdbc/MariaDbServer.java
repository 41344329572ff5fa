package io.distributionlock.jdbc;

import io.distributionlock.testing.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.springframework.util.FileSystemUtils;

/** A MariaDB server that the machine has installed, with data of its own; ended with this object or the virtual machine. */
final class MariaDbServer implements AutoCloseable {

    private static final String SERVER = "mariadbd";
    private static final String INSTALLATION = "mariadb-install-db";
    private static final Duration LONG = Duration.ofSeconds(90);

    private final Process process;
    private final Path data;
    private final int port;
    private final Thread atExit = new Thread(this::kill);

    private MariaDbServer(Process process, Path data, int port) {
        this.process = process;
        this.data = data;
        this.port = port;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Skips the calling test, and says why, on a machine that has none. */
    static void assumeInstalled() {
        if (program(SERVER) == null || program(INSTALLATION) == null) {
            String reason = "This machine has no " + SERVER + ": install mariadb-server";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
    }

    static MariaDbServer start() {
        try {
            Path data = Files.createTempDirectory("mariadb");
            String owner = System.getProperty("user.name");
            Process installation = run(
                    data,
                    List.of(
                            required(INSTALLATION),
                            "--no-defaults",
                            "--auth-root-authentication-method=normal",
                            "--skip-test-db",
                            "--user=" + owner,
                            "--datadir=" + data));
            if (!installation.waitFor(LONG.toSeconds(), TimeUnit.SECONDS) || installation.exitValue() != 0) {
                installation.destroyForcibly();
                throw new IllegalStateException("MariaDB cannot be set up: "
                        + Files.readString(data.resolveSibling(data.getFileName() + ".log")));
            }
            int port = FreePorts.next();
            Process process = run(
                    data,
                    List.of(
                            required(SERVER),
                            "--no-defaults",
                            "--user=" + owner,
                            "--datadir=" + data,
                            "--socket=" + data.resolve("s"),
                            "--pid-file=" + data.resolve("pid"),
                            "--bind-address=127.0.0.1",
                            "--port=" + port,
                            "--max-connections=300",
                            "--innodb-buffer-pool-size=32M",
                            "--innodb-flush-log-at-trx-commit=2"));
            MariaDbServer server = new MariaDbServer(process, data, port);
            Awaitility.await().atMost(LONG).until(server::answers);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB does not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while MariaDB starts", e);
        }
    }

    private static Process run(Path data, List<String> command) throws IOException {
        return new ProcessBuilder(new ArrayList<>(command))
                .redirectErrorStream(true)
                .redirectOutput(data.resolveSibling(data.getFileName() + ".log").toFile())
                .start();
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("MariaDB has ended with " + process.exitValue());
        }
        try {
            DriverManager.getConnection(url(), "root", "").close();
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/mysql";
    }

    private static String required(String name) {
        String found = program(name);
        if (found == null) {
            throw new IllegalStateException("This machine has no " + name + ": install mariadb-server");
        }
        return found;
    }

    private static @Nullable String program(String name) {
        for (String folder : (System.getenv("PATH") + File.pathSeparator + "/usr/sbin").split(File.pathSeparator)) {
            Path program = Path.of(folder, name);
            if (Files.isExecutable(program)) {
                return program.toString();
            }
        }
        return null;
    }

    private void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            FileSystemUtils.deleteRecursively(data);
            Files.deleteIfExists(data.resolveSibling(data.getFileName() + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
