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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Which lock a call asks for. */
@Tag("boot4")
class LockKeyTest {

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

    // ------------------------------------------------------------------ members

    @Test
    void aPathLeadsToANestedProperty() {
        with(keys -> {
            keys.path(new Order("A1", new Customer(7L, "x")));
            assertThat(executor.names()).containsExactly("path:7");
        });
    }

    @Test
    void aPathThroughNullIsNull() {
        with(keys -> assertThatThrownBy(() -> keys.path(new Order("A1", null)))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("'customer.id' of parameter 'order' (Order)")
                .hasMessageContaining("is null"));
    }

    @Test
    void aPathGoesThroughMapsByKey() {
        with(keys -> {
            keys.map(Map.of("customer", new Customer(7L, "x")));
            assertThat(executor.names()).containsExactly("map:7");
        });
    }

    @Test
    void markedFieldsAndGettersCountEvenOnAnUnmarkedParameter() {
        with(keys -> {
            keys.members(new Invoice("I7", "north", 3));
            assertThat(executor.names()).containsExactly("members:north:I7:3");
        });
    }

    @Test
    void markedRecordComponentsCountOnce() {
        with(keys -> {
            keys.component(new Line("A1", 2, "ignored"));
            assertThat(executor.names()).containsExactly("component:2:A1");
        });
    }

    @Test
    void aComponentCountsOnceWhateverItsNameBeginsWith() {
        with(keys -> {
            keys.book(new Book("3-16", "paper"));
            assertThat(executor.names()).containsExactly("book:3-16:paper");
        });
    }

    @Test
    void aPathReadsAccessorsAndPrivateFields() {
        with(keys -> {
            keys.hidden(new Hidden(Map.of("tier", "gold")), new Hidden(Map.of()));
            assertThat(executor.names()).containsExactly("hidden:gold:secret");
        });
    }

    @Test
    void membersOfMembersCount() {
        with(keys -> {
            keys.nested(new Shipment(new Line("A1", 2, "ignored"), "Berlin"));
            assertThat(executor.names()).containsExactly("nested:2:A1:Berlin");
        });
    }

    @Test
    void theOrderAttributeComesBeforeThePosition() {
        with(keys -> {
            keys.ordered("second", "first", "third");
            assertThat(executor.names()).containsExactly("ordered:first:second:third");
        });
    }

    @Test
    void aNullObjectWithMarkedMembersIsAnError() {
        with(keys -> assertThatThrownBy(() -> keys.members(null))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("parameter 'invoice'")
                .hasMessageContaining("is null"));
    }

    @Test
    void aNullMemberIsAnErrorThatNamesIt() {
        with(keys -> assertThatThrownBy(() -> keys.component(new Line(null, 2, "x")))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("'code' of parameter 'line'")
                .hasMessageContaining("is null"));
    }

    @Test
    void membersThatLeadInACircleAreAnError() {
        with(keys -> {
            Node node = new Node();
            node.next = node;
            assertThatThrownBy(() -> keys.circle(node))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("without an end");
        });
    }

    // ------------------------------------------------------------------ null, many

    @Test
    void nullMayBeSkippedOrStandForAConstant() {
        with(keys -> {
            keys.nulls(null, null, "c");
            assertThat(executor.names()).containsExactly("nulls:none:c");
        });
    }

    @Test
    void anOptionalNumberIsItsValue() {
        with(keys -> {
            keys.optionalInt(OptionalInt.of(7), OptionalLong.of(8), OptionalDouble.of(1.5));
            assertThat(executor.names()).containsExactly("optionalInt:7:8:1.5");
            assertThatThrownBy(() -> keys.optionalInt(OptionalInt.empty(), OptionalLong.of(8), OptionalDouble.of(1.5)))
                    .isInstanceOf(LockKeyException.class);
        });
    }

    /** What a Java class has on the parameters of its constructors. */
    @Test
    void aMarkOnAConstructorIsOneOnTheProperty() {
        with(keys -> {
            keys.marksOf(new ByConstructor("x", "A1"));
            keys.marksOf(new ByWither("A3"));
            assertThat(executor.names()).containsExactly("marks:A1", "marks:A3");
        });
    }

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

    @Test
    void anOptionalIsItsValue() {
        with(keys -> {
            keys.optional(Optional.of("A1"));
            assertThat(executor.names()).containsExactly("optional:A1");
            assertThatThrownBy(() -> keys.optional(Optional.empty())).isInstanceOf(LockKeyException.class);
        });
    }

