package io.distributionlock.playground;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis that belongs to a test and outlives the instances that use it. The program is the one that the system property
 * {@code test.redis} or the environment variable {@code TEST_REDIS} names, otherwise the embedded one.
 */
public final class TestRedis implements AutoCloseable {

    private static final int ATTEMPTS = 3;

    private final int port;
    private final RedisServer server;

    private TestRedis(int port, RedisServer server) {
        this.port = port;
        this.server = server;
    }

    public static TestRedis start() {
        for (int attempt = 1; ; attempt++) {
            try {
                return startAt(FreePorts.next());
            } catch (UncheckedIOException portTakenMeanwhile) {
                if (attempt == ATTEMPTS) {
                    throw portTakenMeanwhile;
                }
            }
        }
    }

    public static TestRedis startAt(int port) {
        try {
            RedisServer server = RedisServer.newRedisServer()
                    .executableProvider(program())
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .build();
            server.start();
            return new TestRedis(port, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ExecutableProvider program() {
        String named = System.getProperty("test.redis", System.getenv("TEST_REDIS"));
        return named == null || named.isEmpty() || named.equals("embedded")
                ? ExecutableProvider.newJarResourceProvider()
                : () -> new File(named);
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
