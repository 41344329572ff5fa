package io.distributionlock.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import redis.embedded.RedisServer;

/** A Redis that belongs to a test and outlives the instances that use it. */
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
