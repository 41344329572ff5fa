package io.distributionlock.docs.jdbc;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** How an application uses the executor of the example. */
@Configuration(proxyBeanMethods = false)
class TableLockConfiguration {

    @Bean
    TableLockExecutor tableLockExecutor(JdbcTemplate jdbc) {
        return new TableLockExecutor(jdbc);
    }
}
