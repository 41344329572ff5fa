package io.distributionlock.benchmarks.contestants;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * lock4j on Spring's Redis template, with its default pause of 100 ms between attempts and a lease that is not renewed (renewing
 * costs it a thread per lock). Its auto-configuration is made for Spring Boot 2, so it is put together here as it would be there.
 */
final class Lock4jContestant implements Contestant {

    private final SpringRedis redis;
    private final LockTemplate locks;

    Lock4jContestant(int port) {
        this.redis = SpringRedis.withoutLibrary(port);
        Lock4jProperties properties = new Lock4jProperties();
        this.locks = new LockTemplate();
        locks.setProperties(properties);
        locks.setExecutors(List.of(new RedisTemplateLockExecutor(redis.bean(StringRedisTemplate.class), properties)));
        try {
            locks.afterPropertiesSet();
        } catch (Exception failed) {
            throw new IllegalStateException("lock4j cannot be set up", failed);
        }
    }

    @Override
    public @Nullable Held acquire(String name) {
        LockInfo lock = locks.lock(name, Contestants.LEASE.toMillis(), Contestants.WAIT.toMillis());
        return lock == null ? null : () -> locks.releaseLock(lock);
    }

    @Override
    public SentCommands sent() {
        return redis.sent();
    }

    @Override
    public void close() {
        redis.close();
    }
}
