package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.distributionlock.CommitGuard;
import io.distributionlock.LockLostException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RecordingTransactionManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** In which database a commit is guarded, and where its table comes from. */
@Tag("boot4")
class DatabaseGuardDatabasesTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static DataSource database() {
        return at("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    private static DataSource at(String url) {
        DataSource dataSource = new DriverManagerDataSource(url);
        new JdbcTemplate(dataSource).execute("create table if not exists log (text varchar(20))");
        return dataSource;
    }

    private static ApplicationContextRunner application(DataSource dataSource) {
        return LockContextRunner.local()
                .withBean(
                        "manager",
                        PlatformTransactionManager.class,
                        () -> new DataSourceTransactionManager(dataSource));
    }

    private static void guarded(ApplicationContext context, Runnable work) {
        LockTemplate locks = context.getBean(LockTemplate.class);
        LockRequest request =
                locks.request("work").commitGuard(CommitGuard.DATABASE).build();
        locks.executeWithoutResult(request, work);
    }

    private static void write(ApplicationContext context, String manager, DataSource dataSource, Runnable meanwhile) {
        new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class))
                .executeWithoutResult(status -> {
                    new JdbcTemplate(dataSource).update("insert into log values ('written')");
                    meanwhile.run();
                });
    }

    private static int written(DataSource dataSource) {
        return rows(dataSource, "log");
    }

    private static int rows(DataSource dataSource, String table) {
        Integer rows = new JdbcTemplate(dataSource).queryForObject("select count(*) from " + table, Integer.class);
        return rows == null ? -1 : rows;
    }

    private static void overtake(DataSource dataSource) {
        CompletableFuture.runAsync(
                        () -> new JdbcTemplate(dataSource)
                                .update("update distribution_lock_fence set token = token + 1, holder = 'another'"),
                        task -> new Thread(task).start())
                .join();
    }

    @Test
    void ofTwoDatabasesEachIsAnnouncedInWhenItsFirstTransactionBeginsAndComparedByItself() {
        DataSource one = database();
        DataSource two = database();
        application(one)
                .withBean("other", PlatformTransactionManager.class, () -> new DataSourceTransactionManager(two))
                .run(context -> {
                    assertThatThrownBy(() -> guarded(context, () -> {
                                write(context, "manager", one, () -> {});
                                assertThat(rows(two, "distribution_lock_fence")).isZero();
                                write(context, "other", two, () -> {});
                                overtake(two);
                                write(context, "manager", one, () -> {});
                                write(context, "other", two, () -> {});
                            }))
                            .isInstanceOf(LockLostException.class);
                    assertThat(written(one)).isEqualTo(2);
                    assertThat(written(two)).isEqualTo(1);
                });
    }

    @Test
    void aTransactionOfAManagerWithoutDatabaseIsRefused() {
        DataSource dataSource = database();
        application(dataSource)
                .withBean("messages", PlatformTransactionManager.class, WithoutDatabase::new)
                .run(context -> {
                    assertThatThrownBy(() -> guarded(context, () -> write(context, "messages", dataSource, () -> {})))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("WithoutDatabase")
                            .hasMessageContaining("DATABASE");
                    assertThat(written(dataSource)).isZero();
                });
    }

    @Test
    void aDataSourceThatLeadsElsewhereMeanwhileDoesNotCommit() {
        AtomicReference<String> route = new AtomicReference<>("one");
        DataSource one = database();
        DataSource two = database();
        createTable(two);
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return route.get();
            }
        };
        routing.setTargetDataSources(Map.of("one", one, "two", two));
        routing.afterPropertiesSet();
        application(routing).run(context -> {
            assertThatThrownBy(() -> guarded(context, () -> {
                        route.set("two");
                        write(context, "manager", routing, () -> {});
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(written(two)).isZero();
        });
    }

    private static void createTable(DataSource dataSource) {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/distributionlock/jdbc/schema-h2.sql")),
                dataSource);
    }

    @Test
    void aTableInASchemaOfItsOwnIsUsed() {
        DataSource dataSource = database();
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create schema locks");
        createTable(dataSource);
        jdbc.execute("create table locks.fence as select * from distribution_lock_fence");
        jdbc.execute("drop table distribution_lock_fence");
        application(dataSource)
                .withPropertyValues("distribution-lock.jdbc.table=locks.fence")
                .run(context -> {
                    guarded(context, () -> write(context, "manager", dataSource, () -> {}));
                    assertThat(rows(dataSource, "locks.fence")).isEqualTo(1);
                    assertThat(written(dataSource)).isEqualTo(1);
                });
    }

    @Test
    void aTableIsCreatedWhereThePropertySays(@TempDir Path folder) {
        DataSource ofAServer = at("jdbc:h2:file:" + folder.resolve("kept") + ";DB_CLOSE_DELAY=-1");
        DataSource embedded = database();
        for (String mode : List.of("never", "embedded")) {
            application(ofAServer)
                    .withPropertyValues("distribution-lock.jdbc.initialize-schema=" + mode)
                    .run(context -> assertThatThrownBy(
                                    () -> guarded(context, () -> write(context, "manager", ofAServer, () -> {})))
                            .isInstanceOf(CannotCreateTransactionException.class)
                            .hasMessageContaining("initialize-schema"));
        }
        assertThat(written(ofAServer)).isZero();
        // Once more, and the table is kept.
        for (int start = 1; start <= 2; start++) {
            application(ofAServer)
                    .withPropertyValues("distribution-lock.jdbc.initialize-schema=always")
                    .run(context -> guarded(context, () -> write(context, "manager", ofAServer, () -> {})));
            assertThat(written(ofAServer)).isEqualTo(start);
            assertThat(rows(ofAServer, "distribution_lock_fence")).isEqualTo(1);
        }
        application(embedded).run(context -> guarded(context, () -> write(context, "manager", embedded, () -> {})));
        assertThat(written(embedded)).isEqualTo(1);
        new JdbcTemplate(ofAServer).execute("shutdown");
    }

    @Test
    void aPoolOfOneConnectionIsEnough() {
        try (HikariDataSource pool = pool(1)) {
            application(pool).run(context -> {
                guarded(context, () -> write(context, "manager", pool, () -> {}));
                assertThatThrownBy(() -> guarded(context, () -> {
                            overtake(pool);
                            write(context, "manager", pool, () -> {});
                        }))
                        .isInstanceOf(LockLostException.class);
                assertThat(written(pool)).isEqualTo(1);
            });
        }
    }

    @Test
    void callersThatWaitForALockHoldNoConnection() {
        try (HikariDataSource pool = pool(2)) {
            application(pool).run(context -> {
                List<CompletableFuture<Void>> callers = new ArrayList<>();
                guarded(context, () -> {
                    callers.addAll(IntStream.range(0, 200)
                            .mapToObj(i -> CompletableFuture.runAsync(
                                    () -> guarded(context, () -> write(context, "manager", pool, () -> {})),
                                    task -> new Thread(task).start()))
                            .toList());
                    Awaitility.await().atMost(LONG).until(() -> waiting(context) == 200);
                    assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                            .isZero();
                    // The second connection is left for others.
                    write(
                            context,
                            "manager",
                            pool,
                            () -> assertThat(written(pool)).isEqualTo(1));
                });
                callers.forEach(CompletableFuture::join);
                assertThat(written(pool)).isEqualTo(201);
            });
        }
    }

    private static int waiting(ApplicationContext context) {
        return context.getBean(LockMonitor.class).snapshot().waiting().size();
    }

    private static HikariDataSource pool(int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(LONG.toMillis());
        try {
            new JdbcTemplate(pool).execute("create table log (text varchar(20))");
        } catch (DataAccessException e) {
            pool.close();
            throw e;
        }
        return pool;
    }

    @SuppressWarnings("serial")
    static class WithoutDatabase extends RecordingTransactionManager {

        WithoutDatabase() {
            super(new CopyOnWriteArrayList<>());
        }
    }
}
