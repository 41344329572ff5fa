package io.distributionlock.benchmarks.simulation;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.model.ModelPort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries one engine's commands through the simulated network, each with its delay. One exception, which does not change the
 * engine's decisions: a release is answered at once, because the engine blocks the caller until the answer and nothing may block
 * here. The simulated thread waits for {@link #answersToReleases} instead.
 */
final class EnginePort implements CommandPort {

    private final World world;
    private final List<Connection> connections;
    private final List<CommandPort> backends = new ArrayList<>();
    private final List<CompletableFuture<?>> trueAnswers = new ArrayList<>();
    private final Runnable afterEvent;
    private @Nullable CommandListener engine;
    private boolean listening;

    /** @param afterEvent runs after every event of the engine */
    EnginePort(World world, EngineServers servers, Host host, String instance, Runnable afterEvent) {
        this.world = world;
        this.connections = world.connect(host);
        this.afterEvent = afterEvent;
        for (int i = 0; i < servers.count(); i++) {
            backends.add(ModelPort.connect(servers.backend(i), instance));
        }
    }

    /** The answers to the releases that were sent since this was asked last. */
    CompletableFuture<Void> answersToReleases() {
        CompletableFuture<Void> all = CompletableFuture.allOf(trueAnswers.toArray(CompletableFuture[]::new));
        trueAnswers.clear();
        return all;
    }

    @Override
    public void attach(CommandListener listener) {
        engine = listener;
        for (int i = 0; i < backends.size(); i++) {
            backends.get(i).attach(new Messages(connections.get(i)));
        }
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        int place = world.placeOf(name);
        return send(
                place,
                () -> backends.get(place).acquire(name, claim, leaseMillis, wait),
                reply -> reply instanceof AcquireReply.Busy);
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        int place = world.placeOf(name);
        trueAnswers.add(
                send(place, () -> backends.get(place).release(name, claim, tombstone, minHoldMillis), reply -> false));
        return CompletableFuture.completedFuture(ReleaseReply.RELEASED);
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<CompletableFuture<RenewReply>> answers = new ArrayList<>();
        for (Renewal renewal : renewals) {
            int place = world.placeOf(renewal.name());
            answers.add(send(
                    place, () -> backends.get(place).renew(List.of(renewal)).get(0), reply -> false));
        }
        return answers;
    }

    /** What is subscribed to is one channel of the process, which is published on the server of each lock. */
    @Override
    public void listen() {
        if (!listening) {
            listening = true;
            connections.get(0).send(() -> {
                backends.forEach(CommandPort::listen);
                return Costs.nanos(world.costs.plainCommand());
            });
        }
    }

    private interface Meaning<R> {
        boolean isOfQueue(R reply);
    }

    private <R> CompletableFuture<R> send(int place, Supplier<CompletableFuture<R>> atServer, Meaning<R> queueing) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        Connection connection = connections.get(place);
        connection.send(() -> {
            R reply = atServer.get().join();
            int sent = connection.messages();
            connection.answer(() -> {
                answer.complete(reply);
                afterEvent.run();
            });
            boolean ofQueue = sent > 0 || queueing.isOfQueue(reply);
            Costs costs = world.costs;
            return Costs.nanos(costs.script() + (ofQueue ? costs.queueing() : 0) + sent * costs.receiver());
        });
        return answer;
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        throw new UnsupportedOperationException("Not used in a simulation.");
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        throw new UnsupportedOperationException("Not used in a simulation.");
    }

    @Override
    public void close() {}

    /** A server's messages to this process, through its connection. */
    private final class Messages implements CommandListener {

        private final Connection connection;

        Messages(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void granted(String name, String claim) {
            connection.message(() -> deliver(listener -> listener.granted(name, claim)));
        }

        @Override
        public void revoked(String name, String claim) {
            connection.message(() -> deliver(listener -> listener.revoked(name, claim)));
        }

        @Override
        public void listening() {
            connections.get(0).answer(() -> deliver(CommandListener::listening));
        }

        @Override
        public void reconnected() {
            throw new IllegalStateException("The in-memory backend has no connections to lose.");
        }

        private void deliver(Consumer<CommandListener> what) {
            if (engine != null) {
                what.accept(engine);
                afterEvent.run();
            }
        }
    }
}
