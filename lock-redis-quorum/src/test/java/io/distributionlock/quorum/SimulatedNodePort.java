package io.distributionlock.quorum;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A connection that is slow, loses commands and answers, runs commands twice, and lets them overtake each other. */
final class SimulatedNodePort implements CommandPort {

    private final SimulatedServer server;
    private final VirtualScheduler scheduler;
    private final Random random;

    /** In thousandths. */
    private final int lossRate;

    SimulatedNodePort(SimulatedServer server, VirtualScheduler scheduler, Random random, int lossRate) {
        this.server = server;
        this.scheduler = scheduler;
        this.random = random;
        this.lossRate = lossRate;
    }

    @Override
    public void attach(CommandListener listener) {}

    private <T> CompletableFuture<T> send(Supplier<T> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (lost()) {
            return answer;
        }
        scheduler.schedule(delay(), () -> {
            if (!server.down) {
                T reply = command.get();
                if (!lost()) {
                    scheduler.schedule(delay(), () -> answer.complete(reply));
                }
            }
        });
        if (lost()) {
            // A copy, much later, whose answer nobody hears.
            CompletableFuture<T> unheard = new CompletableFuture<>();
            scheduler.schedule(delay() + random.nextInt(2_000) * 1_000_000L, () -> {
                if (!server.down) {
                    unheard.complete(command.get());
                }
            });
        }
        return answer;
    }

    private boolean lost() {
        return random.nextInt(1000) < lossRate;
    }

    /** Mostly a millisecond; where answers get lost, rarely as long as the time per node, or longer. */
    private long delay() {
        return server.extraDelayNanos + usualDelay();
    }

    private long usualDelay() {
        return lossRate > 0 && random.nextInt(50) == 0
                ? random.nextInt(300_000_000)
                : 100_000 + random.nextInt(2_000_000);
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        return send(() -> server.acquire(name, claim, leaseMillis));
    }

    @Override
    public CompletableFuture<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
        return send(() -> server.raise(name, claim, fence, leastUptimeSeconds));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return send(() -> server.release(name, claim, tombstone, minHoldMillis));
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<CommandPort.Renewal> renewals) {
        return renewals.stream()
                .map(renewal -> send(() -> server.renew(renewal.name(), renewal.claim(), renewal.leaseMillis())))
                .toList();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return send(() -> server.isLocked(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void listen() {}

    @Override
    public void close() {}
}
