package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RedisSentinels;
import io.distributionlock.testing.ReplicatedRedis;
import io.distributionlock.testing.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers of one cell. One server, or one with a replica, is reached over a network of its own by each process. */
final class Site implements AutoCloseable {

    private final List<RedisProcess> nodes;
    private final List<TcpProxy> networks = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable RedisSentinels sentinels;
    private @Nullable RedisCluster cluster;

    private Site(List<RedisProcess> nodes, AutoCloseable servers) {
        this.nodes = nodes;
        opened.add(servers);
    }

    static Site single() {
        return overNetworks(RedisProcess.start(RedisBinary.INSTALLED));
    }

    /** A server that has written each command to its disk before it answers. */
    static Site durable() {
        try {
            String folder = Files.createTempDirectory("redis-durable").toString();
            return overNetworks(RedisProcess.start(
                    RedisBinary.INSTALLED, "--appendonly", "yes", "--appendfsync", "always", "--dir", folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Site overNetworks(RedisProcess redis) {
        return new Site(List.of(redis), redis).withNetworks();
    }

    private Site withNetworks() {
        for (int process = 0; process < Workers.COUNT; process++) {
            TcpProxy network = new TcpProxy(nodes.get(0).port());
            networks.add(network);
            opened.add(0, network);
        }
        return this;
    }

    static Site replicated() {
        ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.INSTALLED, 1);
        return new Site(redis.nodes(), redis).withNetworks();
    }

    static Site watchedBySentinels() {
        ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.INSTALLED, 2);
        Site site = new Site(redis.nodes(), redis);
        RedisSentinels sentinels = RedisSentinels.start(RedisBinary.INSTALLED, redis);
        site.opened.add(0, sentinels);
        site.sentinels = sentinels;
        return site;
    }

    static Site withCluster() {
        RedisCluster cluster = RedisCluster.start(RedisBinary.INSTALLED, 3, 1);
        Site site = new Site(cluster.nodes(), cluster);
        site.cluster = cluster;
        return site;
    }

    Address addressFor(int process) {
        if (sentinels != null) {
            return new Address(Address.Kind.SENTINEL, sentinels.ports());
        }
        if (cluster != null) {
            return new Address(
                    Address.Kind.CLUSTER,
                    cluster.masters().stream().map(RedisProcess::port).toList());
        }
        return new Address(Address.Kind.SINGLE, List.of(networks.get(process).port()));
    }

    /** The first master, and where there is only one server, that. */
    RedisProcess first() {
        return nodes.get(0);
    }

    RedisProcess second() {
        return nodes.get(1);
    }

    TcpProxy network(int process) {
        return networks.get(process);
    }

    RedisSentinels sentinels() {
        return Objects.requireNonNull(sentinels);
    }

    RedisCluster cluster() {
        return Objects.requireNonNull(cluster);
    }

    /** Those of the present masters that answer. */
    Stream<RedisProcess> masters() {
        return nodes.stream()
                .filter(RedisProcess::isRunning)
                .filter(node -> node.info("replication", "role").equals("master"));
    }

    /** How many keys of this name are left that never end. */
    int keysLeft(String name) {
        return masters()
                .mapToInt(master -> (int) ((List<?>) Objects.requireNonNull(master.command("KEYS", "*" + name + "*")))
                        .stream()
                                .filter(key -> Objects.equals(master.command("PTTL", String.valueOf(key)), -1L))
                                .count())
                .sum();
    }

    @Override
    public void close() {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
