package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockLostException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Two instances with locks of their own, which therefore both hold every lock, and with one database: whoever was overtaken does not
 * commit there.
 */
@Tag("boot4")
class DatabaseGuardTest {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";

    private ApplicationContextRunner instance() {
        return LockContextRunner.local(Instance.class).withPropertyValues("url=" + url);
    }

    private void withTwo(BiConsumer<ApplicationContext, ApplicationContext> test) {
        instance()
                .run(first -> instance().run(second -> {
                    assertThat(first).hasNotFailed();
                    assertThat(second).hasNotFailed();
                    test.accept(first, second);
                }));
    }

    private static void addElsewhere(ApplicationContext instance, String article) {
        inAnotherThread(() -> stock(instance).add(article, () -> {}));
    }

    /** A thread knows the locks and the transaction of its work, whichever application they are of. */
    private static void inAnotherThread(Runnable work) {
        CompletableFuture.runAsync(work, task -> new Thread(task).start())
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private static Stock stock(ApplicationContext instance) {
        return instance.getBean(Stock.class);
    }

    @Test
    void whoWasOvertakenDoesNotCommit() {
        withTwo((first, second) -> {
            assertThatThrownBy(() -> stock(first).add("a", () -> addElsewhere(second, "a")))
                    .isInstanceOfSatisfying(LockLostException.class, lost -> {
                        assertThat(lost.lockName()).isEqualTo("stock:a");
                        assertThat(lost.reason()).isEqualTo(LossReason.OVERTAKEN);
                        assertThat(lost.overtakenBy()).isPresent();
                        assertThat(lost).hasMessageContaining("stock:a").hasMessageContaining("token");
                    });
            assertThat(stock(first).value()).isEqualTo(1);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(first.getBean(Losses.class).all)
                            .extracting(LockLostEvent::reason)
                            .containsExactly(LossReason.OVERTAKEN));
            stock(first).add("a", () -> {});
            assertThat(stock(first).value()).isEqualTo(2);
        });
    }

    /** Otherwise the tests here would prove nothing. */
    @ParameterizedTest
    @EnumSource(
            value = CommitGuard.class,
            names = {"LOCAL", "REMOTE"})
    void withAnotherGuardItCommitsAndAnUpdateIsLost(CommitGuard guard) {
        withTwo((first, second) -> {
            inCode(first, guard, () -> inAnotherThread(() -> inCode(second, guard, () -> {})));
            assertThat(stock(first).value()).isEqualTo(1);
        });
    }

