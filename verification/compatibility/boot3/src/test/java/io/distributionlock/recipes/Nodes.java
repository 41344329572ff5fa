package io.distributionlock.recipes;

import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.util.UUID;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Nodes of one application: each is a context of its own, and they share a Redis and a database. */
final class Nodes implements AutoCloseable {

    private final RedisProcess redis = RedisProcess.start();
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    /** Another node with these beans. */
    ApplicationContextRunner node(Class<?>... beans) {
        return LockContextRunner.redis(redis.port())
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        TransactionAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + database)
                .withUserConfiguration(beans);
    }

    @Override
    public void close() {
        redis.close();
    }
}
