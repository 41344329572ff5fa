package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import java.io.File;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Equal values have equal names, different ones have different names, and what has no text is refused: at every depth. */
@Tag("boot4")
class EqualNamesTest {

    /** Where a value may stand. */
    private static final Map<String, Function<Object, Object>> PLACES = new LinkedHashMap<>();

    static {
        PLACES.put("alone", value -> value);
        PLACES.put("optional", Optional::of);
        PLACES.put("record", Holder::new);
        PLACES.put("record in a record", value -> new Holder(new Holder(value)));
        PLACES.put("optional in a record", value -> new Holder(Optional.of(value)));
        PLACES.put("list", value -> new Holder(List.of("x", value)));
        PLACES.put("set", value -> new Holder(Set.of(value)));
        PLACES.put("value of a map", value -> new Holder(Map.of("x", value)));
        PLACES.put("key of a map", value -> new Holder(Map.of(value, "x")));
        PLACES.put("value of an entry", value -> Map.entry("x", value));
        PLACES.put("key of an entry", value -> Map.entry(value, "x"));
        PLACES.put("list in an entry in a record", value -> new Holder(Map.entry("x", List.of(value))));
    }

    private static final Instant NOW = Instant.parse("2026-11-21T07:37:00.123Z");

    record Holder(@Nullable Object value) {}

    record Pair(@Nullable Object a, @Nullable Object b) {}

    record Cart(String id, Set<String> items) {}

    static class Service {

        @DistributionLock(key = "k")
        public String name(@DistributionLockParam Object value) {
            return LockContext.leases().get(0).name();
        }

        @DistributionLock(key = "k:#{#value}")
        public String byExpression(Object value) {
            return LockContext.leases().get(0).name();
        }

        @DistributionLock(key = "k")
        public String each(@DistributionLockParam(each = true) Object[] values) {
            return LockContext.leases().get(0).name();
        }
    }

    private static void with(Use use) {
        LockContextRunner.local(Service.class).run(context -> use.on(context.getBean(Service.class)));
    }

    @FunctionalInterface
    private interface Use {
        void on(Service service) throws Exception;
    }

    private static List<String> names(Service service, Object value) {
        return List.of(service.name(value), service.byExpression(value), service.each(new Object[] {value}));
    }

    // ------------------------------------------------------------------ equal

    private static List<Object[]> equal() throws Exception {
        Calendar shanghai = Calendar.getInstance(TimeZone.getTimeZone("Asia/Shanghai"));
        shanghai.setTime(Date.from(NOW));
        return List.of(
                new Object[] {NOW, Date.from(NOW), NOW.atZone(ZoneId.of("Europe/Paris")), shanghai},
                new Object[] {new BigDecimal("1.0"), new BigDecimal("1.00"), 1, 1L, "1", CharBuffer.wrap("1")},
                new Object[] {0.0, -0.0, 0.0f},
                new Object[] {
                    URI.create("HTTP://me@Shop.example:80/a%2fb?Q"), URI.create("http://me@shop.EXAMPLE:80/a%2Fb?Q")
                },
                new Object[] {String.class, "java.lang.String"},
                new Object[] {Map.entry("a", 1), new AbstractMap.SimpleEntry<>("a", 1)},
                new Object[] {
                    new Cart("1", Set.of("tea", "milk", "rice")),
                    new Cart("1", new TreeSet<>(Set.of("rice", "tea", "milk")))
                });
    }

    @Test
    void equalValuesHaveOneName() {
        with(service -> {
            for (Object[] values : equal()) {
                PLACES.forEach((place, around) -> {
                    List<String> names = names(service, around.apply(values[0]));
                    for (Object value : values) {
                        assertThat(names(service, around.apply(value)))
                                .as(place + ": " + value)
                                .isEqualTo(names);
                    }
                });
            }
        });
    }

    @Test
    void neitherSetsNorMapsHaveAnOrder() {
        List<String> many =
                Stream.iterate(0, i -> i + 1).limit(50).map(String::valueOf).toList();
        List<String> reversed = new ArrayList<>(many);
        Collections.reverse(reversed);
        Map<String, Object> forth = new LinkedHashMap<>();
        many.forEach(each -> forth.put(each, Set.of(each)));
        Map<String, Object> back = new LinkedHashMap<>();
        reversed.forEach(each -> back.put(each, new HashSet<>(Set.of(each))));
        Properties properties = new Properties();
        properties.putAll(forth);
        with(service -> {
            String name = service.name(new Pair(new LinkedHashSet<>(many), forth));
            for (Pair pair : List.of(
                    new Pair(new LinkedHashSet<>(reversed), back),
                    new Pair(new HashSet<>(many), new HashMap<>(back)),
                    new Pair(Set.copyOf(many), properties),
                    new Pair(
                            new TreeSet<>(Comparator.<String>reverseOrder()) {
                                {
                                    addAll(many);
                                }
                            },
                            new TreeMap<>(back)))) {
                assertThat(service.name(pair)).isEqualTo(name);
            }
        });
    }

