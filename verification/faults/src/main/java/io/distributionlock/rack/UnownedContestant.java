package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.SentCommands;
import io.distributionlock.benchmarks.contestants.SpringRedis;
import io.distributionlock.benchmarks.contestants.Terms;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What many have written: nobody asks whose lock it is that is deleted, and nobody looks whether it is held yet. */
final class UnownedContestant implements Contestant {

    static final String KEY = "broken:%s";

    private final SpringRedis spring;
    private final StringRedisTemplate redis;
    private final Terms terms;

    UnownedContestant(Terms terms) {
        this.spring = SpringRedis.withoutLibrary(terms);
        this.redis = spring.bean(StringRedisTemplate.class);
        this.terms = terms;
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        String key = String.format(KEY, name);
        long end = System.nanoTime() + terms.patience().toNanos();
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(key, "taken", terms.lease()))) {
            if (System.nanoTime() > end) {
                return null;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return spring.held(key, () -> {
            redis.delete(key);
            return true;
        });
    }

    @Override
    public SentCommands sent() {
        return spring.sent();
    }

    @Override
    public void close() {
        spring.close();
    }
}
