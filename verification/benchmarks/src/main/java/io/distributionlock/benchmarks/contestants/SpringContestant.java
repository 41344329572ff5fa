package io.distributionlock.benchmarks.contestants;

import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The lock registry of Spring Integration, on Spring's connection to Redis. */
public final class SpringContestant extends ContestantOnSpring {

    /** With a hash tag, which its documentation asks for in a Cluster. */
    public static final String REGISTRY_KEY = "{locks}";

    private final RedisLockRegistry registry;
    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
    private final long wait;

    /** @param renewed which is not its default */
    public SpringContestant(Terms terms, RedisLockType type, boolean renewed) {
        super(SpringRedis.withoutLibrary(terms));
        this.wait = terms.patience().toMillis();
        this.registry = new RedisLockRegistry(redis.bean(RedisConnectionFactory.class), REGISTRY_KEY, terms.lease());
        registry.setRedisLockType(type);
        if (renewed) {
            renewals.initialize();
            registry.setRenewalTaskScheduler(renewals);
        }
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        Lock lock = registry.obtain(name);
        return lock.tryLock(wait, TimeUnit.MILLISECONDS)
                ? redis.held(REGISTRY_KEY + ":" + name, () -> isUnlocked(lock))
                : null;
    }

    private static boolean isUnlocked(Lock lock) {
        try {
            lock.unlock();
            return true;
        } catch (ConcurrentModificationException lost) {
            return false;
        }
    }

    @Override
    public void close() {
        registry.destroy();
        renewals.shutdown();
        super.close();
    }
}
