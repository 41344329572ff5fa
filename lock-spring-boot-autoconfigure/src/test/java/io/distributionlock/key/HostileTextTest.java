package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What users send becomes a lock name in linear time, whatever its length and shape. */
@Tag("boot4")
class HostileTextTest {

    private static final int LENGTH = 100_000;

    /** Linear work on four times {@link #LENGTH} takes milliseconds; quadratic work takes minutes. */
    private static final Duration PLENTY = Duration.ofSeconds(10);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Use test) {
        LockContextRunner.with(executor, KeysConfiguration.class).run(context -> test.on(context.getBean(Keys.class)));
    }

    @FunctionalInterface
    private interface Use {
        void on(Keys keys) throws Exception;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a.",
                ".",
                "$",
                "a.b@1 ",
                "a.b@1.",
                "@",
                "@1",
                "@1 ",
                "[",
                "[L",
                "[La.b",
                "[La.b;@1x",
                "$$Lambda",
                "$$Lambda@1x",
                "/",
                "a/b.c@0 ",
                "\ud800",
                "%",
                ":",
                "{",
                "é",
                "\r",
                "#{",
                "${"
            })
    void aTextOfAnyShapeCostsLinearTime(String shape) {
        with(keys -> {
            for (String end : new String[] {"", "@", "@1x"}) {
                String some = shape.repeat(LENGTH / shape.length()) + end;
                String many = shape.repeat(4 * LENGTH / shape.length()) + end;
                assertTimeoutPreemptively(PLENTY, () -> {
                    for (String text : new String[] {some, many}) {
                        keys.order(new Order(text));
                        keys.text(text);
                        keys.expression(text);
                        keys.path(Map.of("text", new Order(text)));
                    }
                });
            }
            assertThat(executor.names())
                    .hasSize(24)
                    .allSatisfy(name -> assertThat(name).hasSizeLessThanOrEqualTo(512));
        });
    }

    /** Trailing zeros are removed one by one, and the digits of a large number are divided out. */
    @Test
    void aNumberWithoutEndIsRefused() {
        with(keys -> {
            BigInteger number = BigInteger.ONE.shiftLeft(5_000_000);
            for (Number huge : new Number[] {number, new BigDecimal(number), new BigDecimal(number, 7)}) {
                assertTimeoutPreemptively(
                        PLENTY,
                        () -> assertThatThrownBy(() -> keys.number(huge))
                                .isInstanceOf(LockKeyException.class)
                                .hasMessageContaining("parameter 'number'")
                                .hasMessageContaining("more than 1,000 digits"));
            }
            keys.number(new BigInteger("9".repeat(1_000)));
        });
    }

    @Test
    void aTextThatLooksLikeAnIdentityIsStillRefusedAtTheEndOfALongOne() {
        with(keys -> {
            for (Object inside : new Object[] {new int[0], new String[0][0], new Object(), (Runnable) () -> {}}) {
                assertThatThrownBy(() -> keys.pair(new Pair("a.".repeat(LENGTH), inside)))
                        .as(inside.toString())
                        .isInstanceOf(LockKeyException.class)
                        .hasMessageContaining("differs for equal values");
            }
        });
    }

    @Test
    void aLongTextInEachOfManyNamesIsRefused() {
        with(keys -> {
            List<Integer> many = IntStream.range(0, 1_000).boxed().toList();
            assertThatThrownBy(() -> keys.each("a".repeat(LENGTH), many))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("parameter 'ids'")
                    .hasMessageContaining("characters");
            keys.each("a".repeat(LENGTH / 100), many);
            assertThat(executor.names()).hasSize(1_000).doesNotHaveDuplicates();
        });
    }

    record Order(String text) {}

    record Pair(String text, Object inside) {}

    @Configuration(proxyBeanMethods = false)
    @Import(Keys.class)
    static class KeysConfiguration {}

    static class Keys {

        @DistributionLock(key = "order")
        public void order(@DistributionLockParam Order order) {}

        @DistributionLock(key = "pair")
        public void pair(@DistributionLockParam Pair pair) {}

        @DistributionLock(key = "text")
        public void text(@DistributionLockParam String text) {}

        @DistributionLock(key = "expression:#{#text}")
        public void expression(String text) {}

        @DistributionLock(key = "path")
        public void path(@DistributionLockParam(path = "text") Map<String, Order> map) {}

        @DistributionLock(key = "each")
        public void each(@DistributionLockParam String text, @DistributionLockParam(each = true) List<Integer> ids) {}

        @DistributionLock(key = "number")
        public void number(@DistributionLockParam Number number) {}
    }
}
