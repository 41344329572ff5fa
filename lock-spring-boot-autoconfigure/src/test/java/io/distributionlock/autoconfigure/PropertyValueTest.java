package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.messages.MessageRules;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.distributionlock.testing.StartupFailures;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Each property with each kind of bad value; the error names the property as it was written. */
@Tag("boot4")
class PropertyValueTest {

    private static final List<String> TIMES_FROM_ZERO = List.of(
            "defaults.try-lock-time",
            "locks.stock.try-lock-time",
            "locks.stock.min-hold-time",
            "locks[a.b].try-lock-time",
            "quorum.restart-delay",
            "local-handover.max-time",
            "shutdown.timeout");

    private static final List<String> TIMES_FROM_ONE = List.of(
            "defaults.lease-time",
            "defaults.max-hold-time",
            "locks.stock.lease-time",
            "locks[a.b].lease-time",
            "locks.stock.max-hold-time",
            "redis.command-timeout",
            "redis.replica-ack-timeout",
            "redis.poll-interval",
            "quorum.node-timeout",
            "quorum.retry-delay");

    private static final List<String> OTHERS = List.of(
            "enabled",
            "executor",
            "validation",
            "transactions.outer",
            "events.enabled",
            "endpoint.force-release.enabled",
            "quorum.mode",
            "quorum.drift-factor",
            "redis.min-replicas-to-ack",
            "redis.check-on-start",
            "redis.messages",
            "local-handover.max-count",
            "locks.stock.renewed");

    static Stream<Arguments> values() {
        Stream<Arguments> negative = Stream.concat(TIMES_FROM_ZERO.stream(), TIMES_FROM_ONE.stream())
                .flatMap(name -> Stream.of(
                                "-1ms",
                                "-106751991168d",
                                "366d",
                                "106751991168d",
                                "5 parsecs",
                                "soon",
                                "${nowhere}",
                                "99999999999999999999s")
                        .map(value -> Arguments.of(name, value)));
        Stream<Arguments> zero = TIMES_FROM_ONE.stream()
                .flatMap(name -> Stream.of("0", "0ms", "999us").map(value -> Arguments.of(name, value)));
        Stream<Arguments> others = OTHERS.stream()
                .flatMap(name -> Stream.of("rediss", "1,5", "${nowhere}").map(value -> Arguments.of(name, value)));
        return Stream.of(negative, zero, others).flatMap(stream -> stream);
    }

    @ParameterizedTest
    @MethodSource("values")
    void aBadValueIsRefusedByTheNameOfItsProperty(String name, String value) {
        assertThat(messages(Map.of("distribution-lock." + name, value))).contains("distribution-lock." + name);
    }

    @ParameterizedTest
    @CsvSource({
        "redis.key-prefix, ''",
        "redis.key-prefix, ' '",
        "redis.key-prefix, 'a{b}'",
        "redis.key-prefix, 'a*'",
        "redis.key-prefix, 'a?b'",
        "redis.key-prefix, 'a[b]'",
        "redis.key-prefix, 'a b'",
        "redis.min-replicas-to-ack, -1",
        "local-handover.max-count, -1",
        "quorum.drift-factor, -0.1",
        "quorum.drift-factor, 1.1",
        "quorum.drift-factor, NaN",
    })
    void soIsAValueOutOfTheRangeOfItsProperty(String name, String value) {
        assertThat(messages(Map.of("distribution-lock." + name, value))).contains("distribution-lock." + name);
    }

    @Test
    void theMessageAboutACommandTimeoutOfZeroDoesNotMentionSixtySeconds() {
        assertThat(messages(Map.of("distribution-lock.redis.command-timeout", "0ms")))
                .contains("distribution-lock.redis.command-timeout is 0ms: set it to at least 1ms, or remove it.")
                .doesNotContain("60s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"defaults.lease-time", "defaults.max-hold-time", "locks.a.lease-time", "locks.a.max-hold-time"})
    void aNumberOfSecondsWithoutItsUnitIsNoLease(String name) {
        assertThat(messages(Map.of("distribution-lock." + name, "15")))
                .contains("distribution-lock." + name
                        + " is 15ms: set it to at least 100ms, with its unit, such as 15s, or remove it.");
    }

    @Test
    void aTimeThatIsNoneIsNamedWithItsPropertyAndTheRightForm() {
        LockContextRunner.with(new ScriptedLockExecutor())
                .withPropertyValues("distribution-lock.locks[order.item].min-hold-time=5 secs")
                .run(context -> {
                    FailureAnalysis analysis = StartupFailures.analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .isEqualTo("distribution-lock.locks[order.item].min-hold-time is '5 secs', which is not a"
                                    + " duration.");
                    assertThat(analysis.getAction()).contains("such as 5s");
                });
    }

    /** The messages of the failure and of its causes, as the failure analysis of Spring Boot shows them. */
    private static String messages(Map<String, String> properties) {
        Binder binder = new Binder(new MapConfigurationPropertySource(properties));
        Throwable thrown = catchThrowable(() -> binder.bindOrCreate("distribution-lock", LockProperties.class));
        assertThat(thrown).isNotNull();
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
            if (cause instanceof IllegalArgumentException
                    && String.valueOf(cause.getMessage()).startsWith("distribution-lock")) {
                assertThat(MessageRules.faults(cause.getMessage())).isEmpty();
            }
        }
        return messages.toString();
    }

    @Test
    void passwordsInAddressesAreNotShown() {
        LockContextRunner.local()
                .withPropertyValues("distribution-lock.quorum.nodes=redis://user:secret@127.0.0.1:1")
                .run(context -> assertThat(context.getBean(LockProperties.class).toString())
                        .contains("1 nodes")
                        .doesNotContain("secret"));
    }
}
