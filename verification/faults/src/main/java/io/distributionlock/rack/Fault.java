package io.distributionlock.rack;

import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy.Direction;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What goes wrong. Times and victims are random; an episode goes on for longer than a lease after the last of it. */
enum Fault {
    CALM("nothing happens", World.ALL, Site::single, 1, scene -> scene.rest(2_000, 3_000)),
    KILLED("a process is killed", World.ALL, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        scene.kill();
    }),
    PAUSED("a process is paused beyond its lease", World.ALL, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        scene.stall(
                115,
                160,
                victim -> scene.workers().process(victim).pause(),
                victim -> scene.workers().process(victim).resume());
    }),
    CUT("connections are cut, again and again", World.ALL, Site::single, 2, scene -> {
        for (int time = 0; time < 6; time++) {
            scene.rest(300, 800);
            scene.site().network(scene.awaitHolder(0)).cut();
        }
    }),
    HALF_DEAD("a process is cut off: everything is accepted, nothing answered", World.ALL, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        boolean alsoNewOnes = scene.random().nextBoolean();
        scene.stall(
                110,
                150,
                victim -> {
                    if (alsoNewOnes) {
                        scene.site().network(victim).stick(Direction.values());
                    } else {
                        scene.site().network(victim).swallow();
                    }
                },
                victim -> {
                    scene.site().network(victim).cut();
                    scene.site().network(victim).flow();
                });
    }),
    HUNG("Redis hangs (of three servers, one; of ZooKeeper, the leader)", World.ALL, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        scene.awaitHolder(0);
        Server victim = scene.site().servers().get(scene.site().victim(scene.random()));
        Runnable hang = () -> {
            victim.pause();
            scene.restLeases(40, 130);
            victim.resume();
        };
        // Where others are there, the lock is to be had.
        if (scene.site().hasSeveralServers()) {
            hang.run();
        } else {
            scene.outage(hang);
        }
    }),
    DELAYED("answers arrive after more than a lease", World.ALL, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        scene.stall(
                105,
                150,
                victim -> scene.site().network(victim).stick(Direction.TO_CLIENT),
                victim -> scene.site().network(victim).flow());
    }),
    RESENT("commands arrive twice, or their answers get lost", World.NO_CONSENSUS, Site::single, 2, scene -> {
        for (int time = 0; time < 4; time++) {
            scene.rest(300, 700);
            Network network = scene.site().network(scene.awaitHolder(0));
            boolean answerIsLost = scene.random().nextBoolean();
            network.stick(answerIsLost ? Direction.TO_CLIENT : Direction.TO_SERVER);
            scene.rest(50, 250);
            if (answerIsLost) {
                network.cut();
            } else {
                network.strand();
                scene.rest(100, 600);
            }
            network.flow();
        }
    }),
    FLUSHED("the script cache is flushed", World.REDIS_ONLY, Site::single, 1, scene -> {
        for (int time = 0; time < 6; time++) {
            scene.rest(300, 700);
            scene.site().first().command("SCRIPT", "FLUSH");
        }
    }),
    RESTARTED("Redis is killed and comes back with its data", World.NO_QUORUM, Site::durable, 2, scene -> {
        scene.rest(600, 1_500);
        scene.awaitHolder(0);
        scene.outage(() -> restart(scene));
    }),
    EMPTIED("Redis is killed and comes back without its data", World.NO_CONSENSUS, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        scene.awaitHolder(0);
        scene.outage(() -> scene.loss(() -> restart(scene)));
    }),
    FULL("the memory of Redis is full", World.REDIS_ONLY, Site::single, 2, scene -> {
        scene.rest(600, 1_500);
        scene.awaitHolder(0);
        scene.outage(() -> {
            scene.site().first().command("CONFIG", "SET", "maxmemory", "1");
            scene.restLeases(20, 60);
            scene.site().first().command("CONFIG", "SET", "maxmemory", "0");
        });
    }),
    FORCED("the lock is released by force: its key is deleted", World.REDIS_ONLY, Site::single, 2, scene -> {
        for (int time = 0; time < 4; time++) {
            scene.rest(300, 900);
            scene.awaitHolder(0);
            scene.loss(() -> scene.site().first().command("DEL", scene.library().key(scene.name())));
        }
    }),
    SENTINEL("Sentinels let a replica take over", World.REDIS_ONLY, Site::watchedBySentinels, 1, scene -> {
        scene.rest(600, 1_500);
        RedisProcess previous = scene.site().masters().findFirst().orElseThrow();
        boolean dies = scene.random().nextBoolean();
        scene.awaitHolder(0);
        Runnable takeOver = () -> {
            if (dies) {
                previous.kill();
            } else {
                scene.site().sentinels().failOver();
            }
            scene.site().sentinels().awaitMasterOtherThan(previous);
        };
        // Until the Sentinels have found it, one that comes back takes itself for the master: what it is told then gets
        // lost.
        scene.loss(() -> {
            scene.outage(takeOver);
            if (dies) {
                previous.startAgain();
            }
            awaitRole(previous, "slave");
        });
    }),
    SPLIT("a replica takes over while the master goes on, for some", World.REDIS_ONLY, Site::replicated, 1, scene -> {
        scene.rest(600, 1_500);
        int other = (scene.awaitHolder(0) + 1) % Workers.COUNT;
        RedisProcess promoted = scene.site().second();
        scene.loss(() -> {
            promoted.command("REPLICAOF", "NO", "ONE");
            lead(scene, promoted, List.of(other, (other + 1) % Workers.COUNT));
            scene.restLeases(110, 170);
            lead(scene, promoted, IntStream.range(0, Workers.COUNT).boxed().toList());
            scene.site().first().command("REPLICAOF", "127.0.0.1", String.valueOf(promoted.port()));
        });
    }),
    CLUSTER("a replica takes over in a Cluster", World.REDIS_ONLY, Site::withCluster, 1, scene -> {
        scene.rest(600, 1_500);
        scene.awaitHolder(0);
        RedisCluster cluster = scene.site().cluster();
        int slot = cluster.slotOf(scene.library().key(scene.name()));
        RedisProcess master = cluster.ownerOf(slot);
        RedisProcess replica = cluster.replicasOf(master).get(0);
        boolean dies = scene.random().nextBoolean();
        Runnable takeOver = () -> {
            if (dies) {
                master.kill();
            } else {
                replica.command("CLUSTER", "FAILOVER");
            }
            awaitRole(replica, "master");
        };
        if (dies) {
            scene.loss(() -> {
                scene.outage(takeOver);
                master.startAgain();
                awaitRole(master, "slave");
            });
        } else {
            // By order, the replica has all that the master has when it takes over.
            scene.outage(takeOver);
        }
    }),
    MOVED("the slot of the lock moves", World.REDIS_ONLY, Site::withCluster, 1, scene -> {
        RedisCluster cluster = scene.site().cluster();
        int slot = cluster.slotOf(scene.library().key(scene.name()));
        for (int time = 0; time < 2; time++) {
            scene.rest(600, 1_500);
            scene.awaitHolder(0);
            RedisProcess source = cluster.ownerOf(slot);
            RedisProcess target = cluster.masters().stream()
                    .filter(master -> master != source)
                    .findFirst()
                    .orElseThrow();
            RedisCluster.Move move = cluster.beginMove(slot, target);
            scene.rest(50, 300);
            move.moveKeys();
            scene.rest(50, 300);
            move.finish();
        }
    }),
    NODE_KILLED(
            "one of three servers dies (of ZooKeeper, the leader), and comes back, a Redis without its data",
            World.SEVERAL_SERVERS,
            Site::single,
            2,
            scene -> {
                scene.rest(600, 1_500);
                scene.awaitHolder(0);
                Server victim = scene.site().servers().get(scene.site().victim(scene.random()));
                victim.kill();
                // At once as well, when its data is missed most.
                if (scene.random().nextBoolean()) {
                    scene.restLeases(30, 130);
                }
                victim.startAgain();
            }),
    NODE_FLUSHED("one of three servers loses its data", World.QUORUM_ONLY, Site::quorum, 2, scene -> {
        for (int time = 0; time < 2; time++) {
            scene.rest(600, 1_500);
            scene.awaitHolder(0);
            scene.site().node(scene.site().victim(scene.random())).command("FLUSHALL");
            // Before the next is hit, the lock has been renewed or its lease is over.
            scene.restLeases(110, 130);
        }
    }),
    NODE_SPLIT(
            "two processes do not reach one server, the two others not another",
            World.SEVERAL_SERVERS,
            Site::single,
            2,
            scene -> {
                scene.rest(600, 1_500);
                scene.awaitHolder(0);
                int one = scene.site().victim(scene.random());
                int other = (one + 1) % scene.site().servers().size();
                List<Integer> processes =
                        IntStream.range(0, Workers.COUNT).boxed().toList();
                processes.forEach(process -> scene.site().network(process).part(process % 2 == 0 ? one : other));
                scene.restLeases(110, 170);
                processes.forEach(process -> scene.site().network(process).join(process % 2 == 0 ? one : other));
            });

    final String title;
    private final Set<World> worlds;
    private final Supplier<Site> site;

    /** How often it strikes a cell in half an hour's run. */
    final int episodes;

    final Consumer<Scene> strike;

    /** @param site of a single Redis, or one with replicas */
    Fault(String title, Set<World> worlds, Supplier<Site> site, int episodes, Consumer<Scene> strike) {
        this.title = title;
        this.worlds = worlds;
        this.site = site;
        this.episodes = episodes;
        this.strike = strike;
    }

    boolean strikes(Library library) {
        return worlds.contains(library.world) && (library != Library.REPLICA_ACKS || this == SENTINEL || this == SPLIT);
    }

    Site site(World world) {
        return world.site(site);
    }

    /** Other servers take over, or have to do without one: by a fault of this kind a lock may be given twice. */
    boolean isFailover() {
        return compareTo(SENTINEL) >= 0;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void restart(Scene scene) {
        scene.site().servers().forEach(Server::kill);
        scene.rest(100, 700);
        scene.site().servers().forEach(Server::startAgain);
        scene.site().awaitService();
    }

    private static void lead(Scene scene, RedisProcess target, List<Integer> processes) {
        for (int process : processes) {
            scene.site().network(process).leadTo(target.port());
            scene.site().network(process).cut();
        }
    }

    private static void awaitRole(RedisProcess node, String role) {
        for (int look = 0; look < 1_000; look++) {
            try {
                if (node.info("replication", "role").equals(role)) {
                    return;
                }
            } catch (UncheckedIOException steppingDown) {
                // It cuts its connections then.
            }
            Scene.rest(20);
        }
    }
}
