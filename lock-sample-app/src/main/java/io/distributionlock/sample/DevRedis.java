package io.distributionlock.sample;

import java.io.IOException;
import java.net.Socket;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import redis.embedded.RedisServer;

/** The Redis of the profile dev: the first instance starts it, and ends it; others join. The packaged application has none. */
@Component
@Profile("dev")
@ConditionalOnClass(name = "redis.embedded.RedisServer")
class DevRedis implements DataRedisConnectionDetails, DisposableBean {

    private static final String HOST = "127.0.0.1";

    private final int port;
    private final RedisServer server;

    DevRedis(@Value("${spring.data.redis.port}") int port) throws IOException {
        this.port = port;
        this.server = RedisServer.newRedisServer()
                .bind(HOST)
                .port(port)
                .setting("save \"\"")
                .build();
        if (!isRunning()) {
            server.start();
        }
    }

    private boolean isRunning() {
        try (Socket connected = new Socket(HOST, port)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public Standalone getStandalone() {
        return Standalone.of(HOST, port);
    }

    @Override
    public void destroy() throws IOException {
        server.stop();
    }
}
