package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisMeterIT {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private RedisProcess server;
    private RedisMeter meter;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;
    private RedisCommands<String, String> redis;

    @BeforeEach
    void start() {
        server = RedisProcess.start(RedisBinary.INSTALLED);
        meter = new RedisMeter(List.of(server.port()));
        client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
        connection = client.connect();
        redis = connection.sync();
    }

    @AfterEach
    void end() {
        connection.close();
        client.shutdown();
        meter.close();
        server.close();
    }

    @Test
    void whatIsGoneWithinALeaseIsCounted() {
        redis.psetex("lock:{round-1-0}", LEASE.toMillis(), "owner");
        redis.psetex("round-1-1", 10_000, "owner");
        assertThat(meter.keysThatExpire("round-1-", LEASE)).isEqualTo(2);
    }

    @Test
    void whatLastsLongerIsNoLock() {
        redis.psetex("lock:{round-1-0}:fence", Duration.ofDays(1).toMillis(), "7");
        redis.set("round-1-1", "for ever");
        assertThat(meter.keysThatExpire("round-1-", LEASE)).isZero();
    }

    @Test
    void whatHasAnotherNameIsNotCounted() {
        redis.psetex("round-2-0", LEASE.toMillis(), "owner");
        assertThat(meter.keysThatExpire("round-1-", LEASE)).isZero();
    }

    @Test
    void theLongestCommandIsFound() {
        meter.start();
        redis.eval("for n = 1, 20000000 do end", ScriptOutputType.STATUS);
        redis.ping();
        assertThat(meter.stop().longestMicros()).isGreaterThan(1_000);
    }

    @Test
    void whatWasLongBeforeIsNotCounted() {
        redis.eval("for n = 1, 20000000 do end", ScriptOutputType.STATUS);
        meter.start();
        assertThat(meter.stop().longestMicros()).isZero();
    }
}
