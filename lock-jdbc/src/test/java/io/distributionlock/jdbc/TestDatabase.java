package io.distributionlock.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** A database of its own, on a real server or, with H2, in this process; with the table of fencing tokens. */
public final class TestDatabase implements AutoCloseable {

    private final String url;
    private final String user;
    private final AutoCloseable server;

    private TestDatabase(String url, String user, AutoCloseable server, String platform) {
        this.url = url;
        this.user = user;
        this.server = server;
        try (HikariDataSource pool = pool(1)) {
            new ResourceDatabasePopulator(new ClassPathResource("io/distributionlock/jdbc/schema-" + platform + ".sql"))
                    .execute(pool);
        }
    }

    /** In this process, until it is closed. */
    public static TestDatabase h2() {
        return new TestDatabase("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", () -> {}, "h2");
    }

    /** On a server of its own, from an artifact of the build. */
    public static TestDatabase postgres() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "300")
                    .start();
            return new TestDatabase(server.getJdbcUrl("postgres", "postgres"), "postgres", server, "postgresql");
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not start", e);
        }
    }

    /** On a server of its own, which the machine must have installed. */
    public static TestDatabase mariaDb() {
        MariaDbServer server = MariaDbServer.start();
        return new TestDatabase(server.url(), "root", server, "mariadb");
    }

    /** A pool of this many connections. */
    public HikariDataSource pool(int size) {
        return pool(size, settings -> {});
    }

    /** A pool of this many connections, with further settings. */
    public HikariDataSource pool(int size, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(30_000);
        settings.accept(config);
        return new HikariDataSource(config);
    }

    /** Of two transactions that wait for each other, databases give up the one that has waited longest or written least. */
    void letOthersBeVictimsOf(JdbcTemplate connection) {
        if (url.startsWith("jdbc:postgresql")) {
            connection.execute("SET deadlock_timeout = '60s'");
        }
    }

    public String url() {
        return url;
    }

    public String user() {
        return user;
    }

    /** Runs a statement outside of all transactions. */
    public void execute(String statement) {
        try (HikariDataSource pool = pool(1);
                Connection connection = pool.getConnection();
                Statement running = connection.createStatement()) {
            running.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException("The database does not stop", e);
        }
    }
}
