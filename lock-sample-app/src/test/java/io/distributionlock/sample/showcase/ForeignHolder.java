package io.distributionlock.sample.showcase;

import io.distributionlock.sample.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;

/** Holds a lock as an unknown process would, until it is closed. */
final class ForeignHolder implements AutoCloseable {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String key;

    private ForeignHolder(RedisClient client, String key) {
        this.client = client;
        this.connection = client.connect();
        this.key = key;
    }

    static ForeignHolder of(TestRedis redis, String lock) {
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
        ForeignHolder holder = new ForeignHolder(client, "distribution-lock:{" + lock + "}");
        holder.connection
                .sync()
                .set(holder.key, "foreign:1", SetArgs.Builder.nx().px(LEASE));
        return holder;
    }

    /** How many claims wait for the lock. */
    long waiting() {
        return connection.sync().zcard(key + ":queue");
    }

    /** Frees the lock; waiters notice it at their next heartbeat. */
    @Override
    public void close() {
        connection.sync().del(key);
        connection.close();
        client.shutdown();
    }
}
