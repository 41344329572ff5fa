package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The properties of the locks of one key. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class KeyedLockTest {

    private static final String LOCKS = "distribution-lock.locks.";

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final ApplicationContextRunner application = LockContextRunner.with(executor, Service.class);

    private LockRequest onlyRequest() {
        assertThat(executor.requests()).hasSize(1);
        return executor.requests().get(0);
    }

    @Test
    void aPropertyWinsOverTheAnnotationAndOverTheDefault() {
        application
                .withPropertyValues(
                        LOCKS + "stock.try-lock-time=7s",
                        LOCKS + "stock.lease-time=8s",
                        LOCKS + "stock.min-hold-time=100ms",
                        LOCKS + "stock.confirm-release=false",
                        "distribution-lock.defaults.try-lock-time=9s")
                .run(context -> {
                    context.getBean(Service.class).book("4711");
                    assertThat(onlyRequest().tryLockTime()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(onlyRequest().leaseTime()).isEqualTo(Duration.ofSeconds(8));
                    assertThat(onlyRequest().minHoldTime()).isEqualTo(Duration.ofMillis(100));
                    assertThat(onlyRequest().confirmRelease()).isFalse();
                    assertThat(onlyRequest().renewed()).isFalse();
                    assertThat(onlyRequest().label()).isEqualTo("stock");
                });
    }

    @Test
    void anEnvironmentVariableNamesAKeyByItsLettersAndDigits(CapturedOutput output) {
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("DISTRIBUTIONLOCK_LOCKS_ORDERSTATUS2_TRYLOCKTIME", "7s"))))
                .run(context -> {
                    context.getBean(Service.class).order();
                    assertThat(onlyRequest().tryLockTime()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(output).doesNotContain("have no effect");
                });
    }

    /** As Spring Boot binds any other name. */
    @ParameterizedTest
    @ValueSource(strings = {"reportDb", "report-db", "reportdb", "report_db", "REPORT-DB", "[report-db]"})
    void aNameIsBoundInAnyForm(String written, CapturedOutput output) {
        application.withPropertyValues(LOCKS + written + ".try-lock-time=7s").run(context -> {
            context.getBean(Service.class).reportDb();
            assertThat(onlyRequest().tryLockTime()).isEqualTo(Duration.ofSeconds(7));
            assertThat(output).doesNotContain("have no effect");
        });
    }

    @Test
    void aNameWithOtherSignsIsBoundAsItIs(CapturedOutput output) {
        application
                .withPropertyValues(LOCKS + "order-status-2.try-lock-time=7s")
                .run(context -> {
                    context.getBean(Service.class).order();
                    assertThat(onlyRequest().tryLockTime()).isNotEqualTo(Duration.ofSeconds(7));
                    assertThat(output).contains("distribution-lock.locks.order-status-2.* have no effect");
                });
    }

    @Test
    void whatIsNotSetStaysAsTheAnnotationHasIt() {
        application.withPropertyValues(LOCKS + "stock.min-hold-time=1ms").run(context -> {
            context.getBean(Service.class).book("4711");
            assertThat(onlyRequest().tryLockTime()).isEqualTo(Duration.ofSeconds(1));
            assertThat(onlyRequest().leaseTime()).isEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void aLeaseStaysRenewedAndCanBeMadeSo() {
        application
                .withPropertyValues(LOCKS + "report.lease-time=8s", LOCKS + "report.max-hold-time=1h")
                .run(context -> {
                    context.getBean(Service.class).report();
                    assertThat(onlyRequest().renewed()).isTrue();
                    assertThat(onlyRequest().leaseTime()).isEqualTo(Duration.ofSeconds(8));
                    assertThat(onlyRequest().maxHoldTime()).isEqualTo(Duration.ofHours(1));
                });
        executor.requests().clear();
        application.withPropertyValues(LOCKS + "stock.renewed=true").run(context -> {
            context.getBean(Service.class).book("4711");
            assertThat(onlyRequest().renewed()).isTrue();
            assertThat(onlyRequest().leaseTime()).isEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void aKeyWithSpecialCharactersIsWrittenInBrackets() {
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "application.yml", Map.of(LOCKS + "[order:#{#p0}/状态].try-lock-time", "7s"))))
                .run(context -> {
                    context.getBean(Service.class).update("A1");
                    assertThat(onlyRequest().tryLockTime()).isEqualTo(Duration.ofSeconds(7));
                });
    }

    @Test
    void aKeyThatNoAnnotationHasLogsAWarning(CapturedOutput output) {
        application
                .withPropertyValues(LOCKS + "stok.try-lock-time=7s", LOCKS + "stock.try-lock-time=7s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("distribution-lock.locks.stok.* have no effect");
                    assertThat(output).doesNotContain("distribution-lock.locks.stock.* have no effect");
                });
    }

    @Test
    void aValueOutOfItsRangeStopsTheStartWithAndWithoutAValidator() {
        ApplicationContextRunner wrong = application.withPropertyValues(LOCKS + "stock.lease-time=0s");
        for (ApplicationContextRunner each : new ApplicationContextRunner[] {
            wrong, wrong.withClassLoader(new FilteredClassLoader("jakarta.validation"))
        }) {
            each.run(context -> assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("distribution-lock.locks.stock.lease-time is 0ms"));
        }
    }

    @Test
    void timesThatDoNotFitTheAnnotationStopTheStart() {
        application
                .withPropertyValues(LOCKS + "stock.min-hold-time=1h")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("distribution-lock.locks.stock.*")
                        .hasMessageContaining("minHoldTime"));
    }

    @Test
    void customizersChangeTheTemplateOfAnnotatedMethodsInTheirOrder() {
        application
                .withBean(
                        LockTemplateCustomizer.class,
                        () -> template -> template.defaults(new io.distributionlock.LockDefaults(
                                Duration.ofSeconds(3), Duration.ofSeconds(4), null)))
                .run(context -> {
                    assertThat(context.getBean(LockTemplate.class)
                                    .request("x")
                                    .build()
                                    .tryLockTime())
                            .isEqualTo(Duration.ofSeconds(3));
                    context.getBean(Service.class).report();
                    assertThat(onlyRequest().leaseTime()).isEqualTo(Duration.ofSeconds(4));
                });
    }

    public static class Service {

        @DistributionLock(key = "stock", tryLockTime = 1000, holdLockTime = 2000)
        public void book(@DistributionLockParam String article) {}

        @DistributionLock(key = "report")
        public void report() {}

        @DistributionLock(key = "reportDb")
        public void reportDb() {}

        @DistributionLock(key = "orderStatus:2")
        public void order() {}

        @DistributionLock(key = "order:#{#p0}/状态")
        public void update(String code) {}
    }
}
