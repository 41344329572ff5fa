package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockLostException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Locks and reactive transactions, with a real database: whoever turns transactions on, with and without AspectJ. */
@Tag("boot4")
class ReactiveTransactionTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor(new CopyOnWriteArrayList<>());

    /** Who makes the proxies and who turns transactions on: the order of advice depends on it. */
    enum Setting {
        BOOT,
        APPLICATION,
        WITHOUT_ASPECTJ
    }

    private ApplicationContextRunner runner(Setting setting) {
        ApplicationContextRunner runner = LockContextRunner.with(executor, DatabaseConfiguration.class)
                .withConfiguration(AutoConfigurations.of(MovedClasses.transactionAutoConfiguration()));
        return switch (setting) {
            case BOOT -> runner;
            case APPLICATION -> runner.withUserConfiguration(ManagementConfiguration.class);
            case WITHOUT_ASPECTJ -> runner.withPropertyValues("spring.aop.auto=false");
        };
    }

    private void with(Setting setting, Body test) {
        runner(setting).run(context -> {
            assertThat(context).hasNotFailed();
            test.run(context, context.getBean(Counter.class));
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    @FunctionalInterface
    private interface Body {
        void run(ApplicationContext context, Counter counter) throws Exception;
    }

    private static TransactionalOperator operator(ApplicationContext context) {
        return context.getBean(TransactionalOperator.class);
    }

    @ParameterizedTest
    @EnumSource
    void theNextHolderAlwaysSeesWhatTheLastOneCommitted(Setting setting) {
        with(setting, (context, counter) -> {
            Flux.range(0, 40)
                    .flatMap(i -> counter.increment().subscribeOn(Schedulers.parallel()), 8)
                    .blockLast(LONG);
            assertThat(counter.value()).isEqualTo(40);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLostLeaseRollsBack(Setting setting) {
        with(setting, (context, counter) -> {
            assertThatThrownBy(() -> counter.incrementAndLose().block(LONG)).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> counter.incrementAndLoseFlux().blockLast(LONG))
                    .isInstanceOf(LockLostException.class);
            assertThat(counter.value()).isZero();
            counter.increment().block(LONG);
            assertThat(counter.value()).isOne();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLostLeaseRollsATransactionBackThatBeginsFurtherIn(Setting setting) {
        with(setting, (context, counter) -> {
            Outer outer = context.getBean(Outer.class);
            assertThatThrownBy(() -> outer.byAnnotation().block(LONG)).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> outer.byOperator().block(LONG)).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> outer.byOperatorFlux().blockLast(LONG)).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> outer.byExecute().blockLast(LONG)).isInstanceOf(LockLostException.class);
            assertThat(counter.value()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void theRemoteGuardAsksTheBackendBeforeTheCommit(Setting setting) {
        with(setting, (context, counter) -> {
            counter.guarded().block(LONG);
            assertThat(executor.events())
                    .containsExactly("lock guarded", "inside", "confirm guarded", "unlock guarded");
        });
    }

    @ParameterizedTest
    @EnumSource
    void insideAnOuterTransactionTheLockIsHeldUntilThatHasCommitted(Setting setting) {
        with(setting, (context, counter) -> {
            for (Flux<?> increment : List.of(counter.increment().flux(), counter.incrementFlux())) {
                operator(context)
                        .transactional(increment.then(
                                Mono.fromRunnable(() -> executor.events().add("held " + executor.isHeld("counter")))))
                        .block(LONG);
            }
            assertThat(executor.events())
                    .containsExactly(
                            "lock counter",
                            "held true",
                            "unlock counter",
                            "lock counter",
                            "held true",
                            "unlock counter");
            assertThat(counter.value()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @EnumSource
    void insideAnOuterTransactionThatRollsBackTheLockIsReleasedToo(Setting setting) {
        with(setting, (context, counter) -> {
            assertThatThrownBy(() -> operator(context)
                            .transactional(counter.increment().then(Mono.error(new IllegalStateException("own"))))
                            .block(LONG))
                    .isExactlyInstanceOf(IllegalStateException.class);
            assertThat(executor.events()).containsExactly("lock counter", "unlock counter");
            assertThat(counter.value()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfItsOwnInsideAnOuterOneReleasesWithTheOuterOne(Setting setting) {
        with(setting, (context, counter) -> {
            operator(context)
                    .transactional(counter.ownTransaction()
                            .then(Mono.fromRunnable(() -> executor.events().add("held " + executor.isHeld("new")))))
                    .block(LONG);
            assertThat(executor.events()).containsExactly("lock new", "inside", "held true", "unlock new");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseThatIsLostInAnOuterTransactionRollsThatBack(Setting setting) {
        with(setting, (context, counter) -> {
            assertThatThrownBy(() -> operator(context)
                            .transactional(counter.increment()
                                    .then(Mono.fromRunnable(
                                            () -> executor.leases().get(0).lose())))
                            .block(LONG))
                    .isInstanceOf(LockLostException.class);
            assertThat(counter.value()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void anOuterTransactionMayBeRefused(Setting setting) {
        runner(setting)
                .withPropertyValues("distribution-lock.transactions.outer=refuse")
                .run(context -> {
                    Counter counter = context.getBean(Counter.class);
                    assertThatThrownBy(() -> operator(context)
                                    .transactional(counter.increment())
                                    .block(LONG))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("Counter.increment()")
                            .hasMessageContaining("distribution-lock.transactions.outer");
                    assertThat(executor.requests()).isEmpty();
                    counter.increment().block(LONG);
                    assertThat(counter.value()).isOne();
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class ManagementConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @Import({Counter.class, Outer.class})
    static class DatabaseConfiguration {

        @Bean
        ConnectionFactory connectionFactory() {
            return ConnectionFactories.get(
                    "r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
        }

        @Bean
        DatabaseClient databaseClient(ConnectionFactory connectionFactory) {
            DatabaseClient client = DatabaseClient.create(connectionFactory);
            client.sql("create table counter (n int)").then().block(LONG);
            client.sql("insert into counter values (0)").then().block(LONG);
            return client;
        }

        @Bean
        ReactiveTransactionManager transactionManager(ConnectionFactory connectionFactory) {
            return new R2dbcTransactionManager(connectionFactory);
        }
    }

    static class Counter {

        private final DatabaseClient client;
        private final ScriptedLockExecutor executor;

        Counter(DatabaseClient client, ScriptedLockExecutor executor) {
            this.client = client;
            this.executor = executor;
        }

        Mono<Integer> read() {
            return client.sql("select n from counter")
                    .map(row -> row.get(0, Integer.class))
                    .one();
        }

        /** Loses updates unless each reads what the one before has committed. */
        Mono<Void> readAndWrite() {
            return read().flatMap(n -> client.sql("update counter set n = " + (n + 1))
                            .fetch()
                            .rowsUpdated())
                    .then();
        }

        int value() {
            return read().blockOptional(LONG).orElse(-1);
        }

        void loseLast() {
            executor.leases().get(executor.leases().size() - 1).lose();
        }

        @Transactional
        @DistributionLock(key = "counter", tryLockTime = 20_000)
        public Mono<Void> increment() {
            return readAndWrite();
        }

        @Transactional
        @DistributionLock(key = "counter", tryLockTime = 20_000)
        public Flux<Integer> incrementFlux() {
            return readAndWrite().thenMany(Flux.just(1, 2));
        }

        @Transactional
        @DistributionLock(key = "lose")
        public Mono<Void> incrementAndLose() {
            return readAndWrite().then(Mono.fromRunnable(this::loseLast));
        }

        @Transactional
        @DistributionLock(key = "lose")
        public Flux<Integer> incrementAndLoseFlux() {
            return readAndWrite().then(Mono.<Void>fromRunnable(this::loseLast)).thenMany(Flux.just(1, 2));
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @DistributionLock(key = "new")
        public Mono<Void> ownTransaction() {
            return Mono.fromRunnable(() -> executor.events().add("inside"));
        }

        @Transactional
        @DistributionLock(key = "guarded", commitGuard = CommitGuard.REMOTE)
        public Mono<Void> guarded() {
            return Mono.fromRunnable(() -> executor.events().add("inside"));
        }

        @Transactional
        public Mono<Void> unlocked() {
            return readAndWrite();
        }
    }

    /** Locks around transactions that begin somewhere inside. */
    static class Outer {

        private final Counter counter;
        private final TransactionalOperator operator;

        Outer(Counter counter, TransactionalOperator operator) {
            this.counter = counter;
            this.operator = operator;
        }

        @DistributionLock(key = "outer")
        public Mono<Void> byAnnotation() {
            return Mono.delay(Duration.ofMillis(1))
                    .then(Mono.<Void>fromRunnable(counter::loseLast))
                    .then(counter.unlocked());
        }

        @DistributionLock(key = "outer")
        public Mono<Void> byOperator() {
            return operator.transactional(counter.readAndWrite().then(Mono.fromRunnable(counter::loseLast)));
        }

        @DistributionLock(key = "outer")
        public Flux<Void> byOperatorFlux() {
            return operator.transactional(counter.readAndWrite()
                    .then(Mono.<Void>fromRunnable(counter::loseLast))
                    .flux());
        }

        @DistributionLock(key = "outer")
        public Flux<Void> byExecute() {
            return operator.execute(transaction -> counter.readAndWrite().then(Mono.fromRunnable(counter::loseLast)));
        }
    }
}
