package io.distributionlock.redis;

import io.distributionlock.testing.RedisProcess;
import java.util.concurrent.TimeUnit;

/** Moves all that Redis has stored about a lock, so that Redis's clock seems to go with a virtual one. */
final class LockInVirtualTime {

    /** In ms. If a step takes longer, its command may have run after an end that was yet to come: the machine stands still, not the lock. */
    private static final long MAX_STEP = 400;

    /** Moves all that is stored about a lock by ARGV[1] ms, as if Redis's clock had been moved the other way. */
    private static final String MOVE = """
            local by = tonumber(ARGV[1])
            for _, key in ipairs(KEYS) do
              local left = redis.call('PTTL', key)
              if left >= 0 then
                redis.call('PEXPIRE', key, math.max(left + by, 0))
              end
            end
            local value = redis.call('GET', KEYS[1])
            local claim, ends = string.match(value or '', '^(.*) (%d+)$')
            if claim then
              redis.call('SET', KEYS[1], claim .. ' ' .. string.format('%.0f', ends + by), 'KEEPTTL')
            end
            local function move(key, by)
              local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
              for i = 1, #all, 2 do
                redis.call('ZADD', key, string.format('%.0f', all[i + 1] + by), all[i])
              end
            end
            move(KEYS[2], by)
            move(KEYS[3], by * 1000)
            local peers = redis.call('HGETALL', KEYS[4])
            for i = 1, #peers, 2 do
              redis.call('HSET', KEYS[4], peers[i], string.format('%.0f', peers[i + 1] + by))
            end
            """;

    private final RedisProcess redis;
    private final String ownerKey;

    /** In ms of virtual time, and in ns of the real one: when both were last compared. */
    private long aligned;

    private long alignedAt = System.nanoTime();

    LockInVirtualTime(RedisProcess redis, String name, long now) {
        this.redis = redis;
        this.ownerKey = TestProcess.PREFIX + ":{" + name + "}";
        this.aligned = now;
    }

    /** Redis's clock went on while this process was busy, and stood still while virtual time passed. */
    void align(long now) {
        long real = System.nanoTime();
        long by = TimeUnit.NANOSECONDS.toMillis(real - alignedAt) - (now - aligned);
        aligned = now;
        alignedAt += TimeUnit.MILLISECONDS.toNanos(TimeUnit.NANOSECONDS.toMillis(real - alignedAt));
        redis.command(
                "EVAL",
                MOVE,
                "4",
                ownerKey,
                ownerKey + ":readers",
                ownerKey + ":queue",
                ownerKey + ":peers",
                String.valueOf(by));
    }

    /** The time that Redis went on meanwhile would show as a difference. */
    boolean tookTooLong() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - alignedAt) > MAX_STEP;
    }

    /** For how many ms the owner key still lives. */
    long ownerKeyLeft() {
        return Math.max(0, Long.parseLong(String.valueOf(redis.command("PTTL", ownerKey))));
    }
}
