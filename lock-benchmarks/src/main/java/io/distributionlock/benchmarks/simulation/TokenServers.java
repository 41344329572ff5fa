package io.distributionlock.benchmarks.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What the servers keep for designs without a queue: who has a lock, and which processes have subscribed to its releases. */
final class TokenServers {

    private final World world;
    private final Map<String, String> holders = new HashMap<>();
    private final Map<String, Set<Link>> subscribers = new HashMap<>();

    TokenServers(World world) {
        this.world = world;
    }

    /** @param released is told the name of each lock that was released, if the process has subscribed to it */
    Link connect(Host host, Consumer<String> released) {
        return new Link(world.connect(host), released);
    }

    /** One process's commands. */
    final class Link {

        private final List<Connection> connections;
        private final Consumer<String> released;

        private Link(List<Connection> connections, Consumer<String> released) {
            this.connections = new ArrayList<>(connections);
            this.released = released;
        }

        private Connection connectionFor(String name) {
            return connections.get(world.placeOf(name));
        }

        /** A single attempt to take it. */
        void tryLock(String name, String owner, Consumer<Boolean> answered) {
            Connection connection = connectionFor(name);
            connection.send(() -> {
                boolean got = holders.putIfAbsent(name, owner) == null;
                connection.answer(() -> answered.accept(got));
                return Costs.nanos(world.costs.script());
            });
        }

        /** @param tellSubscribers whether everybody who has subscribed is told */
        void unlock(String name, String owner, boolean tellSubscribers, Runnable answered) {
            Connection connection = connectionFor(name);
            connection.send(() -> {
                if (!holders.remove(name, owner)) {
                    throw new IllegalStateException(owner + " releases '" + name + "', which it does not hold.");
                }
                if (tellSubscribers) {
                    for (Link subscriber : subscribers.getOrDefault(name, Set.of())) {
                        subscriber.connectionFor(name).message(() -> subscriber.released.accept(name));
                    }
                }
                connection.answer(answered);
                return Costs.nanos(world.costs.script() + connection.messages() * world.costs.receiver());
            });
        }

        void subscribe(String name, Runnable answered) {
            Connection connection = connectionFor(name);
            connection.send(() -> {
                subscribers
                        .computeIfAbsent(name, unused -> new LinkedHashSet<>())
                        .add(this);
                connection.answer(answered);
                return Costs.nanos(world.costs.plainCommand());
            });
        }

        void unsubscribe(String name) {
            connectionFor(name).send(() -> {
                Set<Link> all = subscribers.getOrDefault(name, Set.of());
                all.remove(this);
                if (all.isEmpty()) {
                    subscribers.remove(name);
                }
                return Costs.nanos(world.costs.plainCommand());
            });
        }
    }
}
