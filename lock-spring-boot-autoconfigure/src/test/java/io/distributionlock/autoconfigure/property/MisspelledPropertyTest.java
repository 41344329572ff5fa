package io.distributionlock.autoconfigure.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.distributionlock.testing.StartupFailures;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** M, item 8: a property below {@code distribution-lock} that does not exist stops the start, and the error names the intended one. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class MisspelledPropertyTest {

    private final ApplicationContextRunner runner = LockContextRunner.with(new ScriptedLockExecutor());

    @ParameterizedTest
    @CsvSource({
        "distribution-lock.defaults.try-lock-tiem, distribution-lock.defaults.try-lock-time",
        "distribution-lock.defalts.try-lock-time, distribution-lock.defaults.try-lock-time",
        "distribution-lock.try-lock-time, distribution-lock.defaults.try-lock-time",
        "distribution-lock.defaults.tryLockTiem, distribution-lock.defaults.try-lock-time",
        "distribution_lock.defaults.try_lock_tiem, distribution-lock.defaults.try-lock-time",
        "distribution-lock.defaults.TRY_LOCK_TIEM, distribution-lock.defaults.try-lock-time",
        "distribution-lock.locks.stock.try-lock-tiem, distribution-lock.locks.stock.try-lock-time",
        "distribution-lock.locks[order:#{#id}].hold-lok-time, distribution-lock.locks[order:#{#id}].hold-lock-time",
        "distribution-lock.executors.reports.tpye, distribution-lock.executors.reports.type",
        "distribution-lock.executors.reports.quorum.nodez[0], distribution-lock.executors.reports.quorum.nodes",
        "distribution-lock.quorum.node[0], distribution-lock.quorum.nodes",
        "distribution-lock.quorum.nodes[0].url, distribution-lock.quorum.nodes",
        "distribution-lock.redis.comand-timeout, distribution-lock.redis.command-timeout",
        "distribution-lock.endpoint.force-release.enable, distribution-lock.endpoint.force-release.enabled",
        "distribution-lock.exector, distribution-lock.executor",
        "distribution-lock.enabled.really, distribution-lock.enabled",
        "distribution-lock.locks.order.item.try-lock-time, distribution-lock.locks[order.item].try-lock-time",
    })
    @DisplayName("M: the intended property is named")
    void misspelled(String written, String meant) {
        runner.withPropertyValues("distribution-lock.validation=fail")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.of(written, "local"))))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(context.getStartupFailure())
                            .isInstanceOf(UnknownPropertiesException.class)
                            .hasMessageContaining("does not exist")
                            .hasMessageContaining(meant);
                });
    }

    @Test
    @DisplayName("M: if no property is similar, those that exist are listed")
    void unlikeAnything() {
        runner.withPropertyValues("distribution-lock.redis.sentinels=3")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("'distribution-lock.redis.sentinels'")
                        .hasMessageContaining("write one of these: ")
                        .hasMessageContaining("distribution-lock.redis.key-prefix")
                        .hasMessageNotContaining("distribution-lock.quorum"));
    }

    @Test
    @DisplayName("M: all are named at once, each with its file and line")
    void originsOfAFile() throws Exception {
        String yaml = "distribution-lock:\n  defaults:\n    try-lock-tiem: 3s\n  exector: local\n";
        List<PropertySource<?>> file = new YamlPropertySourceLoader()
                .load(
                        "application.yml",
                        new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "application.yml"));
        runner.withInitializer(
                        context -> context.getEnvironment().getPropertySources().addLast(file.get(0)))
                .run(context -> {
                    FailureAnalysis analysis = StartupFailures.analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .contains("1. 'distribution-lock.defaults.try-lock-tiem' (")
                            .contains("application.yml")
                            .contains("3:20")
                            .contains("2. 'distribution-lock.exector' (");
                    assertThat(analysis.getAction())
                            .contains("1. Write distribution-lock.defaults.try-lock-time.")
                            .contains("2. Write distribution-lock.executor.")
                            .contains("distribution-lock.validation=warn");
                });
    }

    @Test
    @DisplayName("M: a misspelled system property stops the start of a whole application")
    void systemProperty() {
        runner.withSystemProperties("distribution-lock.shutdown.timout=1s")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("distribution-lock.shutdown.timeout"));
    }

    @Test
    @DisplayName("M: the misspelled name is reported, not that the right one is missing")
    void beforeItsConsequences() {
        runner.withPropertyValues("distribution-lock.executors.reports.tpye=local")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(UnknownPropertiesException.class)
                        .hasMessageContaining("distribution-lock.executors.reports.type"));
    }

    @Test
    @DisplayName("M: with validation=warn the application starts and logs a warning")
    void onlyWarned(CapturedOutput output) {
        runner.withPropertyValues("distribution-lock.validation=warn", "distribution-lock.defaults.try-lock-tiem=3s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains(
                                    "The property 'distribution-lock.defaults.try-lock-tiem'",
                                    "Write distribution-lock.defaults.try-lock-time.");
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
                "distribution-lock.executors.reports.type=local",
                "distribution-lock.quorum.nodes=redis://a:1,redis://b:2",
                "distribution-lock.quorum.nodes[0]=redis://a:1",
                "distribution-lock.endpoint.forceRelease.enabled=false",
                "distribution-lock-sample.own=1",
                "my.distribution-lock.own=1",
                "distribution-locker.own=1",
                "distribution-lock=1",
                "management.health.distribution-lock.enabled=false",
            })
    @DisplayName("M: no false alarm")
    void rightOnes(String property) {
        int end = property.lastIndexOf('=');
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "test", Map.of(property.substring(0, end), property.substring(end + 1)))))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "DISTRIBUTIONLOCK_DEFAULTS_TRYLOCKTIEM, DISTRIBUTIONLOCK_DEFAULTS_TRYLOCKTIME",
        "DISTRIBUTION_LOCK_DEFAULTS_TRY_LOCK_TIEM, DISTRIBUTIONLOCK_DEFAULTS_TRYLOCKTIME",
        "DISTRIBUTIONLOCK_LOCKS_STOCK_TRYLOCKTIEM, DISTRIBUTIONLOCK_LOCKS_STOCK_TRYLOCKTIME",
        "DISTRIBUTION_LOCK_REDIS_COMAND_TIMEOUT, DISTRIBUTIONLOCK_REDIS_COMMANDTIMEOUT",
        "distributionlock_exector, DISTRIBUTIONLOCK_EXECUTOR",
    })
    @DisplayName("M: a variable that looks misspelled is found")
    void misspelledVariable(String written, String meant) {
        assertThat(ofVariable(written))
                .singleElement()
                .satisfies(unknown -> assertThat(unknown.cure()).contains(meant));
    }

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
    @DisplayName("M: no false alarm for variables, of Kubernetes least of all")
    void otherVariables(String variable) {
        assertThat(ofVariable(variable)).isEmpty();
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables(variable)))
                .withPropertyValues("distribution-lock.executor=redis")
                .run(context -> assertThat(context.getStartupFailure())
                        .satisfiesAnyOf(
                                failure -> assertThat(failure).isNull(),
                                failure -> assertThat(failure).isNotInstanceOf(UnknownPropertiesException.class)));
    }

    private static List<UnknownProperty> ofVariable(String variable) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables(variable));
        UnknownProperties properties = new UnknownProperties(environment);
        assertThat(properties.find()).isEmpty();
        return properties.findInVariables();
    }

    private static SystemEnvironmentPropertySource variables(String variable) {
        return new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, "1"));
    }
}
