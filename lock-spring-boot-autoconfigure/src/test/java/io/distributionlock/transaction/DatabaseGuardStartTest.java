package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.jdbc.JdbcCommitFences;
import io.distributionlock.testing.LockContextRunner;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** What {@link CommitGuard#DATABASE} cannot guard is refused when the application starts, and says what to do. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class DatabaseGuardStartTest {

    private static ApplicationContextRunner application(Class<?>... configurations) {
        return LockContextRunner.local(configurations);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {Shared.class, Permits.class, Later.class, Reactive.class, Proceeding.class, Mandatory.class})
    void whatCannotBeGuardedIsRefused(Class<?> locked) {
        application(Database.class, locked)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining(locked.getSimpleName() + ".work")
                        .hasMessageContaining("DATABASE"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                SharedByDefault.class,
                PermitsByDefault.class,
                ReactiveByDefault.class,
                LaterByDefault.class,
                ProceedingByDefault.class
            })
    void theDefaultDoesNotReachItAndTheStartSaysSo(Class<?> locked, CapturedOutput output) {
        application(Database.class, locked)
                .withPropertyValues("distribution-lock.defaults.commit-guard=database")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains(locked.getSimpleName() + ".work")
                .contains("commit-guard")
                .contains("LOCAL");
    }

    @Test
    void theStartSaysSoOfTheSecondLockOfAMethodToo(CapturedOutput output) {
        application(Database.class, SecondLockShared.class)
                .withPropertyValues("distribution-lock.defaults.commit-guard=database")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("SecondLockShared.work").contains("LOCAL");
    }

    @Test
    void withoutATransactionManagerOfADatabaseTheStartSaysWhatIsMissing() {
        application(Guarded.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("Guarded.work")
                        .hasMessageContaining("transaction manager"));
    }

    @Test
    void withoutItsModuleTheStartSaysWhatIsMissing() {
        application(Database.class, Guarded.class)
                .withClassLoader(new FilteredClassLoader(JdbcCommitFences.class))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("Guarded.work")
                        .hasMessageContaining("lock-jdbc"));
    }

    @Test
    void theTableIsThereWhenTheApplicationHasStarted() {
        application(Database.class, Guarded.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForObject("select count(*) from distribution_lock_fence", Integer.class))
                    .isZero();
        });
    }

    @Test
    void whoDoesNotUseItHasNoTable() {
        application(Database.class, Plain.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForObject(
                                    "select count(*) from information_schema.tables where table_name = 'DISTRIBUTION_LOCK_FENCE'",
                                    Integer.class))
                    .isZero();
        });
    }

    @Test
    void transactionsThatDoNotUseItDoNotLookForIt() {
        application(Database.class, Plain.class).run(context -> {
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transactions.executeWithoutResult(status -> {});
            transactions.executeWithoutResult(
                    status -> context.getBean(Plain.class).work());
            assertThat(context.getBeanFactory().containsBeanDefinition("distributionLockFencedCommits"))
                    .isTrue();
            assertThat(context.getBeanFactory().containsSingleton("distributionLockFencedCommits"))
                    .isFalse();
        });
    }

    @Test
    void aMissingTableIsNoticedAtTheStart(CapturedOutput output) {
        application(Database.class, Guarded.class)
                .withPropertyValues("distribution-lock.jdbc.initialize-schema=never")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("distribution-lock.jdbc.table").contains("DISTRIBUTION_LOCK_FENCE");
    }

    @Test
    void aDatabaseThatCannotBeReachedIsNamedByItsOwnWords() {
        application(Unreachable.class, Guarded.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("Guarded.work")
                        .hasMessageContaining("Wrong user name or password")
                        .hasMessageContaining("distribution-lock.jdbc.initialize-schema"));
    }

    @Test
    void workWithoutATransactionIsWarnedOfOnce(CapturedOutput output) {
        application(Database.class, Guarded.class, WithTransaction.class).run(context -> {
            context.getBean(Guarded.class).work();
            context.getBean(Guarded.class).work();
            context.getBean(WithTransaction.class).work();
        });
        assertThat(output.toString().split("ended without a transaction", -1)).hasSize(2);
        assertThat(output)
                .contains("Guarded.work() ended without a transaction")
                .contains("@Transactional");
    }

    @Test
    void aTableOfNoNameIsRefused() {
        application(Database.class, Guarded.class)
                .withPropertyValues("distribution-lock.jdbc.table=fence; drop table stock")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("distribution-lock.jdbc.table"));
    }

    @Test
    void aRequestForASharedLockIsRefused() {
        Assertions.assertThatThrownBy(() -> LockRequest.named("shared")
                        .kind(LockKind.READ)
                        .commitGuard(CommitGuard.DATABASE)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shared")
                .hasMessageContaining("commitGuard")
                .hasMessageContaining("READ");
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unreachable {

        @Bean
        PlatformTransactionManager transactionManager() throws SQLException {
            String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            DriverManager.getConnection(url, "owner", "secret").close();
            return new DataSourceTransactionManager(new DriverManagerDataSource(url, "stranger", "guess"));
        }
    }

    public static class WithTransaction {

        private final PlatformTransactionManager transactions;

        WithTransaction(PlatformTransactionManager transactions) {
            this.transactions = transactions;
        }

        @DistributionLock(key = "transactional", commitGuard = CommitGuard.DATABASE)
        public void work() {
            new TransactionTemplate(transactions).executeWithoutResult(status -> {});
        }
    }

    public static class Guarded {

        @DistributionLock(key = "work", commitGuard = CommitGuard.DATABASE)
        public void work() {}
    }

    static class Plain {

        @DistributionLock(key = "work")
        public void work() {}
    }

    static class Shared {

        @DistributionLock(key = "work", kind = LockKind.READ, commitGuard = CommitGuard.DATABASE)
        public void work() {}
    }

    static class Permits {

        @DistributionLock(key = "work", permits = 3, commitGuard = CommitGuard.DATABASE)
        public void work() {}
    }

    static class PermitsByDefault {

        @DistributionLock(key = "work", permits = 3)
        public void work() {}
    }

    static class ReactiveByDefault {

        @DistributionLock(key = "work")
        public Mono<String> work() {
            return Mono.just("done");
        }
    }

    static class SharedByDefault {

        @DistributionLock(key = "work", kind = LockKind.READ)
        public void work() {}
    }

    static class SecondLockShared {

        @DistributionLock(key = "first")
        @DistributionLock(key = "second", kind = LockKind.READ)
        public void work() {}
    }

    static class Later {

        @DistributionLock(key = "work", commitGuard = CommitGuard.DATABASE)
        public CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("done");
        }
    }

    static class LaterByDefault {

        @DistributionLock(key = "work")
        public CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("done");
        }
    }

    static class Reactive {

        @DistributionLock(key = "work", commitGuard = CommitGuard.DATABASE)
        public Mono<String> work() {
            return Mono.just("done");
        }
    }

    static class Proceeding {

        @DistributionLock(key = "work", onBackendFailure = OnBackendFailure.PROCEED, commitGuard = CommitGuard.DATABASE)
        public void work() {}
    }

    static class ProceedingByDefault {

        @DistributionLock(key = "work", onBackendFailure = OnBackendFailure.PROCEED)
        public void work() {}
    }

    static class Mandatory {

        @Transactional(propagation = Propagation.MANDATORY)
        @DistributionLock(key = "work", commitGuard = CommitGuard.DATABASE)
        public void work() {}
    }
}