    @Test
    void whoWasOvertakenInCodeDoesNotCommit() {
        withTwo((first, second) -> {
            assertThatThrownBy(() -> inCode(
                            first,
                            CommitGuard.DATABASE,
                            () -> inAnotherThread(() -> inCode(second, CommitGuard.DATABASE, () -> {}))))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock(first).value()).isEqualTo(1);
        });
    }

    private static void inCode(ApplicationContext instance, CommitGuard guard, Runnable meanwhile) {
        LockTemplate locks = instance.getBean(LockTemplate.class);
        LockRequest request = locks.request("code").commitGuard(guard).build();
        locks.executeWithoutResult(
                request,
                () -> transactions(instance)
                        .executeWithoutResult(status -> stock(instance).readAndWrite(meanwhile)));
    }

    private static TransactionTemplate transactions(ApplicationContext instance) {
        return new TransactionTemplate(instance.getBean(PlatformTransactionManager.class));
    }

    @Test
    void whatTheWorkReadsBeforeItsFirstTransactionCountsToo() {
        withTwo((first, second) -> {
            LockTemplate locks = first.getBean(LockTemplate.class);
            LockRequest request =
                    locks.request("stock:a").commitGuard(CommitGuard.DATABASE).build();
            assertThatThrownBy(() -> locks.executeWithoutResult(request, () -> {
                        int before = stock(first).value();
                        addElsewhere(second, "a");
                        transactions(first)
                                .executeWithoutResult(status -> stock(first).write(before + 1));
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock(first).value()).isEqualTo(1);
        });
    }

    @Test
    void whoComesAfterALaterOneDoesNotRun() {
        withTwo((first, second) -> {
            List<String> ran = new ArrayList<>();
            addElsewhere(second, "b");
            first.getBean(JdbcTemplate.class)
                    .update(
                            "insert into distribution_lock_fence values ('stock:a', ?, 'another', current_timestamp)",
                            Long.MAX_VALUE);
            assertThatThrownBy(() -> stock(first).add("a", () -> ran.add("ran")))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining(String.valueOf(Long.MAX_VALUE));
            assertThat(ran).isEmpty();
        });
    }

    /** A frozen holder that has compared, for example, keeps the row. */
    @Test
    void whoCannotCompareIsToldSoAndHasLostNoLock() {
        String impatient = url.replace("LOCK_TIMEOUT=20000", "LOCK_TIMEOUT=500");
        instance().withPropertyValues("url=" + impatient).run(context -> {
            try (Connection other = DriverManager.getConnection(url)) {
                other.setAutoCommit(false);
                assertThatThrownBy(() -> stock(context).add("a", () -> keepRow(other)))
                        .isInstanceOf(ConcurrencyFailureException.class)
                        .hasMessageContaining("stock:a")
                        .hasMessageContaining("rolled back");
                other.rollback();
            }
            assertThat(stock(context).value()).isZero();
            assertThat(context.getBean(Losses.class).all).isEmpty();
            stock(context).add("a", () -> {});
            assertThat(stock(context).value()).isEqualTo(1);
        });
    }

    private static void keepRow(Connection connection) {
        new JdbcTemplate(new SingleConnectionDataSource(connection, true))
                .queryForList("select token from distribution_lock_fence where lock_name = 'stock:a' for update");
    }

    @Test
    void eachOfSeveralTransactionsUnderOneLockIsCompared() {
        withTwo((first, second) -> {
            LockTemplate locks = first.getBean(LockTemplate.class);
            LockRequest request =
                    locks.request("stock:a").commitGuard(CommitGuard.DATABASE).build();
            assertThatThrownBy(() -> locks.executeWithoutResult(request, () -> {
                        transactions(first)
                                .executeWithoutResult(status -> stock(first).readAndWrite(() -> {}));
                        transactions(first)
                                .executeWithoutResult(
                                        status -> stock(first).readAndWrite(() -> addElsewhere(second, "a")));
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock(first).value()).isEqualTo(2);
        });
    }

    @Test
    void aTransactionOfItsOwnInsideIsComparedWithTheSameToken() {
        withTwo((first, second) -> {
            TransactionTemplate inner = transactions(first);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            assertThatThrownBy(() -> stock(first).add("a", () -> {
                        inner.executeWithoutResult(status ->
                                first.getBean(JdbcTemplate.class).update("insert into log values ('before')"));
                        addElsewhere(second, "a");
                        inner.executeWithoutResult(
                                status -> first.getBean(JdbcTemplate.class).update("insert into log values ('after')"));
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(first.getBean(JdbcTemplate.class).queryForList("select text from log", String.class))
                    .containsExactly("before");
            assertThat(stock(first).value()).isEqualTo(1);
        });
    }

    @Test
    void aLockThatIsEnteredAgainIsAnnouncedOnce() {
        withTwo((first, second) -> {
            stock(first).add("a", () -> stock(first).add("a", () -> {}));
            assertThat(stock(first).value()).isEqualTo(1);
            assertThatThrownBy(() ->
                            stock(first).add("a", () -> stock(first).add("a", () -> addElsewhere(second, "a"))))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock(first).value()).isEqualTo(2);
        });
    }

    @Test
    void ofSeveralLocksEachIsCompared() {
        withTwo((first, second) -> {
            stock(first).move("a", "b", () -> {});
            assertThatThrownBy(() -> stock(first).move("b", "a", () -> addElsewhere(second, "b")))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("stock:b");
            assertThat(stock(first).value()).isEqualTo(2);
        });
    }

    @Test
    void aLockInsideATransactionIsRefusedAndReleased() {
        instance().run(context -> {
            assertThatThrownBy(() -> transactions(context)
                            .executeWithoutResult(status -> stock(context).add("a", () -> {})))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("stock:a")
                    .hasMessageContaining("around the transaction");
            assertThat(stock(context).value()).isZero();
            assertThat(context.getBean(LockExecutor.class).isLocked("stock:a").join())
                    .isFalse();
        });
    }

    @Test
    void whileLocksAreSwitchedOffTheLastToBeginCommits() {
        instance().withPropertyValues("distribution-lock.enabled=false").run(context -> {
            assertThatThrownBy(() -> stock(context).add("a", () -> addElsewhere(context, "a")))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock(context).value()).isEqualTo(1);
        });
    }

    @Test
    void aTransactionThatOnlyReadsIsComparedWhereItCouldWrite() {
        withTwo((first, second) -> {
            LockTemplate locks = first.getBean(LockTemplate.class);
            LockRequest request =
                    locks.request("stock:a").commitGuard(CommitGuard.DATABASE).build();
            TransactionTemplate reading = transactions(first);
            reading.setReadOnly(true);
            assertThatThrownBy(() -> locks.executeWithoutResult(
                            request,
                            () -> reading.executeWithoutResult(
                                    status -> stock(first).readAndWrite(() -> addElsewhere(second, "a")))))
                    .isInstanceOf(LockLostException.class);
            assertThat(stock(first).value()).isEqualTo(1);
        });
    }

    @Test
    void byDefaultForAll() {
        instance()
                .withPropertyValues("distribution-lock.defaults.commit-guard=database")
                .run(first -> instance().run(second -> {
                    assertThatThrownBy(() -> stock(first).addByDefault("a", () -> addElsewhere(second, "a")))
                            .isInstanceOf(LockLostException.class);
                    assertThat(stock(first).value()).isEqualTo(1);
                }));
    }

    @Test
    void withoutItsTableTheMethodDoesNotRunAndSaysWhatIsMissing() {
        instance()
                .withPropertyValues("distribution-lock.jdbc.initialize-schema=never")
                .run(context -> {
                    List<String> ran = new ArrayList<>();
                    assertThatThrownBy(() -> stock(context).add("a", () -> ran.add("ran")))
                            .hasMessageContaining("distribution-lock.jdbc.table")
                            .hasMessageContaining("initialize-schema");
                    assertThat(ran).isEmpty();
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import({Stock.class, Losses.class})
    static class Instance {

        @Bean
        DataSource dataSource(Environment environment) {
            return new DriverManagerDataSource(environment.getRequiredProperty("url"));
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("create table if not exists stock (id int primary key, n int)");
            jdbc.execute("create table if not exists log (text varchar(20))");
            jdbc.execute("merge into stock key (id) values (1, 0)");
            return jdbc;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    static class Losses {

        private final List<LockLostEvent> all = new CopyOnWriteArrayList<>();

        @EventListener
        public void lost(LockLostEvent event) {
            all.add(event);
        }
    }

    static class Stock {

        private final JdbcTemplate jdbc;

        Stock(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        @DistributionLock(key = "stock", commitGuard = CommitGuard.DATABASE)
        public void add(@DistributionLockParam String article, Runnable meanwhile) {
            readAndWrite(meanwhile);
        }

        @Transactional
        @DistributionLock(key = "stock")
        public void addByDefault(@DistributionLockParam String article, Runnable meanwhile) {
            readAndWrite(meanwhile);
        }

        @Transactional
        @DistributionLock(key = "stock:#{#from}", commitGuard = CommitGuard.DATABASE)
        @DistributionLock(key = "stock:#{#to}", commitGuard = CommitGuard.DATABASE)
        public void move(String from, String to, Runnable meanwhile) {
            readAndWrite(meanwhile);
        }

        void readAndWrite(Runnable meanwhile) {
            int before = value();
            meanwhile.run();
            write(before + 1);
        }

        void write(int value) {
            jdbc.update("update stock set n = ? where id = 1", value);
        }

        int value() {
            Integer value = jdbc.queryForObject("select n from stock where id = 1", Integer.class);
            return value == null ? -1 : value;
        }
    }
}
