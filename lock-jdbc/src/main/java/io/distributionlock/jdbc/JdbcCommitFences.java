package io.distributionlock.jdbc;

import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.transaction.CommitFence;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.orm.jpa.DefaultJpaDialect;
import org.springframework.orm.jpa.JpaDialect;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Finds the data source that a transaction manager writes to, of JDBC or JPA, and the table of fencing tokens in it. Thread-safe.
 *
 * @hidden
 */
@Internal
public final class JdbcCommitFences implements CommitFence.Finder, AutoCloseable {

    private static final Log log = LogFactory.getLog(JdbcCommitFences.class);

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", JdbcCommitFences.class.getClassLoader());

    private final FenceStatements statements;
    private final Duration lockTimeout;
    private final Duration retention;
    private final Consumer<DataSource> preparation;
    private final Map<DataSource, JdbcFence> fences = new ConcurrentHashMap<>();
    private final Queue<FencePruning> prunings = new ConcurrentLinkedQueue<>();

    /**
     * @param table the name of the table, with its schema if that is not the default one
     * @param lockTimeout how long a statement waits for another holder that is committing; at least a second
     * @param retention how old a row is when it is deleted: much longer than any lock is held
     * @param preparation is given each data source once, before its table is used
     * @throws IllegalArgumentException if that is no name of a table
     */
    public JdbcCommitFences(String table, Duration lockTimeout, Duration retention, Consumer<DataSource> preparation) {
        this.statements = new FenceStatements(table);
        this.lockTimeout = lockTimeout;
        this.retention = retention;
        this.preparation = preparation;
    }

    @Override
    public @Nullable CommitFence find(TransactionManager manager) {
        DataSource dataSource = dataSourceOf(manager);
        return dataSource == null ? null : fences.computeIfAbsent(dataSource, this::fence);
    }

    private JdbcFence fence(DataSource dataSource) {
        preparation.accept(dataSource);
        JdbcFence fence = new JdbcFence(dataSource, statements, lockTimeout);
        warnIfUnreadable(fence);
        FencePruning pruning = new FencePruning(fence, retention);
        prunings.add(pruning);
        pruning.start();
        return fence;
    }

    /** A missing table is to be noticed when the application starts, and not at the first call only. */
    private static void warnIfUnreadable(JdbcFence fence) {
        try {
            fence.requireReadable();
        } catch (DataAccessException e) {
            log.warn(
                    "The table of distribution-lock.jdbc.table cannot be read, so calls under CommitGuard.DATABASE will fail: "
                            + MessageText.of(
                                    String.valueOf(e.getMostSpecificCause().getMessage()))
                            + ". Let distribution-lock.jdbc.initialize-schema create it, or do so by the script in lock-jdbc.");
        }
    }

    private static @Nullable DataSource dataSourceOf(TransactionManager manager) {
        if (manager instanceof ResourceTransactionManager resources
                && resources.getResourceFactory() instanceof DataSource dataSource) {
            return dataSource;
        }
        return JPA ? Jpa.dataSourceOf(manager) : null;
    }

    @Override
    public void close() {
        prunings.forEach(FencePruning::close);
    }

    /** Loaded only if Spring's JPA support is on the class path. */
    private static final class Jpa {

        static @Nullable DataSource dataSourceOf(TransactionManager manager) {
            return manager instanceof JpaTransactionManager jpa && knowsConnection(jpa.getJpaDialect())
                    ? jpa.getDataSource()
                    : null;
        }

        /** The default dialect does not, and the row must be read by the connection of the transaction. */
        private static boolean knowsConnection(JpaDialect dialect) {
            return dialect.getClass() != DefaultJpaDialect.class;
        }
    }
}
