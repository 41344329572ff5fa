package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.DelegatingLockExecutor.DelegatingLease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockTemplate.Execution;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** {@code LockTemplate} and {@code MultiLock} treat transactions and lost leases as the annotations do. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LockTemplateParityTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner() {
        return LockContextRunner.with(executor, DatabaseConfiguration.class);
    }

    private void with(Body test) {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            test.run(new Application(context));
        });
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @FunctionalInterface
    private interface Body {
        void run(Application application) throws Exception;
    }

    /** What the tests use of the application. */
    private record Application(ApplicationContext context) {

        LockTemplate locks() {
            return context.getBean(LockTemplate.class);
        }

        TransactionTemplate transaction() {
            return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        }

        LockRequest request(OnLost onLost) {
            return locks().request("work").onLost(onLost).build();
        }

        MultiLock both() {
            return MultiLock.of(
                    locks(),
                    List.of(
                            locks().request("work").onLost(OnLost.THROW).build(),
                            locks().request("a").build()));
        }

        void insert() {
            context.getBean(JdbcTemplate.class).update("insert into work values (1)");
        }

        int rows() {
            Integer rows =
                    context.getBean(JdbcTemplate.class).queryForObject("select count(*) from work", Integer.class);
            return rows == null ? -1 : rows;
        }
    }

    /** A way to run work under the lock "work". */
    private interface Call {
        Object run(Application application, Supplier<String> work);
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call("LockTemplate.execute", (on, work) -> on.locks().execute(on.request(OnLost.THROW), work)),
                call(
                        "LockTemplate.tryExecute",
                        (on, work) -> on.locks()
                                .tryExecute(on.request(OnLost.THROW), work)
                                .result()),
                call("MultiLock.execute", (on, work) -> on.both().execute(work)),
                call(
                        "MultiLock.tryExecute",
                        (on, work) -> on.both().tryExecute(work).result()));
    }

    private static Arguments call(String name, Call call) {
        return Arguments.of(name, call);
    }

    // ------------------------------------------------------------------ transactions around the work

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void insideAnOuterTransactionItsLocksAreHeldUntilThatHasEnded(String name, Call call) {
        with(application -> {
            application.transaction().executeWithoutResult(status -> {
                assertThat(call.run(application, () -> "done")).isEqualTo("done");
                assertThat(executor.isHeld("work")).isTrue();
                assertThat(application.locks().holdCount("work", LockOwner.currentThread()))
                        .isEqualTo(1);
                assertThat(call.run(application, () -> "again")).isEqualTo("again");
            });
            assertThat(executor.events()).containsOnlyOnce("lock work", "unlock work");
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void anOuterTransactionMayBeRefused(String name, Call call) {
        runner().withPropertyValues("distribution-lock.transactions.outer=refuse")
                .run(context -> {
                    Application application = new Application(context);
                    assertThatThrownBy(() ->
                                    application.transaction().execute(status -> call.run(application, () -> "done")))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(name)
                            .hasMessageContaining("distribution-lock.transactions.outer");
                    assertThat(executor.requests()).isEmpty();
                });
    }

    @Test
    void workThatFailsInAnOuterTransactionIsReleasedWithIt() {
        with(application -> {
            assertThatThrownBy(() -> application
                            .transaction()
                            .executeWithoutResult(status -> application.locks().execute("work", () -> {
                                throw new IllegalStateException("own");
                            })))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("own");
            assertThat(executor.events()).containsExactly("lock work", "unlock work");
        });
    }

    @Test
    void aLeaseAcquiredByHandIsReleasedByItsUser() {
        with(application -> application.transaction().executeWithoutResult(status -> {
            application.locks().acquire("work").close();
            assertThat(executor.isHeld("work")).isFalse();
        }));
    }

    @Test
    void aLeaseThatIsLostInAnOuterTransactionRollsThatBack() {
        with(application -> {
            assertThatThrownBy(() -> application.transaction().executeWithoutResult(status -> {
                        application.locks().execute("work", () -> {
                            application.insert();
                            return "done";
                        });
                        executor.leases().get(0).lose();
                    }))
                    .isInstanceOf(LockLostException.class);
            assertThat(application.rows()).isZero();
        });
    }

    // ------------------------------------------------------------------ transactions inside the work

    @Test
    void aLostLeaseRollsBackTheTransactionInsideTheWork() {
        with(application -> {
            assertThatThrownBy(() -> application
                            .locks()
                            .execute(
                                    "work",
                                    () -> application.transaction().execute(status -> {
                                        application.insert();
                                        executor.leases().get(0).lose();
                                        return "done";
                                    })))
                    .isInstanceOf(LockLostException.class);
            assertThat(application.rows()).isZero();
        });
    }

    @Test
    void theRemoteGuardAsksTheBackendBeforeTheCommit() {
        with(application -> {
            LockRequest request = application
                    .locks()
                    .request("work")
                    .commitGuard(CommitGuard.REMOTE)
                    .build();
            application.locks().execute(request, () -> application.transaction().execute(status -> "done"));
            assertThat(executor.events()).containsExactly("lock work", "confirm work", "unlock work");
        });
    }

    // ------------------------------------------------------------------ lost leases

    @Test
    void byDefaultALossIsLoggedPublishedAndCountedAndTheResultStands(CapturedOutput output) {
        with(application -> {
            assertThat(application.locks().execute("work", this::lose)).isEqualTo("result");
            assertThat(output).contains("The lease of lock 'work' was lost before LockTemplate.execute returned");
            List<LockLostEvent> events = application.context().getBean(Listener.class).events;
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !events.isEmpty());
            assertThat(events).containsExactly(new LockLostEvent("work", null, LossReason.UNKNOWN));
            MeterRegistry registry = application.context().getBean(MeterRegistry.class);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(registry.get("distribution.lock.hold")
                                    .tag("outcome", "unknown")
                                    .timer()
                                    .count())
                            .isEqualTo(1));
        });
    }

    private String lose() {
        executor.leases().get(executor.leases().size() - 1).lose();
        return "result";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void throwDiscardsTheResultAndKeepsTheWorksExceptionAsSuppressed(String name, Call call) {
        with(application -> {
            assertThatThrownBy(() -> call.run(application, this::lose))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("'work'");
            IllegalStateException own = new IllegalStateException("own");
            assertThatThrownBy(() -> call.run(application, () -> {
                        lose();
                        throw own;
                    }))
                    .isInstanceOf(LockLostException.class)
                    .hasSuppressedException(own);
            assertThat(call.run(application, () -> "kept")).isEqualTo("kept");
        });
    }

    @Test
    void interruptWakesTheWorkAtOnceAndLeavesNoFlagBehind() {
        with(application -> {
            LockRequest request = application.request(OnLost.INTERRUPT);
            boolean interrupted = application.locks().execute(request, () -> {
                lose();
                return Thread.currentThread().isInterrupted();
            });
            assertThat(interrupted).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void theContextShowsTheWorkItsLease() {
        with(application -> {
            boolean held = application.locks().execute("work", LockContext::isHeld);
            assertThat(held).isTrue();
            assertThat(LockContext.leases()).isEmpty();
        });
    }

    // ------------------------------------------------------------------ the rest is as it was

    @Test
    void whatTheWorkReturnsOrThrowsArrivesAsItIs() {
        with(application -> {
            LockTemplate locks = application.locks();
            assertThat(locks.<Object>execute("work", () -> null)).isNull();
            LockRequest request = application.request(OnLost.REPORT);
            assertThat(locks.tryExecute(request, () -> null)).isEqualTo(new Execution<>(true, null));
            IOException own = new IOException("own");
            for (Reading reading : List.<Reading>of(
                    work -> locks.call(request, work),
                    work -> locks.tryCall(request, work).result(),
                    work -> application.both().call(work),
                    work -> application.both().tryCall(work).result())) {
                assertThatThrownBy(() -> reading.read(() -> {
                            throw own;
                        }))
                        .isSameAs(own);
                assertThat(catchThrowable(
                                () -> assertThat(reading.read(() -> "read")).isEqualTo("read")))
                        .isNull();
            }
        });
    }

    @Test
    void aReleaseThatFailsDoesNotReachTheCaller() {
        LockTemplate failing = new LockTemplate(
                new DelegatingLockExecutor(executor) {
                    @Override
                    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                        return super.acquire(request, owner)
                                .thenApply(outcome -> new LockOutcome.Acquired(
                                        new DelegatingLease(((LockOutcome.Acquired) outcome).lease()) {
                                            @Override
                                            public ReleaseResult release() {
                                                super.release();
                                                throw new IllegalStateException("no answer");
                                            }
                                        }));
                    }
                },
                LockDefaults.STANDARD);
        assertThat(failing.<String>execute("work", () -> "result")).isEqualTo("result");
    }

    /** Throws what the work says it throws, and nothing else. */
    private interface Reading {
        String read(LockTemplate.CheckedWork<String, IOException> work) throws IOException;
    }

    @Test
    void workWithoutAResultRunsOrIsReportedAsNotRun() {
        with(application -> {
            LockRequest request = application.request(OnLost.REPORT);
            List<String> ran = new ArrayList<>();
            application.locks().executeWithoutResult("work", () -> ran.add("name"));
            application.locks().executeWithoutResult(request, () -> ran.add("request"));
            application.both().executeWithoutResult(() -> ran.add("both"));
            assertThat(application.locks().tryExecuteWithoutResult(request, () -> ran.add("tried")))
                    .isTrue();
            executor.answerNext(new LockOutcome.Busy(Duration.ZERO));
            assertThat(application.locks().tryExecuteWithoutResult(request, () -> ran.add("never")))
                    .isFalse();
            executor.answerNext(new LockOutcome.Busy(Duration.ZERO));
            assertThat(application.locks().tryExecute(request, () -> ran.add("never")))
                    .isEqualTo(new Execution<>(false, null));
            assertThat(application.both().tryExecuteWithoutResult(() -> ran.add("tried both")))
                    .isTrue();
            assertThat(ran).containsExactly("name", "request", "both", "tried", "tried both");
        });
    }

    @Test
    void workDoesNotRunWithoutItsLock() {
        with(application -> {
            executor.answerNext(new LockOutcome.Busy(Duration.ZERO));
            assertThatThrownBy(() -> application.locks().execute("work", this::lose))
                    .isInstanceOf(LockNotAcquiredException.class);
            executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, new IllegalStateException("down")));
            assertThatThrownBy(() -> application.locks().execute("work", this::lose))
                    .isInstanceOf(LockBackendException.class);
            assertThat(executor.events()).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class DatabaseConfiguration {

        @Bean
        JdbcTemplate jdbcTemplate() {
            JdbcTemplate jdbc = new JdbcTemplate(
                    new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));
            jdbc.execute("create table work (n int)");
            return jdbc;
        }

        @Bean
        PlatformTransactionManager transactionManager(JdbcTemplate jdbc) {
            return new DataSourceTransactionManager(jdbc.getDataSource());
        }

        @Bean
        MeterRegistry meterRegistry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observationRegistry(MeterRegistry meters) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
            return registry;
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    static class Listener {
        final List<LockLostEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LockLostEvent event) {
            events.add(event);
        }
    }
}
