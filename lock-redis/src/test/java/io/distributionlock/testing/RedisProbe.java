package io.distributionlock.testing;

import io.distributionlock.test.contract.LockFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;

/** Pings a Redis, over a connection that does nothing else. */
public final class RedisProbe implements LockFixture.Probe {

    private final RespClient client;

    private RedisProbe(RedisProcess server) {
        try {
            this.client = new RespClient(server.port());
        } catch (IOException e) {
            throw new UncheckedIOException("No connection to " + server, e);
        }
    }

    /** Opens a probe for each server. */
    public static List<LockFixture.Probe> of(Collection<RedisProcess> servers) {
        return servers.stream().<LockFixture.Probe>map(RedisProbe::new).toList();
    }

    @Override
    public void ping() {
        client.command("PING");
    }

    @Override
    public void close() {
        client.close();
    }
}
