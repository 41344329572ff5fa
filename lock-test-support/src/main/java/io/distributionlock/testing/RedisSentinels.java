package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three real Sentinels that watch a replicated Redis and let a replica take over soon. The test that starts them closes them. */
public final class RedisSentinels implements AutoCloseable {

    /** What they call what they watch. */
    public static final String MASTER = "locks";

    private static final int COUNT = 3;

    private final ReplicatedRedis redis;
    private final List<RedisProcess> sentinels = new ArrayList<>();

    private RedisSentinels(ReplicatedRedis redis) {
        this.redis = redis;
    }

    /** Returns when they know each other and all replicas. */
    public static RedisSentinels start(RedisBinary binary, ReplicatedRedis redis) {
        RedisSentinels started = new RedisSentinels(redis);
        try {
            for (int i = 0; i < COUNT; i++) {
                started.sentinels.add(RedisProcess.startSentinel(binary, started.configuration()));
            }
            ReplicatedRedis.await(
                    "The Sentinels do not find each other",
                    () -> started.sentinels.stream().allMatch(started::knowsAll));
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private Path configuration() {
        try {
            Path file = Files.createTempFile("sentinel", ".conf");
            file.toFile().deleteOnExit();
            Files.writeString(file, """
                    sentinel monitor %1$s 127.0.0.1 %2$d 2
                    sentinel down-after-milliseconds %1$s 3000
                    sentinel failover-timeout %1$s 5000
                    """.formatted(MASTER, redis.master().port()));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean knowsAll(RedisProcess sentinel) {
        String known = sentinel.info("sentinel", "master0");
        return known.contains("status=ok")
                && known.contains("slaves=" + redis.replicas().size())
                && known.contains("sentinels=" + COUNT);
    }

    public List<Integer> ports() {
        return sentinels.stream().map(RedisProcess::port).toList();
    }

    /** Lets a replica take over although the master is well. */
    public void failOver() {
        failOver("SENTINEL", "FAILOVER", MASTER);
    }

    /** The same by a command for a Sentinel. */
    public void failOver(String... command) {
        sentinels.get(0).command(command);
    }

    /** Returns when all Sentinels name another master than this one, and it says itself that it is one. */
    public RedisProcess awaitMasterOtherThan(RedisProcess previous) {
        ReplicatedRedis.await(
                "No replica takes over",
                () -> sentinels.stream().allMatch(sentinel -> masterPort(sentinel) != previous.port()));
        int port = masterPort(sentinels.get(0));
        RedisProcess master = redis.nodes().stream()
                .filter(node -> node.port() == port)
                .findFirst()
                .orElseThrow();
        ReplicatedRedis.await(
                "It does not know that it is the master",
                () -> master.info("replication", "role").equals("master"));
        return master;
    }

    private static int masterPort(RedisProcess sentinel) {
        List<?> address = (List<?>) sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
        if (address == null) {
            throw new IllegalStateException("A Sentinel does not know " + MASTER);
        }
        return Integer.parseInt(String.valueOf(address.get(1)));
    }

    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
    }
}
