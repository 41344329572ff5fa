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

    private static final long RENEWED = -1;

    private final RedissonClient redisson;
    private final Library library;

    RedissonLocks(Address redis, Library library) {
        Config config = redis.redisson();
        config.setLockWatchdogTimeout(LEASE.toMillis());
        this.redisson = Redisson.create(config);
        this.library = library;
    }

    @Override
    public @Nullable Hold acquire(String name) throws InterruptedException {
        RLock lock = switch (library) {
            case REDISSON_FAIR -> redisson.getFairLock(name);
            case REDISSON_FENCED -> redisson.getFencedLock(name);
            default -> redisson.getLock(name);
        };
        if (lock instanceof RFencedLock fenced) {
            Long token = fenced.tryLockAndGetToken(WAIT.toMillis(), RENEWED, TimeUnit.MILLISECONDS);
            return token == null ? null : new RedissonHold(lock, token);
        }
        long lease = library.renewed ? RENEWED : LEASE.toMillis();
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
