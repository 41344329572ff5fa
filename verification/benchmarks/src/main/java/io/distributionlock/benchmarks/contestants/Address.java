package io.distributionlock.benchmarks.contestants;

import io.distributionlock.testing.RedisSentinels;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

/**
 * Where Redis is found on this machine, as text: {@code SINGLE:6379}, {@code SENTINEL:26379,26380},
 * {@code CLUSTER:7000,7001} or {@code QUORUM:6379,6380,6381}.
 */
public record Address(Kind kind, List<Integer> ports) {

    private static final String SPRING = "spring.data.redis.";
    private static final String REFRESH = SPRING + "lettuce.cluster.refresh.";

    /** How Redis is run. */
    public enum Kind {
        SINGLE,
        SENTINEL,
        CLUSTER,
        /** Independent masters. */
        QUORUM
    }

    public static Address single(int port) {
        return new Address(Kind.SINGLE, List.of(port));
    }

    public static Address parse(String text) {
        String[] parts = text.split(":", 2);
        return new Address(
                Kind.valueOf(parts[0]),
                Arrays.stream(parts[1].split(",", -1)).map(Integer::valueOf).toList());
    }

    @Override
    public String toString() {
        return kind + ":" + String.join(",", ports.stream().map(String::valueOf).toList());
    }

    /** Each server alone. */
    List<Address> each() {
        return ports.stream().map(Address::single).toList();
    }

    private List<String> nodes(String scheme) {
        return ports.stream().map(port -> scheme + "127.0.0.1:" + port).toList();
    }

    /** Of the only server, or the first. */
    String url() {
        return nodes("redis://").get(0);
    }

    /** Spring Boot's. In a Cluster with the refresh without which no client of Lettuce finds a new master. */
    Map<String, Object> properties() {
        String nodes = String.join(",", nodes(""));
        return switch (kind) {
            case SINGLE -> Map.of(SPRING + "url", url());
            case SENTINEL ->
                Map.of(SPRING + "sentinel.master", RedisSentinels.MASTER, SPRING + "sentinel.nodes", nodes);
            case CLUSTER ->
                Map.of(SPRING + "cluster.nodes", nodes, REFRESH + "adaptive", true, REFRESH + "period", "2s");
            case QUORUM ->
                Map.of(
                        "distribution-lock.executor",
                        "quorum",
                        "distribution-lock.quorum.nodes",
                        String.join(",", nodes("redis://")));
        };
    }

    /**
     * Redisson's, with its own defaults.
     *
     * @param answer how long to wait for an answer, if that is more than the default
     */
    Config redisson(Duration answer) {
        Config config = new Config();
        String[] nodes = nodes("redis://").toArray(String[]::new);
        BaseConfig<?> servers = switch (kind) {
            case SINGLE -> config.useSingleServer().setAddress(nodes[0]);
            case SENTINEL ->
                config.useSentinelServers().setMasterName(RedisSentinels.MASTER).addSentinelAddress(nodes);
            case CLUSTER -> config.useClusterServers().setScanInterval(2_000).addNodeAddress(nodes);
            case QUORUM -> throw new IllegalArgumentException("Redisson has a client of its own for each master");
        };
        servers.setTimeout(Math.max(servers.getTimeout(), (int) answer.toMillis()));
        return config;
    }
}
