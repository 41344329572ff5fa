package io.distributionlock.benchmarks.workers;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Named values that fit on a part of a line: {@code threads=8 seconds=1.0}. No value has a space or a line break. */
public final class Fields {

    private final Map<String, String> values;

    private Fields(Map<String, String> values) {
        this.values = values;
    }

    public static Fields none() {
        return new Fields(Map.of());
    }

    static Fields parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String field : text.split(" ", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                values.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return new Fields(values);
    }

    /** These and one more. */
    public Fields with(String name, Object value) {
        String text = String.valueOf(value);
        if (text.matches("(?s).*\\s.*")) {
            throw new IllegalArgumentException(name + "='" + text + "' has a space or a line break");
        }
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, text);
        return new Fields(more);
    }

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("There is no field " + name + ", only " + values.keySet());
        }
        return value;
    }

    public long number(String name) {
        return Long.parseLong(text(name));
    }

    public long[] numbers(String name) {
        return Arrays.stream(text(name).split(",", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(" "));
    }
}