    // ------------------------------------------------------------------ different

    private static List<Object> different() {
        return Arrays.asList(
                null,
                "null",
                "\\null",
                "",
                "\"\"",
                " ",
                List.of(),
                List.of(""),
                List.of("", ""),
                List.of("a", "b"),
                List.of("a, b"),
                List.of("a\\, b"),
                List.of(List.of("a"), "b"),
                List.of(List.of("a", "b")),
                Arrays.asList("a", null),
                List.of("a", "null"),
                Set.of(),
                Set.of("a"),
                List.of("a"),
                Set.of("a=b"),
                Set.of(Map.entry("a", "b")),
                Map.of(),
                Map.of("a", "b"),
                Map.of("a=b", ""),
                Map.of("a", "=b"),
                Map.entry("a", "b=c"),
                Map.entry("a=b", "c"),
                Optional.empty(),
                Optional.of(""),
                Optional.of(Optional.empty()),
                Optional.of("a"),
                "Optional[a]",
                OptionalInt.empty(),
                OptionalInt.of(1),
                new Holder(null),
                new Holder("null"),
                new Holder("a"),
                "Holder[value=a]",
                new Pair("a, b=x", "y"),
                new Pair("a", "x, b=y"),
                new Pair("a", new Pair("b", "c")),
                new Pair(new Pair("a", "b"), "c"),
                LocalDate.of(2026, 11, 21),
                NOW,
                NOW.plusNanos(1),
                1,
                1.5,
                Double.NaN,
                Double.MIN_VALUE,
                'x',
                true);
    }

    @Test
    void differentValuesHaveDifferentNames() {
        with(service -> {
            for (Function<Object, Object> around : List.<Function<Object, Object>>of(
                    Holder::new,
                    value -> new Pair("x", value),
                    value -> new Holder(Collections.singletonList(value)))) {
                Map<String, Object> known = new HashMap<>();
                for (Object value : different()) {
                    Object other = known.put(service.name(around.apply(value)), "this: " + value);
                    assertThat(other).as(String.valueOf(value)).isNull();
                }
            }
        });
    }

    /** Java 17 prints some of them with a digit more than later versions do. */
    @Test
    void aNumberHasItsShortestText() {
        with(service -> {
            assertThat(service.name(1.93125733498705376E17)).isEqualTo("k:1.9312573349870538E17");
            assertThat(service.name(2.08514072E15f)).isEqualTo("k:2.0851407E15");
            assertThat(service.name(0.1f)).isEqualTo("k:0.1");
            assertThat(service.name(-1234567.25)).isEqualTo("k:-1234567.25");
            assertThat(service.name(1e7)).isEqualTo("k:1.0E7");
            assertThat(service.name(0.001)).isEqualTo("k:0.001");
            assertThat(service.name(1.5e-4)).isEqualTo("k:1.5E-4");
            assertThat(service.name(Double.MIN_VALUE)).isEqualTo("k:4.9E-324");
            assertThat(service.name(Double.MAX_VALUE)).isEqualTo("k:1.7976931348623157E308");
            assertThat(service.name(Float.MAX_VALUE)).isEqualTo("k:3.4028235E38");
            assertThat(service.name(Double.NEGATIVE_INFINITY)).isEqualTo("k:-Infinity");
        });
    }

    // ------------------------------------------------------------------ refused

    /** Prints its identity, or what differs between processes. */
    private static List<Object> unsuitable() throws Exception {
        return List.of(
                new Object(),
                new int[] {1},
                new char[] {'x'},
                new byte[0],
                new String[] {"a"},
                new Object[][] {{1}},
                (Runnable) () -> {},
                new WithoutText("a"),
                new PrintsIdentity(),
                new Prints(new WithoutText("a")),
                new Prints(new Object()),
                new Prints(new int[] {1}),
                new Prints(Set.of("a", "b")),
                new Prints(Map.of("a", "b")),
                new Prints(new Date()),
                new Prints(List.of("a", new Object())),
                new Prints(Optional.of(new byte[1])),
                new Prints(Map.entry("a", List.of(new int[1]))),
                new Prints(new Holder(new byte[1])),
                new Prints(List.of(new Holder(Optional.of(Set.of("a", "b"))))),
                new PrintsNull(),
                new OwnThread(),
                Object.class.getMethods()[0],
                TimeZone.getDefault(),
                URI.create("http://localhost/").toURL(),
                Pattern.compile("a"),
                new AtomicReference<>("a"),
                new LongAdder(),
                new File("a"),
                Path.of("a"),
                InetAddress.getLoopbackAddress(),
                new java.sql.Date(0),
                new java.sql.Time(0),
                new Exception("a"),
                Thread.currentThread(),
                List.of("a").iterator(),
                Stream.of("a"),
                new ArrayDeque<>(List.of("a")),
                Map.of("a", "b").values(),
                Clock.systemUTC(),
                ((Runnable) () -> {}).getClass(),
                EqualNamesTest.class.getClassLoader());
    }

