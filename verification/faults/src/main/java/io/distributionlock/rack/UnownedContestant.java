package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.ContestantOnSpring;
import io.distributionlock.benchmarks.contestants.SpringRedis;
import io.distributionlock.benchmarks.contestants.Terms;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What many have written: nobody asks whose lock it is that is deleted, and nobody looks whether it is held yet. */
final class UnownedContestant extends ContestantOnSpring {

    static final String KEY = "broken:%s";

    private final StringRedisTemplate values;
    private final Terms terms;

    UnownedContestant(Terms terms) {
        super(SpringRedis.withoutLibrary(terms));
        this.values = redis.bean(StringRedisTemplate.class);
        this.terms = terms;
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        String key = String.format(KEY, name);
        long end = System.nanoTime() + terms.patience().toNanos();
        while (!Boolean.TRUE.equals(values.opsForValue().setIfAbsent(key, "taken", terms.lease()))) {
            if (System.nanoTime() > end) {
                return null;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return redis.held(key, () -> {
            values.delete(key);
            return true;
        });
    }
}
