package io.distributionlock.fenced;

import jakarta.persistence.EntityManager;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads and writes counters in the calling thread's transaction. */
interface Counters {

    long read(String name);

    /** @param mayWait whether the statement may be sent later, with the commit */
    void write(String name, long value, boolean mayWait);

    /** By statements. */
    record Jdbc(JdbcTemplate jdbc) implements Counters {

        @Override
        public long read(String name) {
            return Objects.requireNonNull(
                    jdbc.queryForObject("SELECT n FROM counters WHERE name = ?", Long.class, name));
        }

        @Override
        public void write(String name, long value, boolean mayWait) {
            jdbc.update("UPDATE counters SET n = ? WHERE name = ?", value, name);
        }
    }

    /** By an entity: Hibernate writes when it commits. */
    record Jpa(EntityManager entities) implements Counters {

        @Override
        public long read(String name) {
            return entities.find(Counter.class, name).n();
        }

        @Override
        public void write(String name, long value, boolean mayWait) {
            entities.find(Counter.class, name).change(value);
            if (!mayWait) {
                entities.flush();
            }
        }
    }
}
