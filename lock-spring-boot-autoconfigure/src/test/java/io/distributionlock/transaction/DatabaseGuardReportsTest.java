package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockLostException;
import io.distributionlock.LockTemplate;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.transaction.DatabaseGuardTest.Instance;
import io.distributionlock.transaction.DatabaseGuardTest.Stock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Who is told that a database has refused a holder, and of what. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class DatabaseGuardReportsTest {

    private static final long LATER = Long.MAX_VALUE;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ApplicationContextRunner application = LockContextRunner.local(Instance.class, Losses.class)
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues("url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

    private static void overtake(ApplicationContext context) {
        context.getBean(JdbcTemplate.class)
                .update("update distribution_lock_fence set token = ?, holder = 'another'", LATER);
    }

    /** Events arrive on other threads. */
    private static void awaitReported(ApplicationContext context, String method) {
        Awaitility.await().atMost(LONG).untilAsserted(() -> {
            assertThat(context.getBean(MeterRegistry.class)
                            .get("distribution.lock.overtaken")
                            .tag("method", method)
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(context.getBean(Losses.class).all).hasSize(1);
        });
    }

    @Test
    void aMethodIsLoggedPublishedAndCounted(CapturedOutput output) {
        application.run(context -> {
            Stock stock = context.getBean(Stock.class);
            LockLostException lost = overtaken(() -> stock.add("a", () -> overtake(context)));
            assertThat(lost.overtakenBy()).hasValue(LATER);
            String announced = lost.getMessage().replaceAll(".*, not (\\d+)\\..*", "$1");
            assertThat(Long.parseLong(announced)).isPositive();
            assertThat(output.getOut().lines().filter(line -> line.contains("was overtaken")))
                    .singleElement()
                    .asString()
                    .contains("WARN", "stock:a", String.valueOf(LATER), announced, "Stock.add", "See why");
            awaitReported(context, "Stock.add");
            assertThat(context.getBean(Losses.class).all).singleElement().satisfies(event -> {
                assertThat(event.lockName()).isEqualTo("stock:a");
                assertThat(event.reason()).isEqualTo(LossReason.OVERTAKEN);
                assertThat(event.method()).isEqualTo(Stock.class.getMethod("add", String.class, Runnable.class));
            });
        });
    }

    private static LockLostException overtaken(Runnable call) {
        LockLostException[] thrown = new LockLostException[1];
        assertThatThrownBy(call::run).isInstanceOfSatisfying(LockLostException.class, lost -> thrown[0] = lost);
        return thrown[0];
    }

    @Test
    void workInCodeIsCountedWithoutAMethod() {
        application.run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            overtaken(() -> locks.executeWithoutResult(
                    locks.request("code").commitGuard(CommitGuard.DATABASE).build(),
                    () -> new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> overtake(context))));
            awaitReported(context, "none");
            assertThat(context.getBean(Losses.class).all)
                    .singleElement()
                    .satisfies(event -> assertThat(event.method()).isNull());
        });
    }

    /** For example because Redis's clock has been ahead. */
    @Test
    void whoIsRefusedBeforeItBeginsIsCountedTooUntilTheRowIsDeleted() {
        application.run(context -> {
            Stock stock = context.getBean(Stock.class);
            stock.add("a", () -> {});
            overtake(context);
            overtaken(() -> stock.add("a", () -> {}));
            awaitReported(context, "Stock.add");
            context.getBean(JdbcTemplate.class)
                    .update("delete from distribution_lock_fence where lock_name = 'stock:a'");
            stock.add("a", () -> {});
            assertThat(stock.value()).isEqualTo(2);
        });
    }

    static class Losses {

        final List<LockLostEvent> all = new CopyOnWriteArrayList<>();

        @EventListener
        public void lost(LockLostEvent event) {
            all.add(event);
        }
    }
}
