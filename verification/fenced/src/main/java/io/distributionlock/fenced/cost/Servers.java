package io.distributionlock.fenced.cost;

import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** A PostgreSQL that waits for the disk and counts its statements, and a Redis. */
final class Servers implements AutoCloseable {

    static final int ROWS = 1_000;

    private final EmbeddedPostgres postgres;
    private final RedisProcess redis;
    private final JdbcTemplate jdbc;

    Servers() {
        try {
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not start", e);
        }
        redis = RedisProcess.start(RedisBinary.GIVEN);
        jdbc = new JdbcTemplate(postgres.getPostgresDatabase());
        new ResourceDatabasePopulator(new ClassPathResource("io/distributionlock/jdbc/schema-postgresql.sql"))
                .execute(postgres.getPostgresDatabase());
        jdbc.execute("CREATE EXTENSION pg_stat_statements");
        jdbc.execute("CREATE TABLE counters (name VARCHAR(100) PRIMARY KEY, n BIGINT NOT NULL)");
        jdbc.update("INSERT INTO counters SELECT 'row-' || i, 0 FROM generate_series(1, ?) i", ROWS);
    }

    static String row(int number) {
        return "row-" + number;
    }

    Instance instance(int connections) {
        return new Instance(
                connections,
                "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                "--spring.datasource.username=postgres",
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + redis.port());
    }

    /** Sets all rows and what was counted to zero. */
    void reset() {
        jdbc.update("UPDATE counters SET n = 0");
        jdbc.execute("SELECT pg_stat_statements_reset()");
    }

    /** Of all rows. */
    long sum() {
        return Objects.requireNonNull(jdbc.queryForObject("SELECT sum(n) FROM counters", Long.class));
    }

    /** What has read or written since {@link #reset}: not BEGIN and COMMIT, nor by what a pool tries its connections. */
    List<String> statements() {
        return jdbc
                .query(
                        "SELECT query, calls FROM pg_stat_statements WHERE query ~ '^(SELECT|INSERT|UPDATE|DELETE)'"
                                + " AND query NOT LIKE '%pg_stat%'",
                        (row, number) -> Collections.nCopies(row.getInt(2), row.getString(1)))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    String version() {
        return "PostgreSQL " + jdbc.queryForObject("SHOW server_version", String.class) + ", Redis "
                + redis.info("server", "redis_version");
    }

    @Override
    public void close() {
        redis.close();
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not stop", e);
        }
    }
}
