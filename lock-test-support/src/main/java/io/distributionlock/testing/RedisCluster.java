package io.distributionlock.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A real Redis Cluster on free ports of this machine, whose slots can be moved. The test that starts one closes it. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;

    private final List<RedisProcess> masters = new ArrayList<>();
    private final List<RedisProcess> replicas = new ArrayList<>();

    private RedisCluster() {}

    /** Masters without replicas. Returns when all slots are served. */
    public static RedisCluster start(RedisBinary binary, int masterCount) {
        return start(binary, masterCount, 0);
    }

    /** Returns when all slots are served and all replicas follow their master. */
    public static RedisCluster start(RedisBinary binary, int masterCount, int replicasEach) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < masterCount; i++) {
                cluster.masters.add(startNode(binary));
            }
            for (int i = 0; i < masterCount * replicasEach; i++) {
                cluster.replicas.add(startNode(binary));
            }
            cluster.shareSlots();
            cluster.introduce();
            cluster.awaitOk();
            cluster.follow();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static RedisProcess startNode(RedisBinary binary) {
        return ReplicatedRedis.startNode(
                binary,
                "--cluster-enabled",
                "yes",
                "--cluster-config-file",
                "nodes.conf",
                "--cluster-node-timeout",
                "2000");
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
        for (RedisProcess other : nodes().subList(1, nodes().size())) {
            other.command(
                    "CLUSTER",
                    "MEET",
                    "127.0.0.1",
                    String.valueOf(masters.get(0).port()));
        }
    }

    private void awaitOk() {
        ReplicatedRedis.await(
                "The cluster does not come up", () -> nodes().stream().allMatch(this::knowsAll));
    }

    private boolean knowsAll(RedisProcess node) {
        String info = String.valueOf(node.command("CLUSTER", "INFO"));
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + nodes().size());
    }

    private void follow() {
        for (int i = 0; i < replicas.size(); i++) {
            replicas.get(i).command("CLUSTER", "REPLICATE", idOf(masters.get(i % masters.size())));
        }
        ReplicatedRedis.await(
                "The replicas do not follow",
                () -> replicas.stream()
                        .allMatch(replica -> replica.info("replication", "role").equals("slave")
                                && replica.info("replication", "master_link_status")
                                        .equals("up")));
        // A client that connects now is to learn of the replicas from any node.
        ReplicatedRedis.await(
                "The nodes do not know the replicas",
                () -> nodes().stream()
                        .allMatch(node -> nodeLines(node)
                                        .filter(line -> line.contains("slave"))
                                        .count()
                                == replicas.size()));
    }

    /** Those that were started as masters. */
    public List<RedisProcess> masters() {
        return List.copyOf(masters);
    }

    /** All, masters first. */
    public List<RedisProcess> nodes() {
        return Stream.concat(masters.stream(), replicas.stream()).toList();
    }

    /** Creates a user on each node, or changes its rules. */
    public void setUser(String user, String password, String rules) {
        String[] words = Stream.concat(
                        Stream.of("ACL", "SETUSER", user, "reset", "on", ">" + password),
                        Arrays.stream(rules.split(" ")))
                .toArray(String[]::new);
        nodes().forEach(node -> node.command(words));
    }

    /** How many messages of this type the masters have sent over the bus: {@code publish} or {@code publishshard}. */
    public long sentOverBus(String type) {
        String start = "cluster_stats_messages_" + type + "_sent:";
        return masters.stream()
                .flatMap(master ->
                        String.valueOf(master.command("CLUSTER", "INFO")).lines())
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.substring(start.length()).trim()))
                .sum();
    }

    /** How often the masters have called a command. */
    public long calls(String command) {
        return masters.stream().mapToLong(master -> master.calls(command)).sum();
    }

    /** At how many masters processes listen to their wake channels; Redis 6 has no sharded ones. */
    public long nodesListenedAt() {
        return masters.stream()
                .filter(master -> {
                    String which = master.version().startsWith("6.") ? "CHANNELS" : "SHARDCHANNELS";
                    return !List.of().equals(master.command("PUBSUB", which, "distribution-lock:wake:*"));
                })
                .count();
    }

    /** The slot of a key. */
    public int slotOf(String key) {
        return Math.toIntExact((Long) Objects.requireNonNull(running().command("CLUSTER", "KEYSLOT", key)));
    }

    /** The master that serves a slot, as the first running node knows it. */
    public RedisProcess ownerOf(int slot) {
        return nodeLines(running())
                .map(line -> line.split(" "))
                .filter(fields -> fields[2].contains("master") && !fields[2].contains("fail"))
                .filter(fields -> Arrays.stream(fields).skip(8).anyMatch(range -> contains(range, slot)))
                .map(fields -> byPort(fields[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Nobody serves slot " + slot));
    }

    private static boolean contains(String range, int slot) {
        if (range.startsWith("[")) {
            // It moves: said in addition to the range that it belongs to.
            return false;
        }
        String[] ends = range.split("-");
        return Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]);
    }

    private RedisProcess byPort(String address) {
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1, address.indexOf('@')));
        return nodes().stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }

    private RedisProcess running() {
        return nodes().stream().filter(RedisProcess::isRunning).findFirst().orElseThrow();
    }

    private static Stream<String> nodeLines(RedisProcess node) {
        return String.valueOf(node.command("CLUSTER", "NODES")).lines();
    }

    private static String idOf(RedisProcess node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    /** The replicas of a master, as it knows them. */
    public List<RedisProcess> replicasOf(RedisProcess master) {
        String id = idOf(master);
        return nodeLines(master)
                .map(line -> line.split(" "))
                .filter(fields -> fields[3].equals(id))
                .map(fields -> byPort(fields[1]))
                .toList();
    }

    /** Begins to move a slot: from now on its keys may be here or there. */
    public Move beginMove(int slot, RedisProcess target) {
        return new Move(slot, ownerOf(slot), target);
    }

    /** A slot on its way from one master to another, step by step. */
    public final class Move {

        private final String slot;
        private final RedisProcess source;
        private final RedisProcess target;

        private Move(int slot, RedisProcess source, RedisProcess target) {
            this.slot = String.valueOf(slot);
            this.source = source;
            this.target = target;
            target.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", idOf(source));
            source.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", idOf(target));
        }

        /** Moves the keys that are there now; returns how many. */
        public int moveKeys() {
            List<?> keys = (List<?>) Objects.requireNonNull(source.command("CLUSTER", "GETKEYSINSLOT", slot, "1000"));
            for (Object key : keys) {
                source.command(
                        "MIGRATE", "127.0.0.1", String.valueOf(target.port()), String.valueOf(key), "0", "10000");
            }
            return keys.size();
        }

        /** Moves what is left, and lets every node know. */
        public void finish() {
            moveKeys();
            for (RedisProcess master : List.of(target, source)) {
                master.command("CLUSTER", "SETSLOT", slot, "NODE", idOf(target));
            }
            for (RedisProcess master : masters) {
                master.command("CLUSTER", "SETSLOT", slot, "NODE", idOf(target));
            }
        }
    }

    @Override
    public void close() {
        nodes().forEach(RedisProcess::close);
    }
}
