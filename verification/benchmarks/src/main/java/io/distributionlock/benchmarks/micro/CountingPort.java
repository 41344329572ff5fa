package io.distributionlock.benchmarks.micro;

import io.distributionlock.LockKind;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the commands that would travel to Redis. */
final class CountingPort implements CommandPort {

    private final CommandPort port;
    private final AtomicLong commands = new AtomicLong();

    CountingPort(CommandPort port) {
        this.port = port;
    }

    long commands() {
        return commands.get();
    }

    private CommandPort counted() {
        commands.incrementAndGet();
        return port;
    }

    @Override
    public Set<LockKind> kinds() {
        return port.kinds();
    }

    @Override
    public void attach(CommandListener listener) {
        port.attach(listener);
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        return counted().acquire(name, claim, leaseMillis, wait);
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return counted().release(name, claim, tombstone, minHoldMillis);
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        return counted().renew(renewals);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return counted().isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return counted().forceRelease(name);
    }

    @Override
    public void listen() {
        port.listen();
    }

    @Override
    public void close() {
        port.close();
    }
}
