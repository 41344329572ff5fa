package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Which lock a call asks for. */
@Tag("boot4")
class LockKeyTest {

    private static final List<@Nullable String> WITH_NULL = Arrays.asList("b", null, "a", "b");

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Test1<Keys> test) {
        LockContextRunner.with(executor, KeysConfiguration.class)
                .withPropertyValues("tenant=acme")
                .run(context -> test.run(context.getBean(Keys.class)));
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @FunctionalInterface
    private interface Test1<T> {
        void run(T bean) throws Exception;
    }

    // ------------------------------------------------------------------ names

    static Stream<Arguments> calls() {
        Order order = new Order("A1", new Customer(7L, "x"));
        return Stream.of(
                call("a path leads to a nested property", keys -> keys.path(order), "path:7"),
                call("and through maps", keys -> keys.map(Map.of("customer", new Customer(7L, "x"))), "map:7"),
                call("and through Optionals", keys -> keys.optionalPath(Optional.of(order)), "optionalPath:7"),
                call(
                        "and reads accessors and private fields",
                        keys -> keys.hidden(new Hidden(Map.of("tier", "gold")), new Hidden(Map.of())),
                        "hidden:gold:secret"),
                call(
                        "fields and getters count on an unmarked parameter",
                        keys -> keys.members(new Invoice("I7", "north", 3)),
                        "members:north:I7:3"),
                call(
                        "a component of a record counts once",
                        keys -> keys.component(new Line("A1", 2, "ignored")),
                        "component:2:A1"),
                call("whatever its name", keys -> keys.book(new Book("3-16", "paper")), "book:3-16:paper"),
                call(
                        "members of members count",
                        keys -> keys.nested(new Shipment(new Line("A1", 2, "ignored"), "Berlin")),
                        "nested:2:A1:Berlin"),
                call(
                        "a mark on a constructor is one on the property",
                        keys -> keys.marksOf(new ByConstructor("x", "A1")),
                        "marks:A1"),
                call("of a record too", keys -> keys.marksOf(new ByWither("A3")), "marks:A3"),
                call(
                        "the attribute order comes before the position",
                        keys -> keys.ordered("second", "first", "third"),
                        "ordered:first:second:third"),
                call("null is skipped or a constant", keys -> keys.nulls(null, null, "c"), "nulls:none:c"),
                call("an Optional is its value", keys -> keys.optional(Optional.of("A1")), "optional:A1"),
                call(
                        "so is one of a number",
                        keys -> keys.optionalInt(OptionalInt.of(7), OptionalLong.of(8), OptionalDouble.of(1.5)),
                        "optionalInt:7:8:1.5"),
                call("each element is a lock", keys -> keys.eachOfArray(2, 1), "array:1", "array:2"),
                call(
                        "with its members",
                        keys -> keys.eachLine(List.of(new Line("B", 1, "x"), new Line("A", 1, "x"))),
                        "lines:1:A",
                        "lines:1:B"),
                call("null elements are left out", keys -> keys.eachWithoutNulls(WITH_NULL), "some:a", "some:b"),
                call("or a constant", keys -> keys.eachWithConstant(WITH_NULL), "any:a", "any:b", "any:none"),
                call("an expression knows parameters", keys -> keys.expression(order, 3), "order:A1-3"),
                call("by position", keys -> keys.byPosition("A1", 2), "order:A1:2"),
                call("and the target", Keys::ofTarget, "target:shop 7"),
                call("the method", Keys::ofMethod, "method:ofMethod"),
                call("the arguments", keys -> keys.ofArgument("A1"), "args:A1 of shop 7"),
                call("and beans", keys -> keys.ofBean("A1"), "bean:upper A1"),
                call("a delimiter in a part is encoded", keys -> keys.byPosition("a:b", 1), "order:a%3Ab:1"),
                call("in a whole name it is not", keys -> keys.whole("a:b"), "order:a:b"),
                call("decimals are equal by value", keys -> keys.byPosition(new BigDecimal("1.0"), 1), "order:1:1"),
                call("unless they are in a text", keys -> keys.whole(new BigDecimal("1.00")), "order:1.00"),
                call("other text stays", keys -> keys.literal("7"), "order 1 {a b} %3A $y:7"),
                call("placeholders are replaced", keys -> keys.placeholder("7"), "order/acme:7"));
    }

    private static Arguments call(String what, Consumer<Keys> call, String... names) {
        return Arguments.of(what, call, List.of(names));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void aCallAsksForItsLocks(String what, Consumer<Keys> call, List<String> names) {
        with(keys -> {
            call.accept(keys);
            assertThat(executor.names()).isEqualTo(names);
        });
    }

    @Test
    void eachElementIsALockInSortedOrderAndEqualOnesAreOne() {
        with(keys -> {
            keys.each("eu", List.of("c", "a", "b", "a"));
            assertThat(executor.events())
                    .containsExactly(
                            "lock each:eu:a",
                            "lock each:eu:b",
                            "lock each:eu:c",
                            "inside",
                            "unlock each:eu:c",
                            "unlock each:eu:b",
                            "unlock each:eu:a");
        });
    }

    @Test
    void allLocksShareOneWaitingTimeAndNoneIsKeptWhenOneIsBusy() {
        executor.occupy("each:eu:b");
        long start = System.nanoTime();
        LockContextRunner.with(executor, KeysConfiguration.class)
                .withPropertyValues("tenant=acme")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Keys.class).each("eu", List.of("a", "b", "c")))
                        .hasMessageContaining("each:eu:b"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(290));
        assertThat(executor.isHeld("each:eu:a")).isFalse();
        assertThat(executor.isHeld("each:eu:c")).isFalse();
        assertThat(executor.requests().get(1).tryLockTime())
                .isLessThanOrEqualTo(executor.requests().get(0).tryLockTime());
        assertThat(executor.events()).doesNotContain("inside");
    }

    @Test
    void anEmptyCollectionMayNeedNoLock() {
        with(keys -> {
            keys.maybeEmpty(List.of());
            assertThat(executor.requests()).isEmpty();
            assertThat(executor.events()).containsExactly("inside");
        });
    }

    @Test
    void aLongValueMakesANameOfAtMost512Bytes() {
        with(keys -> {
            keys.any("x".repeat(600));
            keys.any("x".repeat(601));
            assertThat(executor.names())
                    .doesNotHaveDuplicates()
                    .allSatisfy(name -> assertThat(name)
                            .startsWith("any:xxx")
                            .contains("~sha256:")
                            .hasSize(512));
        });
    }

    // ------------------------------------------------------------------ no name

    static Stream<Arguments> failures() {
        Node node = new Node();
        node.next = node;
        return Stream.of(
                failure(
                        keys -> keys.path(new Order("A1", null)),
                        "'customer.id' of parameter 'order' (Order)",
                        "is null"),
                failure(keys -> keys.members(null), "parameter 'invoice'", "is null"),
                failure(keys -> keys.component(new Line(null, 2, "x")), "'code' of parameter 'line'", "is null"),
                failure(keys -> keys.circle(node), "without an end"),
                failure(keys -> keys.optional(Optional.empty()), "parameter 'code'"),
                failure(
                        keys -> keys.optionalInt(OptionalInt.empty(), OptionalLong.of(8), OptionalDouble.of(1.5)),
                        "parameter 'first'"),
                failure(keys -> keys.optionalPath(Optional.empty()), "parameter 'order'"),
                failure(keys -> keys.each("eu", List.of()), "parameter 'codes'", "is empty", "allowEmpty"),
                failure(keys -> keys.eachWithoutNulls(Arrays.asList((String) null)), "is empty"),
                failure(keys -> keys.each("eu", WITH_NULL), "an element of parameter 'codes'"),
                failure(
                        keys -> keys.expression(new Order(null, null), 3),
                        "Keys.expression(Order, int)",
                        "'#order.code' of 'key'",
                        "is null"),
                failure(
                        keys -> keys.ofArguments("A1"),
                        "the expression '#root.args' of 'key' is a Object[], which is not one value"),
                failure(keys -> keys.expression(null, 3), "'#order.code' of 'key' failed"));
    }

    private static Arguments failure(Consumer<Keys> call, String... words) {
        return Arguments.of(call, words);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aCallWithoutANameFailsAndSaysWhy(Consumer<Keys> call, String... words) {
        with(keys -> assertThatThrownBy(() -> call.accept(keys))
                .isInstanceOf(LockKeyException.class)
                .message()
                .contains(words));
        assertThat(executor.requests()).isEmpty();
    }

    @Test
    void aValueWithoutATextIsAnErrorThatNamesTheParameter() {
        with(keys -> {
            for (Object value : List.of(new Object(), (Runnable) () -> {}, new int[] {1}, List.of("a"), Map.of())) {
                assertThatThrownBy(() -> keys.any(value))
                        .isInstanceOf(LockKeyException.class)
                        .hasMessageContaining("Keys.any(Object)")
                        .hasMessageContaining("parameter 'value'");
            }
            assertThat(executor.requests()).isEmpty();
        });
    }

    // ------------------------------------------------------------------ what is locked

    static class ByConstructor {
        private final String other;
        private final String code;

        ByConstructor(String other, @DistributionLockParam String code) {
            this.other = other;
            this.code = code;
        }

        String other() {
            return other + code;
        }
    }

    record ByWither(String code) {
        @SuppressWarnings("unused")
        ByWither(@DistributionLockParam String code, int times) {
            this(code.repeat(times));
        }
    }

    record Customer(@Nullable Long id, String name) {}

    record Order(@Nullable String code, @Nullable Customer customer) {}

    record Line(
            @DistributionLockParam @Nullable String code,
            @DistributionLockParam(order = -1) int number,
            String note) {}

    record Book(
            @DistributionLockParam String isbn,
            @DistributionLockParam String getup) {}

    @SuppressWarnings("unused")
    static class Hidden {
        private final Map<String, String> attributes;
        private final String secret = "secret";

        Hidden(Map<String, String> attributes) {
            this.attributes = attributes;
        }

        public Map<String, String> attributes() {
            return attributes;
        }
    }

    record Shipment(
            @DistributionLockParam Line line,
            @DistributionLockParam String city) {}

    static class Document {
        @DistributionLockParam
        private final String region;

        Document(String region) {
            this.region = region;
        }
    }

    static class Invoice extends Document {
        @DistributionLockParam
        private final String id;

        private final int version;

        Invoice(String id, String region, int version) {
            super(region);
            this.id = id;
            this.version = version;
        }

        public String getId() {
            return id;
        }

        @DistributionLockParam
        public int getVersion() {
            return version;
        }
    }

    static class Node {
        @DistributionLockParam
        @Nullable
        Node next;
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Keys.class)
    static class KeysConfiguration {
        @Bean
        UnaryOperator<String> upperCase() {
            return text -> "upper " + text.toUpperCase(Locale.ROOT);
        }
    }

    static class Keys {

        private final ScriptedLockExecutor executor;

        Keys(ScriptedLockExecutor executor) {
            this.executor = executor;
        }

        public String getName() {
            return "shop 7";
        }

        @DistributionLock(key = "path")
        public void path(@DistributionLockParam("customer.id") Order order) {}

        @DistributionLock(key = "map")
        public void map(@DistributionLockParam(path = "customer.id") Map<String, Customer> values) {}

        @DistributionLock(key = "members")
        public void members(@Nullable Invoice invoice) {}

        @DistributionLock(key = "component")
        public void component(@DistributionLockParam Line line) {}

        @DistributionLock(key = "book")
        public void book(Book book) {}

        @DistributionLock(key = "hidden")
        public void hidden(
                @DistributionLockParam("attributes.tier") Hidden tier,
                @DistributionLockParam("secret") Hidden secret) {}

        @DistributionLock(key = "nested")
        public void nested(Shipment shipment) {}

        @DistributionLock(key = "circle")
        public void circle(Node node) {}

        @DistributionLock(key = "ordered")
        public void ordered(
                @DistributionLockParam(order = 2) String second,
                @DistributionLockParam(order = 1) String first,
                @DistributionLockParam(order = 2) String third) {}

        @DistributionLock(key = "nulls")
        public void nulls(
                @DistributionLockParam(nullValue = DistributionLockParam.SKIP_NULL) @Nullable String a,
                @DistributionLockParam(nullValue = "none") @Nullable String b,
                @DistributionLockParam String c) {}

        @DistributionLock(key = "optional")
        public void optional(@DistributionLockParam Optional<String> code) {}

        @DistributionLock(key = "optionalInt")
        public void optionalInt(
                @DistributionLockParam OptionalInt first,
                @DistributionLockParam OptionalLong second,
                @DistributionLockParam OptionalDouble third) {}

        @DistributionLock(key = "marks")
        public void marksOf(Object value) {}

        @DistributionLock(key = "each", tryLockTime = 300)
        public void each(
                @DistributionLockParam String region,
                @DistributionLockParam(each = true) List<@Nullable String> codes) {
            executor.events().add("inside");
        }

        @DistributionLock(key = "some")
        public void eachWithoutNulls(
                @DistributionLockParam(each = true, nullValue = DistributionLockParam.SKIP_NULL)
                        List<@Nullable String> codes) {}

        @DistributionLock(key = "any")
        public void eachWithConstant(
                @DistributionLockParam(each = true, nullValue = "none") List<@Nullable String> codes) {}

        @DistributionLock(key = "optionalPath")
        public void optionalPath(@DistributionLockParam("customer.id") Optional<Order> order) {}

        @DistributionLock(key = "any")
        public void any(@DistributionLockParam Object value) {}

        @DistributionLock(key = "array")
        public void eachOfArray(@DistributionLockParam(each = true) int... numbers) {}

        @DistributionLock(key = "lines")
        public void eachLine(@DistributionLockParam(each = true) List<Line> lines) {}

        @DistributionLock(key = "maybe")
        public void maybeEmpty(@DistributionLockParam(each = true, allowEmpty = true) List<String> codes) {
            executor.events().add("inside");
        }

        @DistributionLock(key = "order:#{#order.code}-#{#count}")
        public void expression(@Nullable Order order, int count) {}

        @DistributionLock(key = "order:#{#p0}:#{#a1}")
        public void byPosition(Object code, int count) {}

        @DistributionLock(key = "target:#{#root.target.name}")
        public void ofTarget() {}

        @DistributionLock(key = "method:#{#root.methodName}")
        public void ofMethod() {}

        @DistributionLock(key = "args:#{#root.args[0]} of #{#root.target['name']}")
        public void ofArgument(String code) {}

        @DistributionLock(key = "whole:#{#root.args}")
        public void ofArguments(String code) {}

        @DistributionLock(key = "bean:#{@upperCase.apply(#code)}")
        public void ofBean(String code) {}

        @DistributionLock(key = "#{'order:' + #code}")
        public void whole(Object code) {}

        @DistributionLock(key = "order 1 {a b} %3A $y")
        public void literal(@DistributionLockParam String id) {}

        @DistributionLock(key = "order/${tenant}")
        public void placeholder(@DistributionLockParam String id) {}
    }
}
