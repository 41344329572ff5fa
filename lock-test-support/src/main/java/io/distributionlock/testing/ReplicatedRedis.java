package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A real Redis with replicas on free ports of this machine. The test that starts one closes it. */
public final class ReplicatedRedis implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final RedisProcess master;
    private final List<RedisProcess> replicas = new ArrayList<>();

    private ReplicatedRedis(RedisProcess master) {
        this.master = master;
    }

    /** Returns when all replicas follow. */
    public static ReplicatedRedis start(RedisBinary binary, int replicaCount) {
        ReplicatedRedis started = new ReplicatedRedis(startNode(binary));
        try {
            for (int i = 0; i < replicaCount; i++) {
                RedisProcess replica = startNode(binary);
                started.replicas.add(replica);
                replica.command("REPLICAOF", "127.0.0.1", String.valueOf(started.master.port()));
            }
            started.awaitReplicated();
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private static RedisProcess startNode(RedisBinary binary) {
        return startNode(binary, "--repl-ping-replica-period", "1");
    }

    /** One with a folder of its own, which replicates at once. */
    static RedisProcess startNode(RedisBinary binary, String... options) {
        try {
            Path folder = Files.createTempDirectory("redis-node");
            // In reverse order: the folder must be empty when its turn comes.
            folder.toFile().deleteOnExit();
            Stream.of("dump.rdb", "nodes.conf")
                    .forEach(file -> folder.resolve(file).toFile().deleteOnExit());
            List<String> all = new ArrayList<>(List.of("--dir", folder.toString(), "--repl-diskless-sync-delay", "0"));
            all.addAll(List.of(options));
            return RedisProcess.start(binary, all.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one that was started as master. */
    public RedisProcess master() {
        return master;
    }

    /** Those that were started as replicas. */
    public List<RedisProcess> replicas() {
        return List.copyOf(replicas);
    }

    /** All of them, the first master first. */
    public List<RedisProcess> nodes() {
        return Stream.concat(Stream.of(master), replicas.stream()).toList();
    }

    /** Returns when every replica that follows the master has all that the master has now. */
    public void awaitReplicated() {
        await("The replicas do not follow", () -> replicas.stream().allMatch(this::hasAll));
    }

    private boolean hasAll(RedisProcess replica) {
        long wanted = Long.parseLong(master.info("replication", "master_repl_offset"));
        return replica.info("replication", "role").equals("slave")
                && replica.info("replication", "master_link_status").equals("up")
                && Long.parseLong(replica.info("replication", "slave_repl_offset")) >= wanted;
    }

    /** From now on a replica hears nothing of its master, and lives. */
    public void detach(RedisProcess replica) {
        // It will not be let in again.
        replica.command("CONFIG", "SET", "masteruser", "nobody");
        replica.command("CONFIG", "SET", "masterauth", "wrong");
        await("The replica does not let go of its master", () -> {
            master.command("CLIENT", "KILL", "TYPE", "replica");
            return replica.info("replication", "master_link_status").equals("down");
        });
    }

    static void await(String failure, BooleanSupplier condition) {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(failure);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        nodes().forEach(RedisProcess::close);
    }
}
