package io.distributionlock.local;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.monitor.LockInspection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one process, in memory. Executors that share one backend exclude each other as separate processes do, so a test can
 * cover several processes without Redis.
 *
 * <p>Thread-safe. A free name uses no memory.
 */
public final class LocalBackend {

    /** Held only for a few steps in memory. */
    private final ReentrantLock mutex = new ReentrantLock();

    private final Map<String, LocalLock> locks = new HashMap<>();
    private final Set<String> abandoned = Collections.newSetFromMap(new Latest());
    private final Map<String, Port> ports = new ConcurrentHashMap<>();

    /** Delivers messages on a thread of its own, because callers may hold locks. */
    private final Executor messenger = DaemonThreads.single("distribution-lock-local-messenger");

    private long lastNumber;

    /** Creates a backend without locks. */
    public LocalBackend() {}

    /** Returns the names that are held or waited for at present. */
    public List<String> namesInUse() {
        mutex.lock();
        try {
            long now = System.nanoTime();
            locks.values().forEach(lock -> lock.expire(now));
            locks.values().removeIf(LocalLock::isFree);
            return List.copyOf(locks.keySet());
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Connects a process.
     *
     * @throws IllegalStateException if one of this name is connected
     */
    CommandPort connect(String instance) {
        Port port = new Port(instance);
        if (ports.putIfAbsent(instance, port) != null) {
            throw new IllegalStateException("Instance '" + instance
                    + "' is already connected. Give every executor of one backend its own instance name.");
        }
        return port;
    }

    /** The time, or the last number plus one if that is greater, as in Redis. */
    private long nextNumber() {
        lastNumber = Math.max(lastNumber + 1, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        return lastNumber;
    }

    private void deliver(String claim, Consumer<CommandListener> message) {
        messenger.execute(() -> {
            Port port = ports.get(ClaimIds.instanceOf(claim));
            CommandListener listener = port == null ? null : port.listener;
            if (listener != null) {
                message.accept(listener);
            }
        });
    }

    /** Claims that were given up, perhaps before their acquire came. It comes soon or never, so the latest are enough. */
    private static final class Latest extends LinkedHashMap<String, Boolean> {

        private static final int MAX_SIZE = 10_000;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_SIZE;
        }
    }

    private interface Command<R> {

        R run(LocalLock lock, long now);
    }

    /** A command has run, and its future is complete, when its method returns. */
    private final class Port implements CommandPort {

        private final String instance;
        private volatile @Nullable CommandListener listener;

        Port(String instance) {
            this.instance = instance;
        }

        private <R> CompletableFuture<R> run(String name, Command<R> command) {
            if (ports.get(instance) != this) {
                return CompletableFuture.failedFuture(
                        new IllegalStateException("The command port of instance '" + instance + "' is closed."));
            }
            mutex.lock();
            try {
                long now = System.nanoTime();
                LocalLock lock = locks.computeIfAbsent(name, absent -> new LocalLock(LocalBackend.this::nextNumber));
                lock.expire(now);
                R answer = command.run(lock, now);
                if (lock.isFree()) {
                    locks.remove(name);
                }
                return CompletableFuture.completedFuture(answer);
            } finally {
                mutex.unlock();
            }
        }

        private Consumer<String> grants(String name) {
            return claim -> deliver(claim, process -> process.granted(name, claim));
        }

        @Override
        public void attach(CommandListener engine) {
            listener = engine;
        }

        @Override
        public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
            return run(
                    name,
                    (lock, now) -> abandoned.contains(claim)
                            ? new AcquireReply.Gone()
                            : lock.acquire(claim, nanos(leaseMillis), wait, now, grants(name)));
        }

        @Override
        public CompletableFuture<ReleaseReply> release(
                String name, String claim, boolean tombstone, long minHoldMillis) {
            return run(name, (lock, now) -> {
                if (tombstone) {
                    abandoned.add(claim);
                }
                return lock.release(claim, nanos(minHoldMillis), now, grants(name));
            });
        }

        @Override
        public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(each ->
                            run(each.name(), (lock, now) -> lock.renew(each.claim(), nanos(each.leaseMillis()), now)))
                    .toList();
        }

        @Override
        public CompletableFuture<Boolean> isLocked(String name) {
            return run(name, (lock, now) -> lock.isHeld());
        }

        @Override
        public CompletableFuture<LockInspection> inspect(String name) {
            return run(name, (lock, now) -> lock.inspect(name, now));
        }

        @Override
        public CompletableFuture<Boolean> forceRelease(String name) {
            return run(name, (lock, now) -> {
                boolean held = lock.isHeld();
                lock.forceRelease(now, grants(name))
                        .forEach(claim -> deliver(claim, process -> process.revoked(name, claim)));
                return held;
            });
        }

        /** Messages are received from the beginning. */
        @Override
        public void listen() {}

        @Override
        public void close() {
            ports.remove(instance, this);
        }

        private static long nanos(long millis) {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }
}
