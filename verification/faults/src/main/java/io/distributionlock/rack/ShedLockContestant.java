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

    static final String KEY = "job-lock:default:%s";

    private final LockProvider locks;
    private final Duration lease;

    /** @param safe whether a release asks whose lock it deletes, which is not the default */
    ShedLockContestant(Terms terms, boolean safe) {
        super(SpringRedis.withoutLibrary(terms));
        this.locks = new RedisLockProvider.Builder(redis.bean(RedisConnectionFactory.class))
                .safeUpdate(safe)
                .build();
        this.lease = terms.lease();
    }

    @Override
    public @Nullable Held acquire(String name) {
        return locks.lock(new LockConfiguration(Instant.now(), name, lease, Duration.ZERO))
                .map(lock -> redis.held(String.format(KEY, name), () -> {
                    lock.unlock();
                    return true;
                }))
                .orElse(null);
    }
}