    @Test
    void whatHasNoTextIsRefusedAtEveryDepth() {
        with(service -> {
            for (Object value : unsuitable()) {
                PLACES.forEach((place, around) -> {
                    Object whole = around.apply(value);
                    for (Function<Object, String> call : List.<Function<Object, String>>of(
                            service::name, service::byExpression, each -> service.each(new Object[] {each}))) {
                        assertThatThrownBy(() -> call.apply(whole))
                                .as(place + ": " + value.getClass())
                                .isInstanceOf(LockKeyException.class)
                                .hasMessageContaining("No lock name can be made for " + Service.class.getName())
                                .hasMessageFindingMatch("'value'|'#value'|'values'")
                                .hasMessageFindingMatch("\\. (Mark|Use|Read) ");
                    }
                });
            }
        });
    }

    @Test
    void theMessageNamesTheComponentAndWhatToMark() {
        with(service -> assertThatThrownBy(() ->
                        service.name(new Item("7", List.of(new Pair(1, Map.of("x", new byte[1]))))))
                .hasMessageContaining("parameter 'value' (Object) is a " + Item.class.getName()
                        + ", whose 'parts[0].b.value' is a byte[]")
                .hasMessageContaining("such as 'id' (path = \"id\""));
    }

    record Item(String id, List<Pair> parts) {}

    @Test
    void whatHasNoEndIsRefused() {
        List<Object> circle = new ArrayList<>();
        circle.add(circle);
        Object wide = "x";
        for (int i = 0; i < 12; i++) {
            wide = Collections.nCopies(10, wide);
        }
        Object bomb = wide;
        with(service -> {
            for (Object value : List.of(
                    new Holder(circle), new Holder(bomb), new Holder(Collections.nCopies(20, "x".repeat(100_000))))) {
                assertThatThrownBy(() -> service.name(value))
                        .isInstanceOf(LockKeyException.class)
                        .message()
                        .containsPattern("without an end|10000 values|1000000 characters")
                        .hasSizeLessThan(1_000);
            }
        });
    }

    // ------------------------------------------------------------------ classes with a text of their own

    @Test
    void aClassWithATextOfItsOwnCountsByIt() {
        with(service -> {
            assertThat(service.name(new Prints("a"))).isEqualTo("k:a!");
            LocalDate day = LocalDate.of(2026, 11, 21);
            assertThat(service.name(new Prints(List.of(new Prints(7), Optional.of(day)))))
                    .isEqualTo("k:[7!, Optional[2026-11-21]]!");
            assertThat(service.name(new Holder(new Prints("a, b")))).isEqualTo("k:Holder[value=a\\, b!]");
        });
    }

    /** As entities do, whose associations lead back and would have to be loaded. */
    @Test
    void whatTheFieldsLeadToIsNotLookedAt() {
        Entity order = new Entity("A1");
        order.other = order;
        order.items = new AbstractList<>() {
            @Override
            public Object get(int index) {
                throw new IllegalStateException("loaded");
            }

            @Override
            public int size() {
                throw new IllegalStateException("loaded");
            }
        };
        for (int i = 0; i < 20; i++) {
            Entity child = new Entity("A1");
            child.other = order;
            order = child;
        }
        Entity last = order;
        with(service -> {
            assertThat(names(service, last)).containsOnly("k:A1");
            assertThat(names(service, last.other)).containsOnly("k:A1");
        });
        LockContextRunner.local(Typed.class)
                .run(context ->
                        assertThat(context.getBean(Typed.class).name(last)).isEqualTo("k:A1"));
    }

    static class Typed {

        @DistributionLock(key = "k")
        public String name(@DistributionLockParam Entity value) {
            return LockContext.leases().get(0).name();
        }
    }

    static class Entity {
        final String id;
        final Object monitor = new Object();
        final Lock lock = new ReentrantLock();
        final Object anyLock = new ReentrantLock();
        Entity other;
        List<Object> items;
        Collection<Object> more;

        Entity(String id) {
            this.id = id;
        }

        @Override
        public String toString() {
            return id;
        }
    }

    @Test
    void aBlankNameIsALockKeyException() {
        LockContextRunner.local(Whole.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Whole.class).name(" "))
                        .isInstanceOf(LockKeyException.class)
                        .hasMessageContaining("Whole.name(String)")
                        .hasMessageContaining("is blank"));
    }

    static class Whole {

        @DistributionLock(key = "#{#text}")
        public void name(String text) {}
    }

    static class WithoutText {
        final String id;

        WithoutText(String id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof WithoutText text && text.id.equals(id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    static class PrintsIdentity {
        @Override
        public String toString() {
            return super.toString();
        }
    }

    static class PrintsNull {
        @Override
        public String toString() {
            return null;
        }
    }

    static class OwnThread extends Thread {
        @Override
        public String toString() {
            return "own";
        }
    }

    static class Prints {
        Object inside;

        Prints(Object inside) {
            this.inside = inside;
        }

        @Override
        public String toString() {
            return inside + "!";
        }
    }
}
