package io.distributionlock.benchmarks.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** Asks Redis what it has done. */
public final class RedisMeter implements AutoCloseable {

    private static final String COUNT_THOSE_THAT_EXPIRE = """
        local count = 0
        for _, key in ipairs(redis.call('keys', ARGV[1])) do
          local millis = redis.call('pttl', key)
          if millis >= 0 and millis <= tonumber(ARGV[2]) then
            count = count + 1
          end
        end
        return count
        """;

    private static final String[] NO_KEYS = {};

    /** What takes less is not in Redis's slow log. */
    private static final long SLOW_MICROS = 1_000;

    private static final int SLOW_LOG_SIZE = 1_000;

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> redis;
    private double cpuAtStart;
    private long nanosAtStart;

    public RedisMeter(int port) {
        this.client = RedisClient.create(RedisURI.create("127.0.0.1", port));
        this.connection = client.connect();
        this.redis = connection.sync();
        redis.configSet("slowlog-log-slower-than", String.valueOf(SLOW_MICROS));
        redis.configSet("slowlog-max-len", String.valueOf(SLOW_LOG_SIZE));
    }

    /** Forgets all keys; scripts stay known. */
    public void forgetKeys() {
        redis.flushall();
    }

    /** Counts from now on. */
    public void start() {
        cpuAtStart = cpuSeconds(info("cpu"));
        redis.configResetstat();
        redis.slowlogReset();
        nanosAtStart = System.nanoTime();
    }

    /** What has happened since {@link #start()}. */
    public Use stop() {
        double seconds = (System.nanoTime() - nanosAtStart) / 1e9;
        long commands = info("commandstats").commandsRun();
        double cpuSeconds = cpuSeconds(info("cpu")) - cpuAtStart;
        return new Use(commands, cpuSeconds, seconds, SlowLog.longestMicros(redis.slowlogGet(SLOW_LOG_SIZE)));
    }

    public long keys() {
        return redis.dbsize();
    }

    /** How many keys whose names contain this word are gone within this time unless they are renewed. */
    public long keysThatExpire(String word, Duration within) {
        return redis.<Long>eval(
                COUNT_THOSE_THAT_EXPIRE,
                ScriptOutputType.INTEGER,
                NO_KEYS,
                "*" + word + "*",
                String.valueOf(within.toMillis()));
    }

    public long usedMemory() {
        return (long) info("memory").number("used_memory");
    }

    public String version() {
        return info("server").values().getOrDefault("redis_version", "unknown");
    }

    private RedisInfo info(String section) {
        return RedisInfo.parse(redis.info(section));
    }

    private static double cpuSeconds(RedisInfo cpu) {
        return cpu.number("used_cpu_user") + cpu.number("used_cpu_sys");
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }

    /**
     * What Redis has done in a while.
     *
     * @param commands run, those inside scripts included
     * @param cpuSeconds processor time used
     * @param seconds how long the while was
     * @param longestMicros how long its longest command or script took; 0 if none took a millisecond
     */
    public record Use(long commands, double cpuSeconds, double seconds, long longestMicros) {}
}
