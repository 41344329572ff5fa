package io.distributionlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.transaction.CommitFence;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** In this process. */
@Tag("boot4")
class H2FenceTest extends FenceContract {

    @Override
    TestDatabase start() {
        return TestDatabase.h2();
    }

    @Test
    void anAnnouncementThatIsRefusedAtOncePausesBeforeItTriesAgain() throws SQLException {
        try (TestDatabase database = TestDatabase.h2();
                JdbcCommitFences fences = new JdbcCommitFences(
                        "distribution_lock_fence", Duration.ofSeconds(1), Duration.ofDays(7), source -> {});
                Connection frozen = new DriverManagerDataSource(database.url(), database.user(), "").getConnection()) {
            Counting impatient =
                    new Counting(new DriverManagerDataSource(database.url() + ";LOCK_TIMEOUT=1", database.user(), ""));
            CommitFence fence = Objects.requireNonNull(fences.find(new DataSourceTransactionManager(impatient)));
            fence.announce("stock:1", 1, "another");
            frozen.setAutoCommit(false);
            new JdbcTemplate(new SingleConnectionDataSource(frozen, true))
                    .queryForList("SELECT token FROM distribution_lock_fence FOR UPDATE");
            int before = impatient.statements.get();
            assertThatThrownBy(() -> fence.announce("stock:1", 2, "holder"))
                    .isInstanceOf(TransientDataAccessException.class);
            // Pauses of 25 ms on average, in one second; without them, hundreds.
            assertThat(impatient.statements.get() - before).isBetween(2, 120);
        }
    }

    private static final class Counting extends DelegatingDataSource {

        final AtomicInteger statements = new AtomicInteger();

        Counting(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")) {
                            statements.incrementAndGet();
                        }
                        return method.invoke(connection, arguments);
                    });
        }
    }
}
