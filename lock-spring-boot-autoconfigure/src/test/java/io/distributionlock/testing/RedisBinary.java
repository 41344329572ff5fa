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

/** Where a redis-server to run comes from. */
public enum RedisBinary {

    /** The one inside the test dependency embedded-redis: Redis 6.2 on Linux and macOS. */
    EMBEDDED {
        @Override
        Path locate() {
            return Extracted.PATH;
        }
    },

    /**
     * The one of this machine: named by the system property {@code test.redis-server} or the environment variable
     * {@code TEST_REDIS_SERVER}, otherwise {@code redis-server} on the path.
     */
    INSTALLED {
        @Override
        Path locate() {
            String named = System.getProperty("test.redis-server", System.getenv("TEST_REDIS_SERVER"));
            if (named != null) {
                return Path.of(named);
            }
            return onPath("redis-server")
                    .orElseThrow(() ->
                            new IllegalStateException("No redis-server is installed on this machine, and these tests "
                                    + "need one besides the embedded one: install the package redis-server, or name one by "
                                    + "-Dtest.redis-server=... or TEST_REDIS_SERVER."));
        }
    };

    abstract Path locate();

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
