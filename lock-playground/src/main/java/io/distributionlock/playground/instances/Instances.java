package io.distributionlock.playground.instances;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The running instances, in their shared database. One that has not reported for a while counts as gone. */
@Repository
class Instances {

    private static final Duration SILENCE = Duration.ofSeconds(8);

    private final JdbcClient database;
    private final Clock clock = Clock.systemUTC();

    Instances(JdbcClient database) {
        this.database = database;
    }

    List<Instance> running() {
        return database.sql("SELECT name, url FROM instances WHERE seen_at > ? ORDER BY url")
                .param(clock.millis() - SILENCE.toMillis())
                .query(Instance.class)
                .list();
    }

    /** An instance that runs, or ran and did not leave. */
    Optional<Instance> find(String name) {
        return database.sql("SELECT name, url FROM instances WHERE name = ?")
                .param(name)
                .query(Instance.class)
                .optional();
    }

    void seen(Instance instance) {
        int known = database.sql("UPDATE instances SET url = ?, seen_at = ? WHERE name = ?")
                .params(instance.url(), clock.millis(), instance.name())
                .update();
        if (known == 0) {
            add(instance);
        }
    }

    /** From now on, this instance counts as gone, without the silence. */
    void killed(String name) {
        database.sql("UPDATE instances SET seen_at = 0 WHERE name = ?")
                .param(name)
                .update();
    }

    void gone(String name) {
        database.sql("DELETE FROM instances WHERE name = ?").param(name).update();
    }

    private void add(Instance instance) {
        try {
            database.sql("INSERT INTO instances (name, url, seen_at) VALUES (?, ?, ?)")
                    .params(instance.name(), instance.url(), clock.millis())
                    .update();
        } catch (DuplicateKeyException anotherHasTheSameName) {
            // Another instance has the same name and is already registered.
        }
    }
}
