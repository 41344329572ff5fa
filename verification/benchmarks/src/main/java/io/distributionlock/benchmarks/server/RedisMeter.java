package io.distributionlock.benchmarks.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Asks one Redis, or several independent ones, what they have done. */
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

    private final RedisClient client = RedisClient.create();
    private final List<RedisCommands<String, String>> servers;
    private double cpuAtStart;
    private long nanosAtStart;

    public RedisMeter(List<Integer> ports) {
        this.servers = ports.stream()
                .map(port -> client.connect(RedisURI.create("127.0.0.1", port)).sync())
                .toList();
        servers.forEach(redis -> {
            redis.configSet("slowlog-log-slower-than", String.valueOf(SLOW_MICROS));
            redis.configSet("slowlog-max-len", String.valueOf(SLOW_LOG_SIZE));
        });
    }

    /** Forgets all keys; scripts stay known. */
    public void forgetKeys() {
        servers.forEach(RedisCommands::flushall);
    }

    /** Counts from now on. */
    public void start() {
        cpuAtStart = cpuSeconds();
        servers.forEach(redis -> {
            redis.configResetstat();
            redis.slowlogReset();
        });
        nanosAtStart = System.nanoTime();
    }

    /** What has happened since {@link #start()}. */
    public Use stop() {
        double seconds = (System.nanoTime() - nanosAtStart) / 1e9;
        long commands = servers.stream()
                .mapToLong(redis -> info(redis, "commandstats").commandsRun())
                .sum();
        double cpuSeconds = cpuSeconds() - cpuAtStart;
        long longest = servers.stream()
                .mapToLong(redis -> SlowLog.longestMicros(redis.slowlogGet(SLOW_LOG_SIZE)))
                .max()
                .orElse(0);
        return new Use(commands, cpuSeconds, seconds, longest);
    }

    public long keys() {
        return servers.stream().mapToLong(RedisCommands::dbsize).sum();
    }

    /** How many keys whose names contain this word are gone within this time unless they are renewed. */
    public long keysThatExpire(String word, Duration within) {
        return servers.stream()
                .mapToLong(redis -> redis.<Long>eval(
                        COUNT_THOSE_THAT_EXPIRE,
                        ScriptOutputType.INTEGER,
                        NO_KEYS,
                        "*" + word + "*",
                        String.valueOf(within.toMillis())))
                .sum();
    }

    public long usedMemory() {
        return servers.stream()
                .mapToLong(redis -> (long) info(redis, "memory").number("used_memory"))
                .sum();
    }

    public String version() {
        Map<String, String> server = info(servers.get(0), "server").values();
        return server.containsKey("valkey_version")
                ? "Valkey " + server.get("valkey_version")
                : "Redis " + server.getOrDefault("redis_version", "of an unknown version");
    }

    private static RedisInfo info(RedisCommands<String, String> redis, String section) {
        return RedisInfo.parse(redis.info(section));
    }

    private double cpuSeconds() {
        return servers.stream()
                .map(redis -> info(redis, "cpu"))
                .mapToDouble(cpu -> cpu.number("used_cpu_user") + cpu.number("used_cpu_sys"))
                .sum();
    }

    @Override
    public void close() {
        // Closes the connections, too.
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
