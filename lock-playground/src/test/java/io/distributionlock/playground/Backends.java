package io.distributionlock.playground;

import java.util.List;
import java.util.stream.Stream;

/** A Redis and a database that belong to a test and outlive the instances that share them. */
final class Backends implements AutoCloseable {

    private final TestRedis redis = TestRedis.start();
    private final TestDatabase database = TestDatabase.start();

    TestDatabase database() {
        return database;
    }

    /** Starts an instance that uses both, without waiting for it. */
    Instance start(String name, List<String> properties) {
        Stream<String> shared = Stream.of(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "spring.datasource.url=" + database.url(),
                Patience.WITH_REDIS,
                Patience.WITH_CLIENT);
        return Instance.start(name, Stream.concat(shared, properties.stream()).toArray(String[]::new));
    }

    @Override
    public void close() {
        database.close();
        redis.close();
    }
}
