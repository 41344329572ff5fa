package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockLostException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.transaction.CommitFence;
import io.distributionlock.transaction.FencedCommits;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PostUpdate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The guard with JPA, which writes as late as it can: with two instances that both hold every lock. */
class DatabaseGuardJpaTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=";

    private void withTwo(BiConsumer<ApplicationContext, ApplicationContext> test) {
        ApplicationContextRunner instance =
                LockContextRunner.local(Instance.class).withPropertyValues("url=" + url + 20_000);
        new JdbcTemplate(new DriverManagerDataSource(url + 20_000))
                .execute("create table article (id int primary key, n int); insert into article values (1, 0)");
        instance.run(first -> instance.run(second -> {
            assertThat(first).hasNotFailed();
            assertThat(second).hasNotFailed();
            test.accept(first, second);
        }));
    }

    private static CompletableFuture<Void> addElsewhere(ApplicationContext instance) {
        return CompletableFuture.runAsync(() -> stock(instance).add("a", () -> {}), task -> new Thread(task).start())
                .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private static Stock stock(ApplicationContext instance) {
        return instance.getBean(Stock.class);
    }

    private int value() {
        Integer value = new JdbcTemplate(new DriverManagerDataSource(url + 20_000))
                .queryForObject("select n from article where id = 1", Integer.class);
        return value == null ? -1 : value;
    }

    @Test
    void whoWasOvertakenDoesNotCommit() {
        withTwo((first, second) -> {
            assertThatThrownBy(() ->
                            stock(first).add("a", () -> addElsewhere(second).join()))
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.overtakenBy()).isPresent());
            assertThat(value()).isEqualTo(1);
            stock(first).add("a", () -> {});
            assertThat(value()).isEqualTo(2);
        });
    }

    /** Otherwise it would wait for others' rows while they wait for that of the lock. */
    @Test
    void whatWasChangedIsWrittenBeforeTheRowOfTheLockIsKept() {
        withTwo((first, second) -> {
            List<String> rowWhenWritten = new CopyOnWriteArrayList<>();
            Article.afterWriting = () -> rowWhenWritten.add(rowOfTheLock());
            try {
                stock(first).add("a", () -> {});
            } finally {
                Article.afterWriting = () -> {};
            }
            assertThat(rowWhenWritten).containsExactly("free");
            assertThat(value()).isEqualTo(1);
        });
    }

    private String rowOfTheLock() {
        JdbcTemplate impatient = new JdbcTemplate(new DriverManagerDataSource(url + 100));
        try {
            impatient.queryForList("select token from distribution_lock_fence where lock_name = 'stock:a' for update");
            return "free";
        } catch (DataAccessException e) {
            return "kept: " + e;
        }
    }

    @Test
    void aLateHolderOfARowAndTheNextHolderDoNotWaitForEachOther() {
        withTwo((late, next) -> {
            CompletableFuture<?>[] adding = new CompletableFuture<?>[1];
            assertThatThrownBy(() -> stock(late).addAndFlush("a", () -> {
                        adding[0] = addElsewhere(next);
                        Awaitility.await().atMost(LONG).until(this::somebodyWaits);
                    }))
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.overtakenBy()).isPresent());
            adding[0].join();
            assertThat(value()).isEqualTo(1);
        });
    }

    private boolean somebodyWaits() {
        Integer waiting = new JdbcTemplate(new DriverManagerDataSource(url + 20_000))
                .queryForObject(
                        "select count(*) from information_schema.sessions where blocker_id is not null", Integer.class);
        return waiting != null && waiting > 0;
    }

    @Test
    void whatOnlyReadsWritesNothingBecauseOfTheGuard() {
        withTwo((first, second) -> {
            stock(first).changeReadOnly("a");
            assertThat(value()).isZero();
        });
    }

    /** It would look into a row by a connection of its own. */
    @Test
    void jpaWithoutADialectThatKnowsItsConnectionIsNoDatabase() {
        DataSource dataSource = new DriverManagerDataSource(url + 20_000);
        JpaTransactionManager jpa = new JpaTransactionManager();
        jpa.setEntityManagerFactory(Mockito.mock(EntityManagerFactory.class));
        jpa.setDataSource(dataSource);
        LockContextRunner.local().run(context -> {
            FencedCommits commits = new FencedCommits(context.getBean(CommitFence.Finder.class), () -> List.of(jpa));
            assertThatThrownBy(commits::requireDatabase)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("transaction manager");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(Stock.class)
    static class Instance {

        @Bean
        DataSource dataSource(Environment environment) {
            return new DriverManagerDataSource(environment.getRequiredProperty("url"));
        }

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setManagedTypes(PersistenceManagedTypes.of(Article.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            return factory;
        }

        @Bean
        PlatformTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }
    }

    @Entity(name = "article")
    public static class Article {

        static volatile Runnable afterWriting = () -> {};

        @Id
        int id;

        int n;

        @PostUpdate
        void written() {
            afterWriting.run();
        }
    }

    static class Stock {

        @PersistenceContext
        private EntityManager entities;

        @Transactional
        @DistributionLock(key = "stock", commitGuard = CommitGuard.DATABASE)
        public void add(@DistributionLockParam String article, Runnable meanwhile) {
            Article found = entities.find(Article.class, 1);
            meanwhile.run();
            found.n++;
        }

        @Transactional
        @DistributionLock(key = "stock", commitGuard = CommitGuard.DATABASE)
        public void addAndFlush(@DistributionLockParam String article, Runnable meanwhile) {
            entities.find(Article.class, 1).n++;
            entities.flush();
            meanwhile.run();
        }

        @Transactional(readOnly = true)
        @DistributionLock(key = "stock", commitGuard = CommitGuard.DATABASE)
        public void changeReadOnly(@DistributionLockParam String article) {
            entities.find(Article.class, 1).n++;
        }
    }
}
