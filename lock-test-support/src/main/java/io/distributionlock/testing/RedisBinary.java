package io.distributionlock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which redis-server the tests run. */
public enum RedisBinary {

    /**
     * Named by the system property {@code test.redis} or the environment variable {@code TEST_REDIS}: a path, or {@code embedded}
     * for the one inside the test dependency embedded-redis, which is Redis 6.2 on Linux and macOS. It is embedded if nothing
     * names another.
     */
    GIVEN {
        @Override
        Path locate() {
            return named().orElseGet(() -> Extracted.PATH);
        }
    },

    /** For what Redis 6.2 cannot do: the one that is named, otherwise {@code redis-server} on the path. */
    INSTALLED {
        @Override
        Path locate() {
            return named().or(() -> onPath("redis-server"))
                    .orElseThrow(() ->
                            new IllegalStateException("No redis-server is installed on this machine, and this test "
                                    + "needs a newer one than the embedded one: install the package redis-server, or name one by "
                                    + "-Dtest.redis=... or TEST_REDIS."));
        }
    };

    private static final String EMBEDDED = "embedded";

    abstract Path locate();

    private static Optional<Path> named() {
        String program = System.getProperty("test.redis", System.getenv("TEST_REDIS"));
        if (program == null || program.isEmpty() || program.equals(EMBEDDED)) {
            return Optional.empty();
        }
        Path path = Path.of(program).toAbsolutePath();
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(
                    "test.redis (or TEST_REDIS) names " + path + ", which cannot be executed: name"
                            + " a redis-server or valkey-server by its absolute path, or \"" + EMBEDDED + "\".");
        }
        return Optional.of(path);
    }

    private static Optional<Path> onPath(String program) {
        String path = System.getenv("PATH");
        return Arrays.stream((path == null ? "" : path).split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Written out once per virtual machine. */
    private static final class Extracted {

        static final Path PATH = extract();

        private static Path extract() {
            String resource = resource(
                    System.getProperty("os.name", "").toLowerCase(Locale.ROOT),
                    System.getProperty("os.arch", "").toLowerCase(Locale.ROOT));
            try (@Nullable InputStream binary = RedisBinary.class.getResourceAsStream(resource)) {
                if (binary == null) {
                    throw new IllegalStateException("The dependency embedded-redis holds no " + resource);
                }
                Path folder = Files.createTempDirectory("embedded-redis");
                Path file = folder.resolve("redis-server");
                Files.copy(binary, file);
                if (!file.toFile().setExecutable(true)) {
                    throw new IllegalStateException(file + " cannot be made executable");
                }
                // In reverse order: the folder must be empty when its turn comes.
                folder.toFile().deleteOnExit();
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String resource(String system, String architecture) {
            boolean arm = architecture.equals("aarch64") || architecture.equals("arm64");
            if (system.contains("mac")) {
                return arm ? "/redis-server-6.2.6-v5-darwin-arm64" : "/redis-server-6.2.6-v5-darwin-amd64";
            }
            return arm ? "/redis-server-6.2.7-linux-arm64" : "/redis-server-6.2.6-v5-linux-amd64";
        }
    }
}
