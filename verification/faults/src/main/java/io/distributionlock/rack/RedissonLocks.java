package io.distributionlock.rack;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its own defaults; asks {@link RLock#isHeldByCurrentThread()}, and so Redis, before each step. */
final class RedissonLocks implements Contestant {

    enum Mode {
        LEASE,
        WATCHDOG,
        FAIR,
        FENCED
    }

    private static final long RENEWED = -1;

    private final RedissonClient redisson;
    private final Mode mode;

    RedissonLocks(Address redis, Mode mode) {
        Config config = redis.redisson();
        config.setLockWatchdogTimeout(LEASE.toMillis());
        this.redisson = Redisson.create(config);
        this.mode = mode;
    }

    @Override
    public @Nullable Hold acquire(String name) throws InterruptedException {
        RLock lock = switch (mode) {
            case FAIR -> redisson.getFairLock(name);
            case FENCED -> redisson.getFencedLock(name);
            case LEASE, WATCHDOG -> redisson.getLock(name);
        };
        if (lock instanceof RFencedLock fenced) {
            Long token = fenced.tryLockAndGetToken(WAIT.toMillis(), RENEWED, TimeUnit.MILLISECONDS);
            return token == null ? null : new RedissonHold(lock, token);
        }
        long lease = mode == Mode.LEASE ? LEASE.toMillis() : RENEWED;
        return lock.tryLock(WAIT.toMillis(), lease, TimeUnit.MILLISECONDS) ? new RedissonHold(lock, 0) : null;
    }

    @Override
    public void close() {
        redisson.shutdown(0, 2, TimeUnit.SECONDS);
    }

    private record RedissonHold(RLock lock, long token) implements Hold {

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
}
