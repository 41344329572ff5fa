package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.transaction.DatabaseGuardTest.Instance;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Which calls the guard reaches, and what the caller of each gets. Another holder is a row that somebody else has changed. */
@Tag("boot4")
class DatabaseGuardCallsTest {

    private final ApplicationContextRunner application = LockContextRunner.local(Instance.class, Calls.class)
            .withPropertyValues("url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");

    private void run(Consumer<ApplicationContext> test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context);
        });
    }

    private static Runnable overtaking(ApplicationContext context, String lockName) {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        return () -> CompletableFuture.runAsync(
                        () -> assertThat(jdbc.update(
                                        "update distribution_lock_fence set token = token + 1, holder = 'another' where lock_name = ?",
                                        lockName))
                                .isEqualTo(1),
                        task -> new Thread(task).start())
                .join();
    }

    private static int written(ApplicationContext context) {
        Integer rows = context.getBean(JdbcTemplate.class).queryForObject("select count(*) from log", Integer.class);
        return rows == null ? -1 : rows;
    }

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void atEachIsolationTheLateOneLearnsWhoCameAfter(Isolation isolation) {
        run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            transaction.setIsolationLevel(isolation.value());
            LockRequest request =
                    locks.request("code").commitGuard(CommitGuard.DATABASE).build();
            assertThatThrownBy(() -> locks.executeWithoutResult(
                            request,
                            () -> transaction.executeWithoutResult(status -> {
                                context.getBean(Calls.class).write("late");
                                overtaking(context, "code").run();
                            })))
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.overtakenBy()).isPresent());
            assertThat(written(context)).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"stock:a", "stock:b"})
    void ofTheLocksOfAListEachIsCompared(String overtaken) {
        run(context -> {
            Calls calls = context.getBean(Calls.class);
            calls.each(List.of("b", "a"), () -> {});
            assertThat(written(context)).isEqualTo(1);
            assertThatThrownBy(() -> calls.each(List.of("b", "a"), overtaking(context, overtaken)))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining(overtaken);
            assertThat(written(context)).isEqualTo(1);
        });
    }

    @Test
    void ofSeveralLocksInCodeEachIsCompared() {
        run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            MultiLock both = MultiLock.of(
                    locks,
                    List.of(
                            locks.request("a").commitGuard(CommitGuard.DATABASE).build(),
                            locks.request("b").commitGuard(CommitGuard.DATABASE).build()));
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> both.executeWithoutResult(() -> transaction.executeWithoutResult(status -> {
                        context.getBean(Calls.class).write("late");
                        overtaking(context, "b").run();
                    })))
                    .isInstanceOf(LockLostException.class);
            assertThat(written(context)).isZero();
        });
    }

    @Test
    void onTheThreadOfAnAsyncMethodToo() {
        run(context -> {
            Calls calls = context.getBean(Calls.class);
            calls.later("a", () -> {}).join();
            assertThat(written(context)).isEqualTo(1);
            assertThatThrownBy(() ->
                            calls.later("a", overtaking(context, "stock:a")).join())
                    .hasCauseInstanceOf(LockLostException.class);
            assertThat(written(context)).isEqualTo(1);
        });
    }

    @Test
    void aLeaseThatIsAcquiredCannotBeGuarded() {
        run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            LockRequest request =
                    locks.request("code").commitGuard(CommitGuard.DATABASE).build();
            MultiLock one = MultiLock.of(locks, List.of(request));
            List<Runnable> calls = List.of(
                    () -> locks.acquire(request),
                    () -> locks.tryAcquire(request),
                    () -> locks.attempt(request),
                    () -> locks.acquireAsync(request),
                    one::attempt,
                    one::tryAcquire,
                    () -> one.attemptAsync(LockOwner.unique()));
            assertThat(calls)
                    .allSatisfy(call -> assertThatThrownBy(call::run)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("code")
                            .hasMessageContaining("execute"));
            assertThat(locks.executor().isLocked("code").join()).isFalse();
        });
    }

    @Test
    void theDefaultDoesNotReachALease() {
        application
                .withPropertyValues("distribution-lock.defaults.commit-guard=database")
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    Lock lock = locks.lock("view");
                    lock.lock();
                    try (Lease lease = locks.acquire("code")) {
                        assertThatCode(() -> transaction.executeWithoutResult(
                                        status -> context.getBean(Calls.class).write("free")))
                                .doesNotThrowAnyException();
                        assertThat(lease.isValid()).isTrue();
                    } finally {
                        lock.unlock();
                    }
                    assertThat(written(context)).isEqualTo(1);
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @Import(DatabaseGuardTest.Stock.class)
    static class Calls {

        private final JdbcTemplate jdbc;

        Calls(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        void write(String text) {
            jdbc.update("insert into log values (?)", text);
        }

        @Transactional
        @DistributionLock(key = "stock", commitGuard = CommitGuard.DATABASE)
        public void each(@DistributionLockParam(each = true) List<String> articles, Runnable meanwhile) {
            write(String.join(",", articles));
            meanwhile.run();
        }

        @Async
        @Transactional
        @DistributionLock(key = "stock", commitGuard = CommitGuard.DATABASE)
        public CompletableFuture<String> later(@DistributionLockParam String article, Runnable meanwhile) {
            write(article);
            meanwhile.run();
            return CompletableFuture.completedFuture(article);
        }
    }
}
