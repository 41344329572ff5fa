package io.distributionlock.benchmarks.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The servers' state for designs without a queue: the holder of each lock, and the processes subscribed to its releases. */
final class TokenServers {

    private final World world;
    private final Map<String, String> holders = new HashMap<>();
    private final Map<String, Set<Link>> subscribers = new HashMap<>();

    TokenServers(World world) {
        this.world = world;
    }

    /** @param released receives the name of each released lock that the process has subscribed to */
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

        /** @param notifySubscribers whether subscribers receive a message */
        void unlock(String name, String owner, boolean notifySubscribers, Runnable answered) {
            Connection connection = connectionFor(name);
            connection.send(() -> {
                if (!holders.remove(name, owner)) {
                    throw new IllegalStateException(owner + " releases '" + name + "', which it does not hold.");
                }
                if (notifySubscribers) {
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
