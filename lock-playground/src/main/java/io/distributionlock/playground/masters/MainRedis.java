package io.distributionlock.playground.masters;

import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.playground.setup.EmbeddedRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** The Redis that keeps the locks of all scenarios but one. If the playground has started it, it may be killed. */
@Component
final class MainRedis implements AutoCloseable {

    private static final Duration STATE_TIMEOUT = Duration.ofSeconds(2);

    private final ObjectProvider<LockMonitor> locks;
    private final Environment environment;
    private final Path dataDirectory;
    private final @Nullable EmbeddedRedis ours;
    private @Nullable EmbeddedRedis again;

    MainRedis(
            ObjectProvider<EmbeddedRedis> embedded,
            ObjectProvider<LockMonitor> locks,
            Environment environment,
            @Value("${playground.data-directory:./data}") Path dataDirectory) {
        this.ours = embedded.getIfAvailable();
        this.locks = locks;
        this.environment = environment;
        this.dataDirectory = dataDirectory;
    }

    State state() {
        if (ours == null) {
            return new State(where(), answersTheLocks(), false, null);
        }
        Optional<String> process = ours.ask(STATE_TIMEOUT, server -> Master.info(server, "run_id"));
        return new State(where(), process.isPresent(), true, process.orElse(null));
    }

    /** Kills it as {@code kill -9} does. Returns false if it was not running, or the playground did not start it. */
    boolean kill() {
        return ours != null && Master.kill(ours);
    }

    /** Starts it again, empty; returns when it answers. Returns false if it is not the playground's. */
    synchronized boolean start() {
        if (ours == null) {
            return false;
        }
        if (!answers(ours)) {
            close();
            again = EmbeddedRedis.startOrJoin(ours.port(), dataDirectory, "look into its log");
        }
        return true;
    }

    @Override
    public synchronized void close() {
        if (again != null) {
            again.close();
            again = null;
        }
    }

    private static boolean answers(EmbeddedRedis server) {
        return server.ask(STATE_TIMEOUT, commands -> Optional.of(commands.ping()))
                .isPresent();
    }

    private boolean answersTheLocks() {
        LockMonitor monitor = locks.getIfAvailable();
        return monitor != null
                && monitor.inspect("page")
                        .handle((seen, failure) -> failure == null)
                        .join();
    }

    String where() {
        if (ours != null) {
            return "127.0.0.1:" + ours.port();
        }
        // A URL may contain a password.
        return environment.containsProperty("spring.data.redis.host")
                ? environment.resolvePlaceholders("${spring.data.redis.host}:${spring.data.redis.port:6379}")
                : "";
    }

    /**
     * The state of the server.
     *
     * @param where its host and port; empty if they are not set one by one
     * @param ours whether the playground has started it
     * @param process differs for each process; null if it is down or not ours. Started again, it has no data
     */
    record State(
            String where,
            boolean up,
            boolean ours,
            @Nullable String process) {}
}
