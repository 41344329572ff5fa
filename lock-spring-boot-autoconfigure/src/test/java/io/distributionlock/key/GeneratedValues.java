package io.distributionlock.key;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random values of any type. Two instances with one seed make equal values, in forms and orders that may differ. */
final class GeneratedValues {

    /** Texts that look like parts of the form around them. */
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "b",
            "null",
            "\"\"",
            "\\",
            "\\a",
            "a, b",
            "a\\, b",
            "[a]",
            "(a)",
            "{a=b}",
            "a=b",
            "a, c1=b",
            "R0[c0=a]",
            "Optional[a]",
            "%2C",
            ":",
            "é",
            "\n");

    private final Random random;
    private final boolean other;

    /** @param other whether to choose the other form of a value */
    GeneratedValues(long seed, boolean other) {
        this.random = new Random(seed);
        this.other = other;
    }

    /** @param model equal if the values are, by the rules of the page, and only then */
    record Value(@Nullable Object value, @Nullable Object model) {}

    private static Value of(Object value) {
        return new Value(value, value);
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Value make(Type type) throws Exception {
        if (type instanceof ParameterizedType generic) {
            return random.nextInt(15) == 0 ? new Value(null, null) : container(generic);
        }
        Class<?> plain = (Class<?>) type;
        boolean isNull = !plain.isPrimitive() && random.nextInt(15) == 0;
        return isNull ? new Value(null, null) : plain.isRecord() ? record(plain) : single(plain);
    }

    private Value record(Class<?> type) throws Exception {
        List<Class<?>> types = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        List<Object> model = new ArrayList<>(List.of(type.getName()));
        for (RecordComponent component : type.getRecordComponents()) {
            Value value = make(component.getGenericType());
            types.add(component.getType());
            values.add(value.value());
            model.add(value.model());
        }
        return new Value(type.getConstructor(types.toArray(Class<?>[]::new)).newInstance(values.toArray()), model);
    }

    private Value container(ParameterizedType type) throws Exception {
        String name = ((Class<?>) type.getRawType()).getSimpleName();
        Type inside = type.getActualTypeArguments()[type.getActualTypeArguments().length - 1];
        if (name.equals("Optional")) {
            Value value = make(inside);
            return new Value(Optional.ofNullable(value.value()), Arrays.asList(name, value.model()));
        }
        if (name.equals("Entry")) {
            String key = any(TEXTS);
            Value value = make(inside);
            return new Value(
                    new AbstractMap.SimpleEntry<>(key, value.value()), Arrays.asList(name, key, value.model()));
        }
        List<Value> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(make(inside));
        }
        return switch (name) {
            case "List" -> list(values);
            case "Set" -> set(values);
            default -> map(values);
        };
    }

    private Value list(List<Value> values) {
        List<Object> all = other ? new LinkedList<>() : new ArrayList<>();
        List<Object> model = new ArrayList<>(List.of("List"));
        values.forEach(value -> {
            all.add(value.value());
            model.add(value.model());
        });
        return new Value(all, model);
    }

    private Value set(List<Value> values) {
        Map<Object, Object> byModel = new LinkedHashMap<>();
        values.forEach(value -> byModel.putIfAbsent(value.model(), value.value()));
        List<Object> ordered = new ArrayList<>(byModel.values());
        if (other) {
            Collections.reverse(ordered);
        }
        return new Value(
                other ? new LinkedHashSet<>(ordered) : new HashSet<>(ordered),
                List.of("Set", new HashSet<>(byModel.keySet())));
    }

    private Value map(List<Value> values) {
        Map<String, Value> entries = new LinkedHashMap<>();
        values.forEach(value -> entries.put(any(TEXTS), value));
        List<String> keys = new ArrayList<>(entries.keySet());
        if (other) {
            Collections.reverse(keys);
        }
        Map<String, Object> map = other ? new LinkedHashMap<>() : new HashMap<>();
        Map<String, Object> model = new HashMap<>();
        keys.forEach(key -> {
            map.put(key, entries.get(key).value());
            model.put(key, entries.get(key).model());
        });
        return new Value(map, List.of("Map", model));
    }

    private Value single(Class<?> type) throws Exception {
        int number = random.nextInt(5) - 2;
        Instant moment = Instant.ofEpochMilli(number);
        return switch (type.getSimpleName()) {
            case "String" -> of(any(TEXTS));
            case "Object" -> anything();
            case "int", "Integer" -> of(number);
            case "long", "Long" -> of((long) number);
            case "boolean", "Boolean" -> of(number > 0);
            case "double", "Double" -> new Value(number == 0 && other ? -0.0 : number / 3.0, number / 3.0 + 0.0);
            case "float", "Float" -> of(number / 3.0f + 0.0f);
            case "BigDecimal" -> new Value(BigDecimal.valueOf(number).setScale(other ? 2 : 0), number);
            case "UUID" -> of(new UUID(number, number));
            case "LocalDate" -> of(LocalDate.ofEpochDay(number));
            case "Instant" -> of(moment);
            case "ZonedDateTime" ->
                new Value(
                        ZonedDateTime.ofInstant(moment, ZoneId.of(other ? "Asia/Shanghai" : "America/New_York")),
                        moment);
            case "Date" -> type == Date.class ? new Value(new Date(number), moment) : of(new java.sql.Date(number));
            case "URI" -> address("HTTP://Host-" + number + "/a%2fb");
            case "URL" -> of(URI.create("http://127.0.0.1/" + number).toURL());
            case "Shade" -> of(type.getEnumConstants()[random.nextInt(2)]);
            case "Labelled" -> {
                String text = any(List.of("x", "y", "z"));
                yield new Value(type.getConstructor(String.class).newInstance(text), List.of("Labelled", text));
            }
            case "byte[]" -> of(new byte[] {(byte) number});
            case "String[][]" -> of(new String[][] {{"a"}});
            default -> of(type.getConstructor().newInstance());
        };
    }

    private Value address(String text) {
        String small = text.toLowerCase(Locale.ROOT);
        return new Value(URI.create(other ? small : text), small);
    }

    private Value anything() {
        Value text = of(any(TEXTS));
        return switch (random.nextInt(4)) {
            case 0 -> list(List.of(text));
            case 1 -> set(List.of(text, of("z")));
            case 2 -> new Value(Optional.ofNullable(text.value()), Arrays.asList("Optional", text.model()));
            default -> text;
        };
    }
}
