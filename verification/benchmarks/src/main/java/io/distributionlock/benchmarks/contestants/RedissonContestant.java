package io.distributionlock.benchmarks.contestants;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its own defaults for pools and threads. */
public final class RedissonContestant implements Contestant {

    /** Which of its locks, and how. */
    public enum Mode {
        /** A lease of its own length, never renewed. */
        PLAIN,
        /** Without a lease: the watchdog renews it. */
        WATCHDOG,
        /** In the order of arrival, renewed by the watchdog. */
        FAIR,
        /** With a fencing token, renewed by the watchdog. */
        FENCED,
        /** One of {@link Contestants#PERMITS}, with a lease of its own length: it has no watchdog. */
        PERMITS
    }

    private static final long RENEWED = -1;

    private final SentCommands sent = new SentCommands();
    private final RedissonClient redisson;
    private final Mode mode;
    private final long lease;
    private final long wait;

    /** The names to which this process has given their number of permits, which is stored in Redis. */
    private final Set<String> withPermits = ConcurrentHashMap.newKeySet();

    public RedissonContestant(Terms terms, Mode mode) {
        Config config = terms.redis().redisson(terms.answer());
        config.setLockWatchdogTimeout(terms.lease().toMillis());
        config.setNettyHook(sent.forRedisson());
        this.redisson = Redisson.create(config);
        this.mode = mode;
        this.lease = terms.lease().toMillis();
        this.wait = terms.patience().toMillis();
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        return switch (mode) {
            case PERMITS -> acquirePermit(name);
            case FENCED -> acquire(redisson.getFencedLock(name));
            default -> acquire(lock(name));
        };
    }

    private @Nullable Held acquirePermit(String name) throws InterruptedException {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(name);
        if (withPermits.add(name)) {
            semaphore.trySetPermits(Contestants.PERMITS);
        }
        String permit = semaphore.tryAcquire(wait, lease, TimeUnit.MILLISECONDS);
        return permit == null ? null : () -> semaphore.tryRelease(permit);
    }

    private @Nullable Held acquire(RFencedLock lock) throws InterruptedException {
        Long token = lock.tryLockAndGetToken(wait, RENEWED, TimeUnit.MILLISECONDS);
        return token == null ? null : new FencedHeld(lock, token);
    }

    private RLock lock(String name) {
        return mode == Mode.FAIR ? redisson.getFairLock(name) : redisson.getLock(name);
    }

    private @Nullable Held acquire(RLock lock) throws InterruptedException {
        return lock.tryLock(wait, mode == Mode.PLAIN ? lease : RENEWED, TimeUnit.MILLISECONDS)
                ? new LockHeld(lock)
                : null;
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
        redisson.shutdown(0, 2, TimeUnit.SECONDS);
    }

    private static class LockHeld implements Held {

        private final RLock lock;

        LockHeld(RLock lock) {
            this.lock = lock;
        }

        /** Asks Redis. */
        @Override
        public boolean isHeld() {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public long leaseLeft() {
            return Math.max(0, lock.remainTimeToLive());
        }

        @Override
        public boolean release() {
            try {
                lock.unlock();
                return true;
            } catch (IllegalMonitorStateException lost) {
                return false;
            }
        }
    }

    private static final class FencedHeld extends LockHeld {

        private final long token;

        FencedHeld(RLock lock, long token) {
            super(lock);
            this.token = token;
        }

        @Override
        public long token() {
            return token;
        }
    }
}
