package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.distributionlock.testing.StartupFailures;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** A property below {@code distribution-lock} that does not exist stops the start. */
@Tag("boot4")
class MisspelledPropertyTest {

    private final ApplicationContextRunner runner = LockContextRunner.with(new ScriptedLockExecutor());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "distribution-lock.defaults.try-lock-tiem",
                "distribution-lock.defalts.try-lock-time",
                "distribution-lock.try-lock-time",
                "distribution-lock.defaults.tryLockTiem",
                "distribution-lock.locks.stock.try-lock-tiem",
                "distribution-lock.locks[order:#{#id}].hold-lok-time",
                "distribution-lock.executors.reports.type",
                "distribution-lock.quorum.node[0]",
                "distribution-lock.redis.comand-timeout",
                "distribution-lock.endpoint.force-release.enable",
                "distribution-lock.exector",
            })
    void itIsNamed(String written) {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.of(written, "local"))))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(UnboundConfigurationPropertiesException.class));
    }

    @Test
    void allAreNamedAtOnceEachWithItsFileAndLine() throws Exception {
        String yaml = "distribution-lock:\n  defaults:\n    try-lock-tiem: 3s\n  exector: local\n";
        List<PropertySource<?>> file = new YamlPropertySourceLoader()
                .load(
                        "application.yml",
                        new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "application.yml"));
        runner.withInitializer(
                        context -> context.getEnvironment().getPropertySources().addLast(file.get(0)))
                .run(context -> assertThat(StartupFailures.analyze(context.getStartupFailure())
                                .getDescription())
                        .contains("distribution-lock.defaults.try-lock-tiem")
                        .contains("application.yml")
                        .contains("3:20")
                        .contains("distribution-lock.exector"));
    }

    @ParameterizedTest
    @CsvSource({
        "distribution-lock.defaults.try-lock-tiem, distribution-lock.defaults.try-lock-time",
        "distribution-lock.defaults.tryLockTiem, distribution-lock.defaults.try-lock-time",
        "distribution-lock.lease-time, distribution-lock.leader.lease-time",
        "distribution-lock.lease-time, distribution-lock.defaults.lease-time",
        "distribution-lock.redis.timeout, distribution-lock.redis.command-timeout",
        "distribution-lock.locks.order.min-hold-tme, distribution-lock.locks.<key>.min-hold-time",
        "distribution-lock.endpoint.force-relase.enabled, distribution-lock.endpoint.force-release.enabled",
        "distribution-lock.exector, distribution-lock.executor",
        "distribution-lock.enable, distribution-lock.enabled",
    })
    void whatItMayBeIsSaid(String written, String meant) {
        runner.withPropertyValues(written + "=1").run(context -> {
            FailureAnalysis analysis = StartupFailures.analyze(context.getStartupFailure());
            assertThat(analysis.getAction()).startsWith("Correct or remove").contains(meant);
            assertThat(List.of(analysis.getAction().split("distribution-lock\\.")))
                    .hasSize(5);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "distribution-lock.defaults.try-lock-time=1s",
                "distribution-lock.defaults.tryLockTime=1s",
                "distribution-lock.defaults.try_lock_time=1s",
                "distributionLock.defaults.tryLockTime=1s",
                "distribution_lock.defaults.try_lock_time=1s",
                "distribution-lock.DEFAULTS.TRYLOCKTIME=1s",
                "distribution-lock.locks[order:#{#id}].try-lock-time=1s",
                "distribution-lock.locks[a.b.c].tryLockTime=1s",
                "distribution-lock.locks.try-lock-tiem.try-lock-time=1s",
                "distribution-lock.locks[3].try-lock-time=1s",
                "distribution-lock.locks[时间].renewed=true",
                "distribution-lock.quorum.nodes=redis://a:1,redis://b:2",
                "distribution-lock.quorum.nodes[0]=redis://a:1",
                "distribution-lock.endpoint.forceRelease.enabled=false",
                "distribution-lock-sample.own=1",
                "my.distribution-lock.own=1",
                "distribution-locker.own=1",
                "distribution-lock=1",
                "management.health.distribution-lock.enabled=false",
            })
    void rightOnes(String property) {
        int end = property.lastIndexOf('=');
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "test", Map.of(property.substring(0, end), property.substring(end + 1)))))
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** They are shared with other programs; Kubernetes sets some for each service. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DISTRIBUTION_LOCK_PORT",
                "DISTRIBUTION_LOCK_SERVICE_HOST",
                "DISTRIBUTION_LOCK_SERVICE_PORT",
                "DISTRIBUTION_LOCK_SERVICE_PORT_HTTP",
                "DISTRIBUTION_LOCK_PORT_8080_TCP",
                "DISTRIBUTION_LOCK_PORT_8080_TCP_ADDR",
                "DISTRIBUTION_LOCK_REDIS_SERVICE_HOST",
                "DISTRIBUTION_LOCK_REDIS_PORT_6379_TCP_PROTO",
                "DISTRIBUTION_LOCK_EXECUTOR_SERVICE_HOST",
                "DISTRIBUTION_LOCK_HOME",
                "DISTRIBUTION_LOCK_OPTS",
                "DISTRIBUTION_LOCK_REDIS_HOST",
                "DISTRIBUTION_LOCK_",
                "DISTRIBUTION_LOCKER_X",
                "DISTRIBUTIONLOCK_DEFAULTS_TRYLOCKTIME",
                "DISTRIBUTION_LOCK_DEFAULTS_TRY_LOCK_TIME",
                "DISTRIBUTIONLOCK_LOCKS_ORDERITEM_TRYLOCKTIME",
                "DISTRIBUTIONLOCK_LOCKS_ORDER_ITEM_TRYLOCKTIME",
                "DISTRIBUTIONLOCK_QUORUM_NODES_0",
                "DISTRIBUTIONLOCK_EXECUTORS_REPORTS_QUORUM_NODES_0_",
                "distributionlock_executor",
            })
    void variablesRaiseNoFalseAlarm(String variable) {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                new SystemEnvironmentPropertySource(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                        Map.of(variable, "1"))))
                .run(context -> assertThat(context.getStartupFailure())
                        .satisfiesAnyOf(
                                failure -> assertThat(failure).isNull(),
                                failure -> assertThat(failure)
                                        .rootCause()
                                        .isNotInstanceOf(UnboundConfigurationPropertiesException.class)));
    }
}
