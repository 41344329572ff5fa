package io.distributionlock.benchmarks.contestants;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its own defaults for pools and threads. */
final class RedissonContestant implements Contestant {

    enum Mode {
        /** A lease of its own length, never renewed. */
        PLAIN,
        /** Without a lease: the watchdog renews it. */
        WATCHDOG,
        /** In the order of arrival, renewed by the watchdog. */
        FAIR,
        /** One of {@link Contestants#PERMITS}, with a lease of its own length: it has no watchdog. */
        PERMITS
    }

    private static final long RENEWED = -1;

    private final SentCommands sent = new SentCommands();
    private final RedissonClient redisson;
    private final Mode mode;

    /** The names to which this process has given their number of permits, which is stored in Redis. */
    private final Set<String> withPermits = ConcurrentHashMap.newKeySet();

    RedissonContestant(int port, Mode mode) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setTimeout((int)
                Contestants.COMMAND_TIMEOUT.toMillis());
        config.setLockWatchdogTimeout(Contestants.LEASE.toMillis());
        config.setNettyHook(sent.forRedisson());
        this.redisson = Redisson.create(config);
        this.mode = mode;
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        return mode == Mode.PERMITS ? acquirePermit(name) : acquire(lock(name));
    }

    private @Nullable Held acquirePermit(String name) throws InterruptedException {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(name);
        if (withPermits.add(name)) {
            semaphore.trySetPermits(Contestants.PERMITS);
        }
        String permit =
                semaphore.tryAcquire(Contestants.WAIT.toMillis(), Contestants.LEASE.toMillis(), TimeUnit.MILLISECONDS);
        return permit == null ? null : () -> semaphore.release(permit);
    }

    private RLock lock(String name) {
        return mode == Mode.FAIR ? redisson.getFairLock(name) : redisson.getLock(name);
    }

    private @Nullable Held acquire(RLock lock) throws InterruptedException {
        long lease = mode == Mode.PLAIN ? Contestants.LEASE.toMillis() : RENEWED;
        return lock.tryLock(Contestants.WAIT.toMillis(), lease, TimeUnit.MILLISECONDS) ? lock::unlock : null;
    }

    @Override
    public Held acquireTogether(List<String> names) throws InterruptedException {
        Held held = acquire(redisson.getMultiLock(names.stream().map(this::lock).toArray(RLock[]::new)));
        if (held == null) {
            throw new IllegalStateException("Locks that nobody has were not to be had: " + names.size());
        }
        return held;
    }

    @Override
    public SentCommands sent() {
        return sent;
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
