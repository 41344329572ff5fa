package io.distributionlock.playground.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.sql.autoconfigure.init.SqlInitializationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Several instances start at the same time on a new database. */
class SharedSchemaInitializerTest {

    private static final int INSTANCES = 6;
    private static final int DATABASES = 20;

    @Test
    void instancesThatStartTogetherAllCreateTheSchema() throws Exception {
        ExecutorService instances = Executors.newFixedThreadPool(INSTANCES);
        try {
            for (int i = 0; i < DATABASES; i++) {
                DataSource database = newDatabase();
                CyclicBarrier start = new CyclicBarrier(INSTANCES);
                List<Future<?>> starts = new ArrayList<>();
                for (int instance = 0; instance < INSTANCES; instance++) {
                    starts.add(instances.submit(() -> {
                        start.await(30, TimeUnit.SECONDS);
                        return start(database);
                    }));
                }
                for (Future<?> each : starts) {
                    assertThatCode(() -> each.get(60, TimeUnit.SECONDS)).doesNotThrowAnyException();
                }
                assertThat(ordersIn(database)).isEqualTo(5);
            }
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void demoOrdersThatWereDeletedStayDeleted() {
        DataSource database = newDatabase();
        start(database);

        JdbcClient.create(database).sql("DELETE FROM orders").update();
        start(database);

        assertThat(ordersIn(database)).isZero();
    }

    private static boolean start(DataSource database) {
        SqlInitializationProperties properties = new SqlInitializationProperties();
        properties.setMode(DatabaseInitializationMode.ALWAYS);
        return new SharedSchemaInitializer(database, properties).initializeDatabase();
    }

    private static int ordersIn(DataSource database) {
        return JdbcClient.create(database)
                .sql("SELECT COUNT(*) FROM orders")
                .query(Integer.class)
                .single();
    }

    private static DataSource newDatabase() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=10");
        return database;
    }
}
