package io.distributionlock.autoconfigure.jdbc;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.autoconfigure.LockProperties;
import io.distributionlock.autoconfigure.LockProperties.Jdbc;
import io.distributionlock.jdbc.JdbcCommitFences;
import io.distributionlock.transaction.FencedCommits;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of {@link io.distributionlock.CommitGuard#DATABASE}. Touches no database until a lock asks for it.
 */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass({JdbcCommitFences.class, JdbcTemplate.class, TransactionManager.class})
public final class LockJdbcAutoConfiguration {

    private static final String INITIALIZER = "org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer";

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    JdbcCommitFences distributionLockCommitFences(LockProperties properties) {
        Jdbc jdbc = properties.jdbc();
        // The script knows one name only: a table of another name is the application's to create.
        boolean initializes = jdbc.table().equals(Jdbc.TABLE)
                && ClassUtils.isPresent(INITIALIZER, getClass().getClassLoader());
        Consumer<DataSource> preparation = initializes ? new FenceSchema(jdbc.initializeSchema()) : dataSource -> {};
        return new JdbcCommitFences(jdbc.table(), jdbc.lockTimeout(), jdbc.retention(), preparation);
    }

    @Bean
    @Lazy
    FencedCommits distributionLockFencedCommits(JdbcCommitFences fences, ObjectProvider<TransactionManager> managers) {
        return new FencedCommits(fences, () -> managers.stream().toList());
    }
}
