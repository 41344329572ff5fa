package io.distributionlock.rack;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ValueOperations;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The locks on Spring's connection to Redis. None says before the release whether it is held. */
final class SpringLocks implements Contestant {

    /** Acquires a lock; gives what releases it, or null. */
    @FunctionalInterface
    private interface Acquiring {

        @Nullable
        BooleanSupplier acquire(String name) throws Exception;
    }

    private final SpringApplicationOn application;
    private final Library library;
    private final Acquiring locks;
    private Runnable end = () -> {};

    SpringLocks(Address redis, Library library) {
        this.application = new SpringApplicationOn(redis, false);
        this.library = library;
        this.locks = switch (library) {
            case LOCK4J -> lock4j(new LockTemplate(), application.bean(StringRedisTemplate.class));
            case SPRING_INTEGRATION -> registry(RedisLockType.SPIN_LOCK, false);
            case SPRING_INTEGRATION_PUBSUB -> registry(RedisLockType.PUB_SUB_LOCK, true);
            case SHEDLOCK -> shedlock(new RedisLockProvider(application.bean(RedisConnectionFactory.class)));
            default -> broken(application.bean(StringRedisTemplate.class).opsForValue());
        };
    }

    /** As its annotation does without {@code expire}: with the properties' expiry, renewed. */
    private static Acquiring lock4j(LockTemplate locks, StringRedisTemplate redis) {
        Lock4jProperties properties = new Lock4jProperties();
        properties.setExpire(LEASE.toMillis());
        locks.setProperties(properties);
        locks.setExecutors(List.of(new RedisTemplateLockExecutor(redis, properties)));
        try {
            locks.afterPropertiesSet();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
        return name -> {
            LockInfo lock = locks.lock(name, -1, WAIT.toMillis());
            return lock == null ? null : () -> locks.releaseLock(lock);
        };
    }

    private Acquiring registry(RedisLockType type, boolean renewed) {
        RedisLockRegistry registry =
                new RedisLockRegistry(application.bean(RedisConnectionFactory.class), Library.REGISTRY, LEASE);
        registry.setRedisLockType(type);
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        if (renewed) {
            scheduler.initialize();
            registry.setRenewalTaskScheduler(scheduler);
        }
        end = () -> {
            registry.destroy();
            scheduler.shutdown();
        };
        return name -> {
            Lock lock = registry.obtain(name);
            return lock.tryLock(WAIT.toMillis(), TimeUnit.MILLISECONDS) ? () -> isUnlocked(lock) : null;
        };
    }

    private static boolean isUnlocked(Lock lock) {
        try {
            lock.unlock();
            return true;
        } catch (ConcurrentModificationException lost) {
            return false;
        }
    }

    private static Acquiring shedlock(LockProvider provider) {
        return name -> provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO))
                .map(lock -> silently(lock::unlock))
                .orElse(null);
    }

    /** What many have written: nobody asks whose lock it is that is deleted, and nobody looks whether it is held yet. */
    private static Acquiring broken(ValueOperations<String, String> redis) {
        return name -> {
            String key = Library.BROKEN.key(name);
            long end = System.nanoTime() + WAIT.toNanos();
            while (!Boolean.TRUE.equals(redis.setIfAbsent(key, "taken", LEASE))) {
                if (System.nanoTime() > end) {
                    return null;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            return silently(() -> redis.getOperations().delete(key));
        };
    }

    private static BooleanSupplier silently(Runnable release) {
        return () -> {
            release.run();
            return true;
        };
    }

    @Override
    public @Nullable Hold acquire(String name) throws Exception {
        BooleanSupplier release = locks.acquire(name);
        return release == null ? null : new KeyHold(library.key(name), release);
    }

    @Override
    public void close() {
        end.run();
        application.close();
    }

    private final class KeyHold implements Hold {

        private final String key;
        private final BooleanSupplier release;

        KeyHold(String key, BooleanSupplier release) {
            this.key = key;
            this.release = release;
        }

        @Override
        public long leaseLeft() {
            return application.millisLeft(key);
        }

        @Override
        public boolean release() {
            return release.getAsBoolean();
        }
    }
}
