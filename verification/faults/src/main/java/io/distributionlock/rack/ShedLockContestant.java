package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.ContestantOnSpring;
import io.distributionlock.benchmarks.contestants.SpringRedis;
import io.distributionlock.benchmarks.contestants.Terms;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** ShedLock on Spring's connection to Redis: a lock for scheduled tasks, which waits for nothing. */
final class ShedLockContestant extends ContestantOnSpring {

    private final LockProvider locks;
    private final Duration lease;

    ShedLockContestant(Terms terms) {
        super(SpringRedis.withoutLibrary(terms));
        this.locks = new RedisLockProvider(redis.bean(RedisConnectionFactory.class));
        this.lease = terms.lease();
    }

    @Override
    public @Nullable Held acquire(String name) {
        return locks.lock(new LockConfiguration(Instant.now(), name, lease, Duration.ZERO))
                .map(lock -> redis.held(Library.SHEDLOCK.key(name), () -> {
                    lock.unlock();
                    return true;
                }))
                .orElse(null);
    }
}
