package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A real Redis Cluster of masters without replicas on free ports of this machine. Whoever starts one closes it. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final List<RedisProcess> masters = new ArrayList<>();

    private RedisCluster() {}

    /** Returns when all slots are served. */
    public static RedisCluster start(RedisBinary binary, int masterCount) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < masterCount; i++) {
                cluster.masters.add(startMaster(binary));
            }
            cluster.shareSlots();
            cluster.introduce();
            cluster.awaitOk();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static RedisProcess startMaster(RedisBinary binary) {
        try {
            Path folder = Files.createTempDirectory("redis-cluster");
            Path nodes = folder.resolve("nodes.conf");
            // In reverse order: the folder must be empty when its turn comes.
            folder.toFile().deleteOnExit();
            nodes.toFile().deleteOnExit();
            return RedisProcess.start(
                    binary,
                    "--cluster-enabled",
                    "yes",
                    "--cluster-config-file",
                    nodes.toString(),
                    "--cluster-node-timeout",
                    "2000");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void shareSlots() {
        for (int i = 0; i < masters.size(); i++) {
            int from = SLOTS * i / masters.size();
            int to = SLOTS * (i + 1) / masters.size();
            masters.get(i)
                    .command(Stream.concat(
                                    Stream.of("CLUSTER", "ADDSLOTS"),
                                    IntStream.range(from, to).mapToObj(String::valueOf))
                            .toArray(String[]::new));
        }
    }

    private void introduce() {
        for (int i = 0; i < masters.size(); i++) {
            masters.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
        }
        for (RedisProcess other : masters.subList(1, masters.size())) {
            other.command(
                    "CLUSTER",
                    "MEET",
                    "127.0.0.1",
                    String.valueOf(masters.get(0).port()));
        }
    }

    private void awaitOk() {
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (!masters.stream().allMatch(this::knowsAll)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "The cluster does not come up: " + masters.get(0).command("CLUSTER", "INFO"));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private boolean knowsAll(RedisProcess master) {
        String info = String.valueOf(master.command("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + masters.size());
    }

    public List<RedisProcess> masters() {
        return List.copyOf(masters);
    }

    @Override
    public void close() {
        masters.forEach(RedisProcess::close);
    }
}
