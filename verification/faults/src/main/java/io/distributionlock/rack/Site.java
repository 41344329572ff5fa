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
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers of one cell. One server, or one with a replica, is reached over a network of its own by each process. */
final class Site implements AutoCloseable {

    private static final int QUORUM = 3;

    private final List<RedisProcess> nodes;
    private final List<Network> networks = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable RedisSentinels sentinels;
    private @Nullable RedisCluster cluster;
    private @Nullable ZooKeepers zooKeepers;

    private Site(List<RedisProcess> nodes, AutoCloseable servers) {
        this.nodes = nodes;
        opened.add(servers);
    }

    /** Such as {@code redis-7.0.15}. */
    static String versionOfRedis() {
        try (RedisProcess redis = RedisProcess.start(RedisBinary.INSTALLED)) {
            String about = String.valueOf(redis.command("INFO", "server"));
            return about.contains("valkey_version:")
                    ? "valkey-" + redis.info("server", "valkey_version")
                    : "redis-" + redis.version();
        }
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
        return new Site(List.of(redis), redis).withNetworksTo(List.of(redis.port()));
    }

    private Site withNetworksTo(List<Integer> ports) {
        for (int process = 0; process < Workers.COUNT; process++) {
            Network network = new Network(ports.stream().map(TcpProxy::new).toList());
            networks.add(network);
            opened.add(0, network);
        }
        return this;
    }

    /** Three masters that know nothing of each other, without a disk. They have run for long enough to count. */
    static Site quorum() {
        List<RedisProcess> masters = Stream.generate(() -> RedisProcess.start(RedisBinary.INSTALLED))
                .limit(QUORUM)
                .toList();
        Site site = new Site(masters, () -> masters.forEach(RedisProcess::close));
        while (masters.stream()
                .anyMatch(master -> Long.parseLong(master.info("server", "uptime_in_seconds"))
                        <= Library.RESTART_DELAY.toSeconds() + 1)) {
            Scene.rest(100);
        }
        return site.withNetworksTo(masters.stream().map(RedisProcess::port).toList());
    }

    static Site zooKeepers() {
        ZooKeepers ensemble = ZooKeepers.start();
        Site site = new Site(List.of(), ensemble);
        site.zooKeepers = ensemble;
        return site.withNetworksTo(ensemble.ports());
    }

    static Site replicated() {
        ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.INSTALLED, 1);
        return new Site(redis.nodes(), redis)
                .withNetworksTo(List.of(redis.nodes().get(0).port()));
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
        List<Integer> ports = networks.get(process).ports();
        return new Address(ports.size() > 1 ? Address.Kind.QUORUM : Address.Kind.SINGLE, ports);
    }

    /** All of which each could serve: not a replica. */
    List<Server> servers() {
        return zooKeepers == null ? nodes.stream().map(Server::of).toList() : zooKeepers.servers();
    }

    /** The one to be hit: the leader, if they have one. */
    int victim(Random random) {
        return zooKeepers == null ? random.nextInt(nodes.size()) : zooKeepers.leader();
    }

    boolean hasSeveralServers() {
        return !networks.isEmpty() && networks.get(0).lines().size() > 1;
    }

    /** Returns when the servers serve again. */
    void awaitService() {
        if (zooKeepers != null) {
            zooKeepers.leader();
        }
    }

    /** The first master, and where there is only one server, that. */
    RedisProcess first() {
        return nodes.get(0);
    }

    RedisProcess node(int number) {
        return nodes.get(number);
    }

    RedisProcess second() {
        return nodes.get(1);
    }

    Network network(int process) {
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
