package io.distributionlock.model;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.monitor.LockInspection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects one process to a {@link ModelBackend}. A command has run, and its future is complete, when its method returns.
 */
public final class ModelPort implements CommandPort {

    private final ModelBackend backend;
    private final String instance;
    private final long grantLeaseNanos;
    private final AtomicBoolean listening = new AtomicBoolean();
    private volatile @Nullable CommandListener listener;
    private volatile boolean closed;

    ModelPort(ModelBackend backend, EngineSettings settings) {
        this.backend = backend;
        this.instance = settings.instance();
        this.grantLeaseNanos = settings.grantLeaseNanos();
    }

    /** Connects the process of this name, with the standard settings. */
    public static CommandPort connect(ModelBackend backend, String instance) {
        return connect(backend, EngineSettings.standard(instance));
    }

    /**
     * Connects one process.
     *
     * @param settings name the process, with which the ids of its claims begin, and say how long a lock stays with a waiter that was
     *     granted it by hand-over
     * @throws IllegalStateException if a process of this name is already connected
     */
    public static CommandPort connect(ModelBackend backend, EngineSettings settings) {
        return backend.connect(settings);
    }

    String instance() {
        return instance;
    }

    long grantLeaseNanos() {
        return grantLeaseNanos;
    }

    @Override
    public void attach(CommandListener listener) {
        this.listener = listener;
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        return answer(() -> backend.acquire(name, claim, leaseMillis, wait));
    }

    @Override
    public CompletableFuture<AcquireReply> acquireUncontended(
            String name, String claim, long leaseMillis, boolean wait) {
        return answer(() -> backend.acquireUncontended(name, claim, leaseMillis, wait));
    }

    @Override
    public CompletableFuture<Long> number(String name, String claim, long leaseMillis) {
        return answer(() -> backend.number(name, claim));
    }

    @Override
    public int maxHeartbeatEntries() {
        return MAX_HEARTBEAT_ENTRIES;
    }

    @Override
    public CompletableFuture<List<AcquireReply>> acquireAll(String name, List<HeartbeatEntry> entries) {
        return answer(() -> backend.acquireAll(name, entries));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return answer(() -> backend.release(name, claim, tombstone, minHoldMillis));
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        return renewals.stream()
                .map(renewal -> answer(() -> backend.renew(renewal.name(), renewal.claim(), renewal.leaseMillis())))
                .toList();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return answer(() -> backend.isLocked(name));
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return answer(() -> backend.inspect(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return answer(() -> backend.forceRelease(name));
    }

    @Override
    public void listen() {
        if (listening.compareAndSet(false, true)) {
            deliver(CommandListener::listening);
        }
    }

    @Override
    public void close() {
        closed = true;
        backend.disconnect(this);
    }

    /** Delivers a message on the backend's messenger. Like a channel, loses it if nobody listens. */
    void deliver(Consumer<CommandListener> message) {
        CommandListener receiver = listener;
        if (receiver != null && listening.get()) {
            backend.messenger().execute(() -> {
                if (!closed) {
                    message.accept(receiver);
                }
            });
        }
    }

    private <R> CompletableFuture<R> answer(Supplier<R> command) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("The command port of instance '" + instance + "' is closed."));
        }
        try {
            return CompletableFuture.completedFuture(command.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
