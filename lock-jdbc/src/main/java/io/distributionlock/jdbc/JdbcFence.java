package io.distributionlock.jdbc;

import io.distributionlock.transaction.CommitFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.ConnectionCallback;
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

    /** @param timeout how long an announcement or a comparison waits for another holder that is committing, in whole seconds */
    JdbcFence(DataSource dataSource, FenceStatements statements, Duration timeout) {
        this.dataSource = dataSource;
        this.statements = statements;
        this.timeout = timeout;
        this.ofTransaction = new JdbcTemplate(dataSource);
        ofTransaction.setQueryTimeout((int) timeout.toSeconds());
    }

    @Override
    public Row announce(String lockName, long token, String holder) {
        Row own = new Row(token, holder);
        return withoutTransaction(jdbc -> announce(new Limited(jdbc, timeout), FenceKey.of(lockName), own));
    }

    private Row announce(Limited jdbc, String key, Row own) {
        while (true) {
            try {
                Row present = raiseOrInsert(jdbc, key, own);
                if (present != null) {
                    return present;
                }
            } catch (TransientDataAccessException e) {
                // Of two holders that announce themselves at once, a database may give up one. Others wait less long
                // than is allowed.
                if (!jdbc.pause()) {
                    throw e;
                }
            }
        }
    }

    /** {@code null} if another holder was the first to insert a row: it can be raised now. */
    private @Nullable Row raiseOrInsert(Limited jdbc, String key, Row own) {
        if (jdbc.get().update(statements.raise(), own.token(), own.holder(), key, own.token()) > 0) {
            return own;
        }
        Row present = read(statements.read(), key, jdbc.get());
        if (present != null) {
            return present.token() > own.token() ? present : null;
        }
        try {
            jdbc.get().update(statements.insert(), key, own.token(), own.holder());
            return own;
        } catch (DataIntegrityViolationException e) {
            if (read(statements.read(), key, jdbc.get()) == null) {
                throw e;
            }
            return null;
        }
    }

    /** All statements together take no longer than the limit. */
    private record Limited(JdbcTemplate jdbc, long deadline) {

        private static final int MAX_PAUSE_MILLIS = 50;

        Limited(JdbcTemplate jdbc, Duration limit) {
            this(jdbc, System.nanoTime() + limit.toNanos());
        }

        JdbcTemplate get() {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(left() + TimeUnit.SECONDS.toNanos(1) - 1);
            jdbc.setQueryTimeout((int) Math.max(1, seconds));
            return jdbc;
        }

        private long left() {
            return deadline - System.nanoTime();
        }

        /** Whether there is time for another attempt. */
        boolean pause() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(
                    1 + ThreadLocalRandom.current().nextInt(MAX_PAUSE_MILLIS)));
            return left() > 0 && !Thread.currentThread().isInterrupted();
        }
    }

    @Override
    public @Nullable Row lock(String lockName, String holder) {
        requireConnectionOfTransaction();
        String key = FenceKey.of(lockName);
        try {
            return read(statements.lock(product()), key, ofTransaction);
        } catch (DataAccessException e) {
            Row present = lookAgain(key, e);
            if (present != null && present.holder().equals(holder)) {
                throw e;
            }
            return present;
        }
    }

    /** The codes of databases do not tell a row that has changed since the snapshot from a deadlock, nor that from a time that is up. */
    private @Nullable Row lookAgain(String key, DataAccessException refusal) {
        try {
            ofTransaction.execute((ConnectionCallback<@Nullable Void>) connection -> {
                connection.rollback();
                return null;
            });
            return read(statements.read(), key, ofTransaction);
        } catch (DataAccessException e) {
            refusal.addSuppressed(e);
            throw refusal;
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

    /** Reads a row that is not there: the table need not have one. */
    void requireReadable() {
        withoutTransaction(jdbc -> jdbc.queryForList(statements.read(), ""));
    }

    /** Each statement commits by itself, on a connection that takes part in no transaction of Spring's. */
    private <T> T withoutTransaction(Function<JdbcTemplate, T> work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean commits = connection.getAutoCommit();
            if (!commits) {
                connection.setAutoCommit(true);
            }
            try {
                JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
                jdbc.setQueryTimeout((int) timeout.toSeconds());
                return work.apply(jdbc);
            } finally {
                if (!commits) {
                    connection.setAutoCommit(false);
                }
            }
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("The fencing token of a lock could not be announced", e);
        }
    }

    /**
     * Deletes, one by one, the rows that were announced so long before the youngest, at most so many. The clock of the database alone
     * counts. It is never wrong to delete a row: whoever misses it does not commit.
     *
     * @return how many rows it has found
     */
    int prune(Duration age, int atMost) {
        return withoutTransaction(jdbc -> {
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
