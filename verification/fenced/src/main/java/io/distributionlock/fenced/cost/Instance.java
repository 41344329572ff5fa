package io.distributionlock.fenced.cost;

import com.zaxxer.hikari.HikariDataSource;
import io.distributionlock.CommitGuard;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** One instance of an application, with a pool of connections of its own. */
final class Instance implements AutoCloseable {

    private static final String HIBERNATE =
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration";

    private static final Duration LONG = Duration.ofMinutes(2);

    private final ConfigurableApplicationContext application;
    private final TransactionTemplate transactions;
    private final JdbcTemplate jdbc;
    private final LockTemplate locks;

    /** @param connections how many its pool has */
    Instance(int connections, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--logging.config=classpath:logback-rack.xml",
                "--spring.autoconfigure.exclude=" + HIBERNATE,
                "--spring.data.jpa.repositories.enabled=false",
                "--spring.datasource.hikari.maximum-pool-size=" + connections,
                "--spring.datasource.hikari.connection-timeout=" + LONG.toMillis(),
                "--distribution-lock.redis.command-timeout=" + LONG.toMillis() + "ms",
                "--distribution-lock.jdbc.initialize-schema=never"));
        all.addAll(Arrays.asList(properties));
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(all.toArray(String[]::new));
        transactions = application.getBean(TransactionTemplate.class);
        jdbc = application.getBean(JdbcTemplate.class);
        locks = application.getBean(LockTemplate.class);
    }

    @SpringBootApplication(proxyBeanMethods = false)
    static class Application {}

    /** Adds one to a row, in a transaction. */
    void call(Way way, String row, Runnable work) {
        switch (way) {
            case NOTHING -> add(row, "", work);
            case ROW_LOCK -> add(row, " FOR UPDATE", work);
            case LOCK -> locks.executeWithoutResult(request(row, CommitGuard.LOCAL), () -> add(row, "", work));
            case GUARD -> locks.executeWithoutResult(request(row, CommitGuard.DATABASE), () -> add(row, "", work));
        }
    }

    private LockRequest request(String row, CommitGuard guard) {
        return locks.request(row).tryLockTime(LONG).commitGuard(guard).build();
    }

    private void add(String row, String suffix, Runnable work) {
        transactions.executeWithoutResult(status -> {
            long read = Objects.requireNonNull(
                    jdbc.queryForObject("SELECT n FROM counters WHERE name = ?" + suffix, Long.class, row));
            work.run();
            jdbc.update("UPDATE counters SET n = ? WHERE name = ?", read + 1, row);
        });
    }

    /** Something of no importance that needs a connection. */
    void ask() {
        jdbc.queryForObject("SELECT 1", Long.class);
    }

    /** How many connections somebody has. */
    int connectionsInUse() {
        return application.getBean(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections();
    }

    @Override
    public void close() {
        application.close();
    }
}
