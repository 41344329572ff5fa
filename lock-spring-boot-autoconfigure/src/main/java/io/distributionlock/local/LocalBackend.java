package io.distributionlock.local;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.CommandPort;
import io.distributionlock.engine.CommandPort.Bidding;
import io.distributionlock.engine.LockInspection;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
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
 * The locks of one process, kept in memory under the same rules as those in Redis. Several executors that share one backend
 * exclude each other as separate processes do, which is how a test tries what happens between processes without a Redis.
 *
 * <p>Thread-safe; no method blocks for longer than another command takes. A name that is free takes no memory.
 */
public final class LocalBackend {

    private static final int SWEEP_FROM = 1_024;
    private static final long MESSENGER_IDLE_MILLIS = 500;

    private final LongSupplier nanoTime;
    private final Executor messenger;
    /** Held for a few steps in memory only, never while somebody is told something. */
    private final ReentrantLock turn = new ReentrantLock();

    private final Map<String, LocalLock> locks = new HashMap<>();
    private final Tombstones tombstones = new Tombstones();
    private final FenceClock fences;
    private final List<Message> outbox = new ArrayList<>();
    private int sweepAt = SWEEP_FROM;

    private final Map<String, LocalCommandPort> ports = new ConcurrentHashMap<>();

    /** A backend on this machine's clock. Messages travel on a daemon thread that ends when there is nothing to tell. */
    public LocalBackend() {
        this(System::nanoTime, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()), messengerThread());
    }

    /**
     * A backend whose time and messages are in the hands of its maker, for tests that want to choose them.
     *
     * @param nanoTime a monotonic clock, in nanoseconds
     * @param startMicros where the fencing numbers start: the present time in microseconds since 1970
     * @param messenger runs what tells a process of a hand-over, one at a time and in order; may run it at once
     */
    public LocalBackend(LongSupplier nanoTime, long startMicros, Executor messenger) {
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

    /**
     * Opens the way for the commands of one process.
     *
     * @param instance the name of the process, which begins the ids of its claims
     * @throws IllegalStateException if a process of this name is connected already
     */
    public CommandPort connect(String instance) {
        LocalCommandPort port = new LocalCommandPort(this, instance);
        if (ports.putIfAbsent(instance, port) != null) {
            throw new IllegalStateException("Instance '" + instance
                    + "' is connected already. Give every executor of one backend an instance name of its own.");
        }
        return port;
    }

    /**
     * Frees a lock whoever holds it, and hands it to the first waiter. Its holder is told that it has lost it.
     *
     * @return whether anybody held it
     */
    public boolean forceRelease(String name) {
        return command(name, now -> lock(name).forceRelease(now));
    }

    /** Forgets everything at once, as a server that restarts without its data does. Only the fencing numbers go on. */
    public void forgetEverything() {
        turn.lock();
        try {
            locks.clear();
            tombstones.clear();
        } finally {
            turn.unlock();
        }
    }

    /** The names that are held or waited for at this moment. */
    public List<String> namesInUse() {
        turn.lock();
        try {
            sweep(nanoTime.getAsLong());
            return List.copyOf(locks.keySet());
        } finally {
            turn.unlock();
        }
    }

    /**
     * The claims that hold a lock at this moment, {@code <instance>:<number>}: one that keeps all others out, or those of its
     * readers. Empty if it is free, or kept by nobody.
     */
    public List<String> holders(String name) {
        return command(name, now -> lock(name).holders(now));
    }

    /** The claims that wait for a lock, in their order. */
    public List<String> waiters(String name) {
        return command(name, now -> lock(name).waiters(now));
    }

    /** How many names take memory at this moment, in use or not yet dropped. */
    int rememberedNames() {
        turn.lock();
        try {
            return locks.size();
        } finally {
            turn.unlock();
        }
    }

    AcquireReply acquire(String name, String claim, long leaseMillis, boolean wait) {
        return command(name, now -> acquire(name, claim, leaseMillis, wait, now));
    }

    private AcquireReply acquire(String name, String claim, long leaseMillis, boolean wait, long now) {
        return tombstones.isBuried(name, claim, now)
                ? new AcquireReply.Gone()
                : lock(name).acquire(claim, TimeUnit.MILLISECONDS.toNanos(leaseMillis), wait, now);
    }

    List<AcquireReply> acquireAll(String name, List<Bidding> biddings) {
        return command(name, now -> {
            LocalLock lock = lock(name);
            lock.beat(biddings.get(0).claim(), now);
            List<AcquireReply> replies = new ArrayList<>(biddings.size());
            for (Bidding bidding : biddings) {
                replies.add(lock.busyIfWaiting(bidding.claim(), now));
            }
            for (int i = 0; i < replies.size(); i++) {
                if (replies.get(i) == null) {
                    Bidding absent = biddings.get(i);
                    replies.set(i, acquire(name, absent.claim(), absent.leaseMillis(), true, now));
                }
            }
            return replies;
        });
    }

    ReleaseReply release(String name, String claim, boolean bury, long keepMillis) {
        return command(name, now -> {
            tombstones.dropOutdated(now);
            if (bury) {
                tombstones.bury(name, claim, now);
            }
            return lock(name).release(claim, TimeUnit.MILLISECONDS.toNanos(keepMillis), now);
        });
    }

    ReleaseReply downgrade(String name, String claim) {
        return command(name, now -> lock(name).downgrade(claim, now));
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

    void disconnect(LocalCommandPort port) {
        ports.remove(port.instance(), port);
    }

    Executor messenger() {
        return messenger;
    }

    private LocalLock lock(String name) {
        return locks.computeIfAbsent(name, absent -> new LocalLock(absent, fences, outbox::add));
    }

    private <R> R command(String name, LongFunction<R> step) {
        R reply;
        List<Message> messages;
        turn.lock();
        try {
            long now = nanoTime.getAsLong();
            reply = step.apply(now);
            forgetIfFree(name, now);
            messages = List.copyOf(outbox);
            outbox.clear();
        } finally {
            turn.unlock();
        }
        messages.forEach(this::send);
        return reply;
    }

    private void send(Message message) {
        LocalCommandPort receiver = ports.get(message.instance());
        if (receiver != null) {
            receiver.tell(message.content());
        }
    }

    private void forgetIfFree(String name, long now) {
        LocalLock lock = locks.get(name);
        if (lock != null && lock.isForgettable(now)) {
            locks.remove(name);
        }
        if (locks.size() >= sweepAt) {
            sweep(now);
            sweepAt = Math.max(SWEEP_FROM, 2 * locks.size());
        }
    }

    /** Drops names whose owner vanished without a release and that nobody has asked for since. */
    private void sweep(long now) {
        locks.values().removeIf(lock -> lock.isForgettable(now));
    }
}