    @Test
    void eachElementIsALockInSortedOrderAndEqualOnesAreOne() {
        with(keys -> {
            keys.each("eu", List.of("c", "a", "b", "a"));
            assertThat(executor.names()).containsExactly("each:eu:a", "each:eu:b", "each:eu:c");
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
    void eachElementOfAnArrayAndItsMembersAreLocked() {
        with(keys -> {
            keys.eachOfArray(2, 1);
            keys.eachLine(List.of(new Line("B", 1, "x"), new Line("A", 1, "x")));
            assertThat(executor.names()).containsExactly("array:1", "array:2", "lines:1:A", "lines:1:B");
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
    void anEmptyCollectionIsAnErrorUnlessAllowed() {
        with(keys -> {
            assertThatThrownBy(() -> keys.each("eu", List.of()))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("parameter 'codes'")
                    .hasMessageContaining("is empty")
                    .hasMessageContaining("allowEmpty");
            keys.maybeEmpty(List.of());
            assertThat(executor.requests()).isEmpty();
            assertThat(executor.events()).containsExactly("inside");
        });
    }

    @Test
    void aNullElementMayBeLeftOutOrStandForAConstant() {
        with(keys -> {
            keys.eachWithoutNulls(Arrays.asList("b", null, "a", "b"));
            keys.eachWithConstant(Arrays.asList("b", null, null));
            assertThat(executor.names()).containsExactly("some:a", "some:b", "any:b", "any:none");
            assertThatThrownBy(() -> keys.eachWithoutNulls(Arrays.asList((String) null)))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("is empty");
        });
    }

    @Test
    void aPathGoesThroughOptionals() {
        with(keys -> {
            keys.optionalPath(Optional.of(new Order("A1", new Customer(7L, "x"))));
            assertThat(executor.names()).containsExactly("optionalPath:7");
            assertThatThrownBy(() -> keys.optionalPath(Optional.empty())).isInstanceOf(LockKeyException.class);
        });
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

    @Test
    void aNullElementIsAnError() {
        with(keys -> assertThatThrownBy(() -> keys.each("eu", Arrays.asList("a", null)))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("an element of parameter 'codes'"));
    }

    // ------------------------------------------------------------------ expressions and placeholders

    @Test
    void anExpressionInTheKeyKnowsParametersTargetMethodAndBeans() {
        with(keys -> {
            keys.expression(new Order("A1", new Customer(7L, "x")), 3);
            keys.byPosition("A1", 2);
            keys.ofTarget();
            keys.ofMethod();
            keys.ofArgument("A1");
            keys.ofBean("A1");
            assertThat(executor.names())
                    .containsExactly(
                            "order:A1-3",
                            "order:A1:2",
                            "target:shop 7",
                            "method:ofMethod",
                            "args:A1 of shop 7",
                            "bean:upper A1");
        });
    }

    @Test
    void theDelimiterInsideTheValueOfAnExpressionIsEncoded() {
        with(keys -> {
            keys.byPosition("a:b", 1);
            keys.whole("a:b");
            assertThat(executor.names()).containsExactly("order:a%3Ab:1", "order:a:b");
        });
    }

    @Test
    void decimalsInExpressionsAreEqualByValue() {
        with(keys -> {
            keys.whole(new BigDecimal("1.00"));
            keys.byPosition(new BigDecimal("1.0"), 1);
            assertThat(executor.names()).containsExactly("order:1.00", "order:1:1");
        });
    }

    @Test
    void anExpressionThatIsNullOrFailsIsAnErrorThatNamesIt() {
        with(keys -> {
            assertThatThrownBy(() -> keys.expression(new Order(null, null), 3))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("Keys.expression(Order, int)")
                    .hasMessageContaining("'#order.code' of 'key'")
                    .hasMessageContaining("is null");
            assertThatThrownBy(() -> keys.ofArguments("A1"))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("the expression '#root.args' of 'key' is a Object[], which is not one value");
            assertThatThrownBy(() -> keys.expression(null, 3))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("'#order.code' of 'key' failed");
        });
    }

    @Test
    void plainTextStaysExactlyAsWritten() {
        with(keys -> {
            keys.literal("7");
            assertThat(executor.names()).containsExactly("order:#1 #x {a b} %3A $y:7");
        });
    }

    @Test
    void placeholdersAreReplaced() {
        with(keys -> {
            keys.placeholder("7");
            assertThat(executor.names()).containsExactly("order/acme:7");
        });
    }

    // ------------------------------------------------------------------ what is locked

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

        @DistributionLock(key = "order:#1 #x {a b} %3A $y")
        public void literal(@DistributionLockParam String id) {}

        @DistributionLock(key = "order/${tenant}")
        public void placeholder(@DistributionLockParam String id) {}
    }
}
