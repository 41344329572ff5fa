package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.distributionlock.LockLostException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;

/** As {@link SeveralManagersTest}, for reactive transactions. */
@Tag("boot4")
class SeveralReactiveManagersTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private final ApplicationContextRunner runner = LockContextRunner.with(executor, Databases.class)
            .withConfiguration(AutoConfigurations.of(MovedClasses.transactionAutoConfiguration()));

    /** What a scenario works with. */
    private record Application(ApplicationContext context, ScriptedLockExecutor executor) {

        Mono<Void> locked(Mono<Void> work) {
            return context.getBean(Service.class).locked(work);
        }

        Mono<Void> keptLock() {
            return locked(Mono.empty());
        }

        Mono<Void> lose() {
            return Mono.fromRunnable(() -> executor.leases().get(0).lose());
        }

        /** @param operator {@code first}, {@code second}, or {@code firstAnew} */
        Mono<Void> in(String operator, Mono<Void> work) {
            return context.getBean(operator, TransactionalOperator.class).transactional(work);
        }

        Mono<Void> inByAnnotation(Mono<Void> work) {
            return context.getBean(Service.class).inSecond(work);
        }

        Mono<Void> write(String database) {
            return client(database)
                    .sql("insert into written values (1)")
                    .fetch()
                    .rowsUpdated()
                    .then();
        }

        Mono<Void> writeAndLose(String database) {
            return write(database).then(lose());
        }

        long written(String database) {
            return client(database)
                    .sql("select n from written")
                    .fetch()
                    .all()
                    .count()
                    .blockOptional(LONG)
                    .orElse(-1L);
        }

        private DatabaseClient client(String database) {
            return DatabaseClient.create(context.getBean(database + "Database", ConnectionFactory.class));
        }
    }

    static Stream<Named<Function<Application, Mono<Void>>>> losses() {
        return Stream.of(
                named(
                        "second inside first",
                        app -> app.locked(app.in("first", app.in("second", app.writeAndLose("second"))))),
                named(
                        "lost in the first, before the second",
                        app -> app.locked(app.in("first", app.lose().then(app.in("second", app.write("second")))))),
                named(
                        "lost in the second, written in the first",
                        app -> app.locked(app.in(
                                "first", app.write("first").then(app.in("second", app.writeAndLose("second")))))),
                named(
                        "locked between them",
                        app -> app.in("first", app.locked(app.in("second", app.writeAndLose("second"))))),
                named(
                        "kept by the first, written in the second",
                        app -> app.in("first", app.keptLock().then(app.in("second", app.writeAndLose("second"))))),
                named(
                        "kept by the first, written in the second by annotation",
                        app -> app.in("first", app.keptLock().then(app.inByAnnotation(app.writeAndLose("second"))))),
                named(
                        "kept by the first, written in the second by execute",
                        app -> app.in(
                                "first",
                                app.keptLock()
                                        .thenMany(app.context()
                                                .getBean("second", TransactionalOperator.class)
                                                .execute(transaction -> app.writeAndLose("second")))
                                        .then())),
                named(
                        "kept by the first, written in a new one",
                        app -> app.in("first", app.keptLock().then(app.in("firstAnew", app.writeAndLose("first"))))),
                named(
                        "kept by the first, written after a second that ended",
                        app -> app.in(
                                "first",
                                app.keptLock()
                                        .then(app.in("second", Mono.empty()))
                                        .then(app.in("second", app.writeAndLose("second"))))),
                named(
                        "kept by the outermost of three",
                        app -> app.in(
                                "first",
                                app.keptLock()
                                        .then(app.in("second", app.in("firstAnew", app.writeAndLose("first")))))));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void nothingIsCommittedAfterTheLoss(Function<Application, Mono<Void>> scenario) {
        runner.run(context -> {
            Application application = new Application(context, executor);
            assertThatThrownBy(() -> scenario.apply(application).block(LONG)).isInstanceOf(LockLostException.class);
            assertThat(application.written("first")).as("first").isZero();
            assertThat(application.written("second")).as("second").isZero();
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    @Test
    void allAreCommittedWhileTheLockIsHeld() {
        runner.run(context -> {
            Application app = new Application(context, executor);
            app.in(
                            "first",
                            app.keptLock()
                                    .then(app.write("first"))
                                    .then(app.in("second", app.write("second")))
                                    .then(app.in("firstAnew", app.write("first"))))
                    .block(LONG);
            assertThat(app.written("first")).isEqualTo(2);
            assertThat(app.written("second")).isOne();
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    /** Such as one that writes down why. */
    @Test
    void afterTheRollbackATransactionOfItsOwnMayCommit() {
        runner.run(context -> {
            Application app = new Application(context, executor);
            app.in("first", app.keptLock().then(app.in("second", app.writeAndLose("second"))))
                    .onErrorResume(LockLostException.class, lost -> app.in("second", app.write("second")))
                    .block(LONG);
            assertThat(app.written("second")).isOne();
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    static class Service {

        @DistributionLock(key = "lock")
        public Mono<Void> locked(Mono<Void> work) {
            return work;
        }

        @Transactional("secondManager")
        public Mono<Void> inSecond(Mono<Void> work) {
            return work;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Service.class)
    static class Databases {

        private static ConnectionFactory database() {
            ConnectionFactory database = ConnectionFactories.get(
                    "r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
            DatabaseClient.create(database)
                    .sql("create table written (n int)")
                    .then()
                    .block(LONG);
            return database;
        }

        @Bean
        ConnectionFactory firstDatabase() {
            return database();
        }

        @Bean
        ConnectionFactory secondDatabase() {
            return database();
        }

        @Bean
        R2dbcTransactionManager firstManager(ConnectionFactory firstDatabase) {
            return new R2dbcTransactionManager(firstDatabase);
        }

        @Bean
        R2dbcTransactionManager secondManager(ConnectionFactory secondDatabase) {
            return new R2dbcTransactionManager(secondDatabase);
        }

        @Bean
        TransactionalOperator first(R2dbcTransactionManager firstManager) {
            return TransactionalOperator.create(firstManager);
        }

        @Bean
        TransactionalOperator firstAnew(R2dbcTransactionManager firstManager) {
            return TransactionalOperator.create(
                    firstManager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        }

        @Bean
        TransactionalOperator second(R2dbcTransactionManager secondManager) {
            return TransactionalOperator.create(secondManager);
        }
    }
}
