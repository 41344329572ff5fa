package io.distributionlock.model;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.monitor.LockInspection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * The rules of the Redis scripts in Java: {@code ScriptsAndMemoryTest} compares both, and simulated processes have it for their server, on
 * a clock of theirs.
 *
 * <p>Thread-safe; no method blocks for longer than another command takes. A free name uses no memory.
 */
public final class ModelBackend {

    private static final int SWEEP_FROM = 1_024;
    private static final long MESSENGER_IDLE_MILLIS = 500;

    /** For processes that are gone. */
    private static final long STANDARD_GRANT_LEASE_NANOS =
            EngineSettings.standard("gone").grantLeaseNanos();

    private final LongSupplier nanoTime;
    private final Executor messenger;
    /** Held for a few steps in memory, never while a message is sent. */
    private final ReentrantLock mutex = new ReentrantLock();

    private final Map<String, ModelLock> locks = new HashMap<>();
    private final Tombstones tombstones = new Tombstones();
    private final FenceClock fences;
    private final List<ModelMessage> outbox = new ArrayList<>();
    private int sweepAt = SWEEP_FROM;

    private final Map<String, ModelPort> ports = new ConcurrentHashMap<>();

    /** Creates a backend on the system clock. A daemon thread delivers messages, and ends when there are none. */
    public ModelBackend() {
        this(System::nanoTime, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()), messengerThread());
    }

    /**
     * Creates a backend for a test that controls its time and messages.
     *
     * @param nanoTime a monotonic clock, in nanoseconds
     * @param startMicros where the fencing numbers start: the present time in microseconds since 1970
     * @param messenger delivers messages, one at a time and in order; may run them at once
     */
    public ModelBackend(LongSupplier nanoTime, long startMicros, Executor messenger) {
        this.nanoTime = nanoTime;
        this.messenger = messenger;
        this.fences = new FenceClock(nanoTime.getAsLong(), startMicros);
    }

    private static Executor messengerThread() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, MESSENGER_IDLE_MILLIS, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "distribution-lock-local-messenger");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    ModelPort connect(EngineSettings settings) {
        ModelPort port = new ModelPort(this, settings);
        if (ports.putIfAbsent(settings.instance(), port) != null) {
            throw new IllegalStateException("Instance '" + settings.instance()
                    + "' is already connected. Give every executor of one backend its own instance name.");
        }
        return port;
    }

    /**
     * Frees a lock regardless of its holder, which is notified of the loss, and hands it over to the first waiter.
     *
     * @return whether the lock was held
     */
    public boolean forceRelease(String name) {
        return command(name, now -> lock(name).forceRelease(now));
    }

    /** Forgets everything, like a server that restarts without its data. Only the fencing numbers continue. */
    public void forgetEverything() {
        mutex.lock();
        try {
            locks.clear();
            tombstones.clear();
        } finally {
            mutex.unlock();
        }
    }

    /** Returns the names that are held or waited for at present. */
    public List<String> namesInUse() {
        mutex.lock();
        try {
            sweep(nanoTime.getAsLong());
            return List.copyOf(locks.keySet());
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Returns the claims that own a lock at present, {@code <instance>:<number>}: one exclusive claim, or those of its readers.
     * Empty if the lock is free, or only taken for the rest of a minimum hold time.
     */
    public List<String> holders(String name) {
        return command(name, now -> lock(name).holders(now));
    }

    /** Returns the claims that wait for a lock, in their order. */
    public List<String> waiters(String name) {
        return command(name, now -> lock(name).waiters(now));
    }

    /** How many names use memory at present, in use or not yet dropped. */
    int rememberedNames() {
        mutex.lock();
        try {
            return locks.size();
        } finally {
            mutex.unlock();
        }
    }

    AcquireReply acquire(String name, String claim, long leaseMillis, boolean wait) {
        return command(name, now -> acquire(name, claim, leaseMillis, wait, now));
    }

    AcquireReply acquireUncontended(String name, String claim, long leaseMillis, boolean wait) {
        return command(
                name,
                now -> lock(name).acquireUncontended(claim, TimeUnit.MILLISECONDS.toNanos(leaseMillis), now)
                        ? new AcquireReply.Ok(0, 0)
                        : acquire(name, claim, leaseMillis, wait, now));
    }

    long number(String name, String claim) {
        return command(name, now -> lock(name).number(claim, now));
    }

    private AcquireReply acquire(String name, String claim, long leaseMillis, boolean wait, long now) {
        return tombstones.contains(name, claim, now)
                ? new AcquireReply.Gone()
                : lock(name).acquire(claim, TimeUnit.MILLISECONDS.toNanos(leaseMillis), wait, now);
    }

    List<AcquireReply> acquireAll(String name, List<HeartbeatEntry> entries) {
        return command(name, now -> {
            ModelLock lock = lock(name);
            lock.heartbeat(entries.get(0).claim(), now);
            // All are looked for before the first that is absent acquires the lock.
            List<AcquireReply> replies = new ArrayList<>(entries.size());
            entries.forEach(entry -> replies.add(lock.busyIfWaiting(entry.claim(), now)));
            for (int i = 0; i < entries.size(); i++) {
                if (replies.get(i) == null) {
                    HeartbeatEntry absent = entries.get(i);
                    replies.set(i, acquire(name, absent.claim(), absent.leaseMillis(), true, now));
                }
            }
            return replies;
        });
    }

    ReleaseReply release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return command(name, now -> {
            tombstones.dropOutdated(now);
            if (tombstone) {
                tombstones.add(name, claim, now);
            }
            return lock(name).release(claim, TimeUnit.MILLISECONDS.toNanos(minHoldMillis), now);
        });
    }

    RenewReply renew(String name, String claim, long leaseMillis) {
        return command(name, now -> lock(name).renew(claim, TimeUnit.MILLISECONDS.toNanos(leaseMillis), now));
    }

    boolean isLocked(String name) {
        return command(name, now -> lock(name).isOwned(now));
    }

    LockInspection inspect(String name) {
        return command(name, now -> lock(name).inspect(now));
    }

    void disconnect(ModelPort port) {
        ports.remove(port.instance(), port);
    }

    Executor messenger() {
        return messenger;
    }

    private ModelLock lock(String name) {
        return locks.computeIfAbsent(name, absent -> new ModelLock(absent, fences, outbox::add, this::grantLeaseNanos));
    }

    /** A claim is trusted for as long as its own process believes. */
    private long grantLeaseNanos(String instance) {
        ModelPort port = ports.get(instance);
        return port == null ? STANDARD_GRANT_LEASE_NANOS : port.grantLeaseNanos();
    }

    private <R> R command(String name, LongFunction<R> step) {
        R reply;
        List<ModelMessage> messages;
        mutex.lock();
        try {
            long now = nanoTime.getAsLong();
            reply = step.apply(now);
            forgetIfFree(name, now);
            messages = List.copyOf(outbox);
            outbox.clear();
        } finally {
            mutex.unlock();
        }
        messages.forEach(this::send);
        return reply;
    }

    private void send(ModelMessage message) {
        ModelPort receiver = ports.get(message.instance());
        if (receiver != null) {
            receiver.deliver(message.content());
        }
    }

    private void forgetIfFree(String name, long now) {
        ModelLock lock = locks.get(name);
        if (lock != null && lock.isForgettable(now)) {
            locks.remove(name);
        }
        if (locks.size() >= sweepAt) {
            sweep(now);
            sweepAt = Math.max(SWEEP_FROM, 2 * locks.size());
        }
    }

    /** Drops names whose owner crashed and that nobody has asked for since. */
    private void sweep(long now) {
        locks.values().removeIf(lock -> lock.isForgettable(now));
    }
}
