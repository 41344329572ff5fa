package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockLostException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and transactions, with a real database. */
@Tag("boot4")
class LockTransactionTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner() {
        return LockContextRunner.with(executor, DatabaseConfiguration.class);
    }

    private void with(Consumer<ApplicationContext> test) {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context);
        });
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @Test
    void theNextHolderAlwaysSeesWhatTheLastOneCommitted() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                Callable<Void> work = () -> {
                    for (int i = 0; i < 50; i++) {
                        counter.increment();
                    }
                    return null;
                };
                for (Future<Void> done : threads.invokeAll(List.of(work, work, work, work))) {
                    done.get();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                threads.shutdown();
            }
            assertThat(counter.value()).isEqualTo(200);
        });
    }

    @Test
    void insideAnOuterTransactionTheLockIsHeldUntilThatHasCommitted() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            transaction(context).executeWithoutResult(status -> {
                counter.increment();
                assertThat(executor.isHeld("counter")).isTrue();
                counter.increment();
                assertThat(executor.isHeld("counter")).isTrue();
            });
            assertThat(executor.events()).containsExactly("lock counter", "unlock counter");
            assertThat(counter.value()).isEqualTo(2);
        });
    }

    @Test
    void theLocksOfSeveralCallsAreReleasedInReverse() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            transaction(context).executeWithoutResult(status -> {
                counter.increment();
                counter.submit();
            });
            assertThat(executor.events())
                    .containsExactly("lock counter", "lock submit", "unlock submit", "unlock counter");
        });
    }

    @Test
    void insideAnOuterTransactionThatRollsBackTheLockIsReleasedToo() {
        with(context -> {
            transaction(context).executeWithoutResult(status -> {
                context.getBean(Counter.class).increment();
                status.setRollbackOnly();
            });
            assertThat(executor.events()).containsExactly("lock counter", "unlock counter");
            assertThat(context.getBean(Counter.class).value()).isZero();
        });
    }

    @Test
    void aTransactionOfItsOwnInsideAnOuterOneReleasesWithTheOuterOne() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            transaction(context).executeWithoutResult(status -> {
                counter.incrementInNew();
                assertThat(executor.isHeld("new")).isTrue();
            });
            assertThat(executor.events()).containsExactly("lock new", "unlock new");
        });
    }

    @Test
    void aMethodThatFailsInAnOuterTransactionIsReleasedWithIt() {
        with(context -> {
            assertThatThrownBy(() -> transaction(context)
                            .executeWithoutResult(
                                    status -> context.getBean(Counter.class).fail()))
                    .isExactlyInstanceOf(IllegalStateException.class);
            assertThat(executor.events()).containsExactly("lock fail", "unlock fail");
        });
    }

    @Test
    void aNestedTransactionInsideAnOuterOneReleasesWithTheOuterOne() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            transaction(context).executeWithoutResult(status -> {
                counter.incrementNested();
                assertThat(executor.isHeld("nested")).isTrue();
            });
            assertThat(executor.events()).containsExactly("lock nested", "unlock nested");
            assertThat(counter.value()).isOne();
        });
    }

    /** Only what was committed is done, and may not be repeated. */
    @Test
    void aRollbackLetsTheCallBeRepeated() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            transaction(context).executeWithoutResult(status -> counter.submit());
            assertThat(executor.events()).containsExactly("lock submit", "unlock submit");
            executor.events().clear();
            transaction(context).executeWithoutResult(status -> {
                counter.submit();
                status.setRollbackOnly();
            });
            assertThat(executor.events()).containsExactly("lock submit", "waive submit", "unlock submit");
        });
    }

    /** A method may answer its failure as a value, and mark its transaction for a rollback. */
    @Test
    void aCallThatRollsItsOwnTransactionBackMayBeRepeated() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            counter.give(false);
            counter.giveLater(false).join();
            assertThat(executor.events()).containsExactly("lock give", "unlock give", "lock later", "unlock later");
            executor.events().clear();
            counter.give(true);
            counter.giveLater(true).join();
            assertThat(executor.events())
                    .containsExactly(
                            "lock give", "waive give", "unlock give", "lock later", "waive later", "unlock later");
        });
    }

    @Test
    void itHasFailedIfAllThatItBeganWasRolledBack() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            TransactionTemplate writes = transaction(context);
            TransactionTemplate reads = transaction(context);
            reads.setReadOnly(true);
            TransactionTemplate apart = transaction(context);
            apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

            counter.submitting(() -> {
                reads.executeWithoutResult(status -> {});
                writes.executeWithoutResult(status -> {
                    apart.executeWithoutResult(recorded -> {});
                    status.setRollbackOnly();
                });
            });
            assertThat(executor.events()).containsExactly("lock submitting", "waive submitting", "unlock submitting");

            executor.events().clear();
            counter.submitting(() -> {
                writes.executeWithoutResult(TransactionStatus::setRollbackOnly);
                writes.executeWithoutResult(status -> {});
            });
            counter.submitting(() -> {
                writes.executeWithoutResult(status -> {});
                writes.executeWithoutResult(TransactionStatus::setRollbackOnly);
            });
            counter.submitting(() -> writes.executeWithoutResult(
                    status -> apart.executeWithoutResult(TransactionStatus::setRollbackOnly)));
            writes.executeWithoutResult(
                    status -> counter.submitting(() -> apart.executeWithoutResult(TransactionStatus::setRollbackOnly)));
            assertThat(executor.events()).doesNotContain("waive submitting").hasSize(8);
        });
    }

    @Test
    void theLockSurroundsTheTransactionWhicheverIsWrittenFirst() {
        for (Class<?> management : List.of(LateManagement.class, EarlyManagement.class)) {
            LockContextRunner.with(executor, BareDatabaseConfiguration.class, management)
                    .run(context -> {
                        executor.events().clear();
                        context.getBean(Counter.class).lockWrittenFirst();
                        context.getBean(Counter.class).transactionWrittenFirst();
                        assertThat(executor.events())
                                .containsExactly(
                                        "lock first",
                                        "begin",
                                        "commit",
                                        "unlock first",
                                        "lock second",
                                        "begin",
                                        "commit",
                                        "unlock second");
                    });
        }
    }

    @Test
    void aLostLeaseRollsBackATransactionTemplateInside() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            assertThatThrownBy(() -> counter.byTemplate(transaction(context))).isInstanceOf(LockLostException.class);
            assertThat(counter.value()).isZero();
        });
    }

    @Test
    void anInnerTransactionOfItsOwnIsRolledBackToo() {
        with(context -> {
            Counter counter = context.getBean(Counter.class);
            assertThatThrownBy(() -> transaction(context).executeWithoutResult(status -> counter.loseInNew()))
                    .isInstanceOf(LockLostException.class);
            assertThat(counter.value()).isZero();
        });
    }

    @Test
    void anOuterTransactionMayBeRefused() {
        runner().withPropertyValues("distribution-lock.transactions.outer=refuse")
                .run(context -> {
                    assertThatThrownBy(() -> transaction(context)
                                    .executeWithoutResult(status ->
                                            context.getBean(Counter.class).increment()))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("Counter.increment()")
                            .hasMessageContaining("distribution-lock.transactions.outer");
                    assertThat(executor.requests()).isEmpty();
                    context.getBean(Counter.class).increment();
                    assertThat(context.getBean(Counter.class).value()).isOne();
                });
    }

    @Test
    void aLostLeaseRollsBack() {
        with(context -> {
            assertThatThrownBy(() -> context.getBean(Counter.class).incrementAndLose())
                    .isInstanceOf(LockLostException.class);
            assertThat(context.getBean(Counter.class).value()).isZero();
        });
    }

    @Test
    void aLeaseThatIsLostInAnOuterTransactionRollsThatBack() {
        with(context -> {
            assertThatThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                        context.getBean(Counter.class).increment();
                        executor.leases().get(0).lose();
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(context.getBean(Counter.class).value()).isZero();
        });
    }

    @Test
    void theRemoteGuardAsksTheBackendBeforeTheCommit() {
        with(context -> {
            context.getBean(Counter.class).guarded();
            assertThat(executor.events())
                    .containsExactly("lock guarded", "inside", "confirm guarded", "unlock guarded");
        });
    }

    @Test
    void withoutAnAnswerTheRemoteGuardStopsTheCommitAndSaysSo() {
        executor.confirmNothing();
        with(context -> assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(context.getBean(Counter.class)::guarded)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.NO_ANSWER)));
    }

    @Test
    void aTransactionOutsideOfAnyLockIsLeftAlone() {
        with(context -> {
            Integer one = transaction(context)
                    .execute(status -> context.getBean(JdbcTemplate.class).queryForObject("select 1", Integer.class));
            assertThat(one).isOne();
            assertThat(executor.requests()).isEmpty();
        });
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class LateManagement {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class EarlyManagement {}

    @Configuration(proxyBeanMethods = false)
    @Import({EarlyManagement.class, BareDatabaseConfiguration.class})
    static class DatabaseConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @Import(Counter.class)
    static class BareDatabaseConfiguration {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource(
                    "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("create table counter (n int)");
            jdbc.execute("insert into counter values (0)");
            return jdbc;
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    static class Counter {

        private final JdbcTemplate jdbc;
        private final ScriptedLockExecutor executor;

        Counter(JdbcTemplate jdbc, ScriptedLockExecutor executor) {
            this.jdbc = jdbc;
            this.executor = executor;
        }

        /** Loses updates unless each reads what the one before has committed. */
        private void readAndWrite() {
            jdbc.update("update counter set n = ?", value() + 1);
        }

        public int value() {
            Integer value = jdbc.queryForObject("select n from counter", Integer.class);
            return value == null ? -1 : value;
        }

        @Transactional
        @DistributionLock(key = "counter", tryLockTime = 30_000)
        public void increment() {
            readAndWrite();
        }

        @RefuseRepeats(key = "submit", within = "5s")
        public void submit() {
            readAndWrite();
        }

        @RefuseRepeats(key = "submitting", within = "5s")
        public void submitting(Runnable work) {
            work.run();
        }

        @Transactional
        @RefuseRepeats(key = "give", within = "5s")
        public String give(boolean up) {
            if (up) {
                TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            }
            return up ? "out of stock" : "given";
        }

        @Transactional
        @RefuseRepeats(key = "later", within = "5s")
        public CompletableFuture<String> giveLater(boolean up) {
            return CompletableFuture.completedFuture(give(up));
        }

        @Transactional(propagation = Propagation.NESTED)
        @DistributionLock(key = "nested")
        public void incrementNested() {
            readAndWrite();
        }

        @DistributionLock(key = "first")
        @Transactional
        public void lockWrittenFirst() {
            tellOfTransaction();
        }

        @Transactional
        @DistributionLock(key = "second")
        public void transactionWrittenFirst() {
            tellOfTransaction();
        }

        private void tellOfTransaction() {
            executor.events().add("begin");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    executor.events().add("commit");
                }
            });
        }

        @DistributionLock(key = "template")
        public void byTemplate(TransactionTemplate transaction) {
            transaction.executeWithoutResult(status -> {
                readAndWrite();
                executor.leases().get(0).lose();
            });
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @DistributionLock(key = "loseInNew")
        public void loseInNew() {
            readAndWrite();
            executor.leases().get(0).lose();
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @DistributionLock(key = "new")
        public void incrementInNew() {
            readAndWrite();
        }

        @Transactional
        @DistributionLock(key = "fail")
        public void fail() {
            throw new IllegalStateException("from the method");
        }

        @Transactional
        @DistributionLock(key = "lose")
        public void incrementAndLose() {
            readAndWrite();
            executor.leases().get(0).lose();
        }

        @Transactional
        @DistributionLock(key = "guarded", commitGuard = CommitGuard.REMOTE)
        public void guarded() {
            executor.events().add("inside");
        }
    }
}
