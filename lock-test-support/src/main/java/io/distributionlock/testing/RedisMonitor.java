package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a server runs from now on, a line for each command, those inside scripts included: the command MONITOR. */
public final class RedisMonitor implements AutoCloseable {

    private final RedisProcess redis;
    private final RespClient client;
    private final List<String> lines = new ArrayList<>();

    public RedisMonitor(RedisProcess redis) {
        this.redis = redis;
        try {
            this.client = new RespClient(redis.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        client.command("MONITOR");
    }

    /** All that was run before this call. */
    public List<String> lines() {
        String end = UUID.randomUUID().toString();
        redis.command("PING", end);
        String line = String.valueOf(client.next());
        while (!line.contains(end)) {
            lines.add(line);
            line = String.valueOf(client.next());
        }
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        client.close();
    }
}
