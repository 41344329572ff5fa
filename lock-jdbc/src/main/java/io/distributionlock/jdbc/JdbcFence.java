package io.distributionlock.jdbc;

import io.distributionlock.transaction.CommitFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The rows in the table of one database. An announcement takes a connection of its own and returns it at once; the comparison uses that
 * of the transaction.
 */
final class JdbcFence implements CommitFence {

    private final DataSource dataSource;
    private final FenceStatements statements;
    private final Duration timeout;
    private final JdbcTemplate ofTransaction;
    private volatile @Nullable String product;

    /** @param timeout how long a statement waits for another holder that is committing, in whole seconds */
    JdbcFence(DataSource dataSource, FenceStatements statements, Duration timeout) {
        this.dataSource = dataSource;
        this.statements = statements;
        this.timeout = timeout;
        this.ofTransaction = limited(dataSource);
    }

    @Override
    public Row announce(String lockName, long token, String holder) {
        String key = FenceKey.of(lockName);
        return withoutTransaction(jdbc -> {
            long start = System.nanoTime();
            while (true) {
                try {
                    return announceBy(jdbc, key, token, holder);
                } catch (ConcurrencyFailureException e) {
                    // Of two holders that announce themselves at once, a database may give up one.
                    if (System.nanoTime() - start >= timeout.toNanos()) {
                        throw e;
                    }
                }
            }
        });
    }

    private Row announceBy(JdbcTemplate jdbc, String key, long token, String holder) {
        while (true) {
            if (jdbc.update(statements.raise(), token, holder, key, token) > 0) {
                return new Row(token, holder);
            }
            Row present = read(statements.read(), key, jdbc);
            if (present != null && present.token() > token) {
                return present;
            }
            if (present == null && insert(jdbc, key, token, holder)) {
                return new Row(token, holder);
            }
            // Another holder was the first to insert a row: it can be raised now.
        }
    }

    private boolean insert(JdbcTemplate jdbc, String key, long token, String holder) {
        try {
            return jdbc.update(statements.insert(), key, token, holder) > 0;
        } catch (DataIntegrityViolationException e) {
            if (read(statements.read(), key, jdbc) == null) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public @Nullable Row lock(String lockName) {
        requireConnectionOfTransaction();
        try {
            return read(statements.lock(product()), FenceKey.of(lockName), ofTransaction);
        } catch (ConcurrencyFailureException changedSinceTheSnapshot) {
            return null;
        }
    }

    /** Otherwise the row would be read, but not kept: by a connection that commits each statement. */
    private void requireConnectionOfTransaction() {
        if (!TransactionSynchronizationManager.hasResource(dataSource)
                || Boolean.TRUE.equals(ofTransaction.execute(Connection::getAutoCommit))) {
            throw new IllegalStateException(
                    "The transaction manager does not tell which JDBC connection its transaction uses. A"
                            + " JpaTransactionManager needs its data source and a JpaDialect that knows the connection, as HibernateJpaDialect"
                            + " does.");
        }
    }

    private static @Nullable Row read(String statement, String key, JdbcTemplate jdbc) {
        return DataAccessUtils.singleResult(
                jdbc.query(statement, (row, number) -> new Row(row.getLong(1), row.getString(2)), key));
    }

    /** PostgreSQL alone is known to refuse each write, and to refuse the lock on a row as well; for others, the flag may be a mere hint. */
    @Override
    public boolean refusesWrites() {
        return "PostgreSQL".equals(product()) && Boolean.TRUE.equals(ofTransaction.execute(Connection::isReadOnly));
    }

    private String product() {
        String known = product;
        if (known == null) {
            known = ofTransaction.execute(
                    (Connection connection) -> connection.getMetaData().getDatabaseProductName());
            product = known;
        }
        return known;
    }

    /** Each statement commits by itself, on a connection that takes part in no transaction of Spring's. */
    private <T> T withoutTransaction(Function<JdbcTemplate, T> work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean commits = connection.getAutoCommit();
            if (!commits) {
                connection.setAutoCommit(true);
            }
            try {
                return work.apply(limited(new SingleConnectionDataSource(connection, true)));
            } finally {
                if (!commits) {
                    connection.setAutoCommit(false);
                }
            }
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("The fencing token of a lock could not be announced", e);
        }
    }

    private JdbcTemplate limited(DataSource source) {
        JdbcTemplate jdbc = new JdbcTemplate(source);
        jdbc.setQueryTimeout((int) timeout.toSeconds());
        return jdbc;
    }

    /**
     * Deletes, one by one, the rows that were announced so long before the youngest, at most so many. The clock of the database alone
     * counts. It is never wrong to delete a row: whoever misses it does not commit.
     */
    void prune(Duration age, int atMost) {
        withoutTransaction(jdbc -> {
            Timestamp youngest = jdbc.queryForObject(statements.youngest(), Timestamp.class);
            if (youngest == null) {
                return 0;
            }
            jdbc.setMaxRows(atMost);
            List<Object[]> old = jdbc.query(
                    statements.old(),
                    (row, number) -> new Object[] {row.getString(1), row.getString(2)},
                    Timestamp.from(youngest.toInstant().minus(age)));
            return jdbc.batchUpdate(statements.delete(), old).length;
        });
    }
}
