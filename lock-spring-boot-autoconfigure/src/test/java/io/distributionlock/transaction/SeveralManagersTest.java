package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.distributionlock.LockLostException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and transactions of several managers, or of one inside another: none commits after a lock around it was lost. */
@Tag("boot4")
class SeveralManagersTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    /** What a scenario works with. */
    private record Application(ApplicationContext context, ScriptedLockExecutor executor) {

        void locked(Runnable work) {
            context.getBean(Locked.class).run(work);
        }

        void keptLock() {
            context.getBean(Locked.class).run(() -> {});
        }

        void lose() {
            executor.leases().get(0).lose();
        }

        void in(String manager, Runnable work) {
            in(manager, TransactionDefinition.PROPAGATION_REQUIRED, work);
        }

        void in(String manager, int propagation, Runnable work) {
            DataSourceTransactionManager itself = context.getBean(manager, DataSourceTransactionManager.class);
            TransactionTemplate template = new TransactionTemplate(itself);
            template.setPropagationBehavior(propagation);
            template.executeWithoutResult(status -> work.run());
        }

        void write(String manager) {
            DataSourceTransactionManager itself = context.getBean(manager, DataSourceTransactionManager.class);
            new JdbcTemplate(itself.getDataSource()).update("insert into written values (1)");
        }

        int written(String manager) {
            DataSourceTransactionManager itself = context.getBean(manager, DataSourceTransactionManager.class);
            return new JdbcTemplate(itself.getDataSource())
                    .queryForObject("select count(*) from written", Integer.class);
        }

        void writeAndLose(String manager) {
            write(manager);
            lose();
        }
    }

    static Stream<Named<Consumer<Application>>> losses() {
        int anew = TransactionDefinition.PROPAGATION_REQUIRES_NEW;
        int nested = TransactionDefinition.PROPAGATION_NESTED;
        return Stream.of(
                named("one", app -> app.locked(() -> app.in("first", () -> app.writeAndLose("first")))),
                named(
                        "second inside first",
                        app -> app.locked(() ->
                                app.in("first", () -> app.in("second", () -> app.writeAndLose("second"))))),
                named(
                        "lost in the first, before the second",
                        app -> app.locked(() -> app.in("first", () -> {
                            app.lose();
                            app.in("second", () -> app.write("second"));
                        }))),
                named(
                        "lost in the second, written in the first",
                        app -> app.locked(() -> app.in("first", () -> {
                            app.write("first");
                            app.in("second", () -> app.writeAndLose("second"));
                        }))),
                named(
                        "locked between them",
                        app -> app.in(
                                "first", () -> app.locked(() -> app.in("second", () -> app.writeAndLose("second"))))),
                named(
                        "kept by the first, written in the second",
                        app -> app.in("first", () -> {
                            app.keptLock();
                            app.in("second", () -> app.writeAndLose("second"));
                        })),
                named(
                        "kept by the first, written in a new one",
                        app -> app.in("first", () -> {
                            app.keptLock();
                            app.in("first", anew, () -> app.writeAndLose("first"));
                        })),
                named(
                        "kept by the outermost of three",
                        app -> app.in("first", () -> {
                            app.keptLock();
                            app.in("second", () -> app.in("first", anew, () -> app.writeAndLose("first")));
                        })),
                named(
                        "kept by the first, written in a savepoint",
                        app -> app.in("first", () -> {
                            app.keptLock();
                            app.in("first", nested, () -> app.writeAndLose("first"));
                        })),
                named(
                        "a new one",
                        app -> app.locked(() ->
                                app.in("first", () -> app.in("first", anew, () -> app.writeAndLose("first"))))),
                named(
                        "without synchronization",
                        app -> app.locked(() -> app.in("silent", () -> app.writeAndLose("silent")))),
                named(
                        "without synchronization, inside first",
                        app -> app.locked(() ->
                                app.in("first", () -> app.in("silent", () -> app.writeAndLose("silent"))))),
                named(
                        "kept by the first, written without synchronization",
                        app -> app.in("first", () -> {
                            app.keptLock();
                            app.in("silent", () -> app.writeAndLose("silent"));
                        })),
                named(
                        "first, inside one without synchronization",
                        app -> app.locked(() ->
                                app.in("silent", () -> app.in("first", () -> app.writeAndLose("first"))))),
                named(
                        "synchronized if actual",
                        app -> app.locked(() -> app.in("actual", () -> app.writeAndLose("actual")))),
                named(
                        "inside work without transaction",
                        app -> app.in(
                                "first",
                                TransactionDefinition.PROPAGATION_SUPPORTS,
                                () -> app.locked(() -> app.in("second", () -> app.writeAndLose("second"))))));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void nothingIsCommittedAfterTheLoss(Consumer<Application> scenario) {
        LockContextRunner.with(executor, Databases.class).run(context -> {
            Application application = new Application(context, executor);
            assertThatThrownBy(() -> scenario.accept(application)).isInstanceOf(LockLostException.class);
            for (String manager : List.of("first", "second", "silent", "actual")) {
                assertThat(application.written(manager)).as(manager).isZero();
            }
        });
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @Test
    void allAreCommittedWhileTheLockIsHeld() {
        LockContextRunner.with(executor, Databases.class).run(context -> {
            Application application = new Application(context, executor);
            application.locked(() -> application.in("first", () -> {
                application.write("first");
                application.in("second", () -> application.write("second"));
                application.in("silent", () -> application.write("silent"));
            }));
            assertThat(application.written("first")).isOne();
            assertThat(application.written("second")).isOne();
            assertThat(application.written("silent")).isOne();
        });
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    /** Such as by a listener that writes down why. */
    @Test
    void afterTheRollbackATransactionOfItsOwnMayCommit() {
        LockContextRunner.with(executor, Databases.class).run(context -> {
            Application application = new Application(context, executor);
            assertThatThrownBy(() -> application.in("first", () -> {
                        application.keptLock();
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCompletion(int status) {
                                application.in(
                                        "first",
                                        TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                                        () -> application.write("first"));
                                application.in("second", () -> application.write("second"));
                            }
                        });
                        application.in("second", () -> application.writeAndLose("second"));
                    }))
                    .isInstanceOf(LockLostException.class);
            application.in("second", () -> application.write("second"));
            assertThat(application.written("first")).isOne();
            assertThat(application.written("second")).isEqualTo(2);
        });
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    static class Locked {

        @DistributionLock(key = "lock")
        public void run(Runnable work) {
            work.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Locked.class)
    static class Databases {

        private static DataSourceTransactionManager manager() {
            DataSource database = new DriverManagerDataSource(
                    "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
            new JdbcTemplate(database).execute("create table written (n int)");
            return new DataSourceTransactionManager(database);
        }

        @Bean
        DataSourceTransactionManager first() {
            return manager();
        }

        @Bean
        DataSourceTransactionManager second() {
            return manager();
        }

        @Bean
        DataSourceTransactionManager silent() {
            DataSourceTransactionManager manager = manager();
            manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
            return manager;
        }

        @Bean
        DataSourceTransactionManager actual() {
            DataSourceTransactionManager manager = manager();
            manager.setTransactionSynchronization(
                    AbstractPlatformTransactionManager.SYNCHRONIZATION_ON_ACTUAL_TRANSACTION);
            return manager;
        }
    }
}
