package io.distributionlock.benchmarks.simulation;

import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;

/** Servers and what is between them and the processes. */
final class World {

    final Events events = new Events();
    final Random random;
    final Costs costs;
    private final Network network;
    private final List<Server> servers = new ArrayList<>();

    World(long seed, Duration roundTrip, Costs costs) {
        this.random = new Random(seed);
        this.network = new Network(events, random, roundTrip);
        this.costs = costs;
    }

    void add(Server server) {
        servers.add(server);
    }

    List<Server> servers() {
        return servers;
    }

    /** Which of the servers keeps this name: Cluster divides its slots among them evenly. */
    int placeOf(String name) {
        return SlotHash.getSlot(name) * servers.size() / SlotHash.SLOT_COUNT;
    }

    /** A process's connections to every server. */
    List<Connection> connect(Host client) {
        return servers.stream()
                .map(server -> new Connection(server, client, network.way(), network.way(), Costs.nanos(costs.reply())))
                .toList();
    }

    long total(ToLongFunction<Server> what) {
        return servers.stream().mapToLong(what).sum();
    }
}
