package io.distributionlock.benchmarks.contestants;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * lock4j on Spring's Redis template, with its default pause of 100 ms between attempts. Its auto-configuration is made for Spring Boot 2,
 * so it is put together here as it would be there.
 */
public final class Lock4jContestant extends ContestantOnSpring {

    /** With the properties' expiry, as its annotation does without {@code expire}. */
    private static final long RENEWED = -1;

    private final LockTemplate locks;
    private final long expire;
    private final long wait;

    /** @param renewed costs it a thread per lock */
    public Lock4jContestant(Terms terms, boolean renewed) {
        super(SpringRedis.withoutLibrary(terms));
        this.expire = renewed ? RENEWED : terms.lease().toMillis();
        this.wait = terms.patience().toMillis();
        Lock4jProperties properties = new Lock4jProperties();
        properties.setExpire(terms.lease().toMillis());
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
        LockInfo lock = locks.lock(name, expire, wait);
        return lock == null ? null : redis.held(name, () -> locks.releaseLock(lock));
    }
}
