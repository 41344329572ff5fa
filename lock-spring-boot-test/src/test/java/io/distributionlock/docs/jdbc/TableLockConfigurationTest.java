package io.distributionlock.docs.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** The auto-configuration leaves the locks to the bean of the example. */
class TableLockConfigurationTest {

    @Test
    void annotatedMethodsLockInTheTable() {
        JdbcConnectionPool connections = JdbcConnectionPool.create("jdbc:h2:mem:orders", "", "");
        JdbcTemplate jdbc = new JdbcTemplate(connections);
        LockTable.create(jdbc);
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, DistributionLockAutoConfiguration.class))
                .withUserConfiguration(TableLockConfiguration.class, Orders.class)
                .withBean(JdbcTemplate.class, () -> jdbc)
                .run(context -> {
                    assertThat(context).hasSingleBean(LockExecutor.class).hasSingleBean(LockTemplate.class);
                    assertThat(context.getBean(Orders.class).close("A1001")).isTrue();
                    assertThat(context.getBean(LockTemplate.class)
                                    .lock("order:A1001")
                                    .isLocked())
                            .isFalse();
                });
        assertThat(jdbc.queryForObject("select fence from lock_holder where name = 'order:A1001'", Long.class))
                .isEqualTo(1);
        connections.dispose();
    }

    static class Orders {

        @Autowired
        LockTemplate locks;

        @DistributionLock(key = "order")
        public boolean close(@DistributionLockParam String code) {
            return locks.lock("order:" + code).isLocked();
        }
    }
}
