package io.distributionlock.key;

import io.distributionlock.reflect.KotlinTypes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** A path from an object to a value inside it, such as {@code customer.id}. A step into a map is one of its keys. */
final class PropertyPath {

    private static final PropertyPath NONE = new PropertyPath("");

    private static final ClassValue<Map<String, Optional<PropertyReader>>> READERS = new ClassValue<>() {
        @Override
        protected Map<String, Optional<PropertyReader>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private final String text;
    private final List<String> steps;

    private PropertyPath(String text) {
        this.text = text;
        this.steps = text.isEmpty() ? List.of() : Arrays.asList(text.split("\\.", -1));
    }

    static PropertyPath of(String text) {
        return text.isEmpty() ? NONE : new PropertyPath(text);
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** The value at the end of the path; {@code null} if any step leads to {@code null}. */
    @Nullable
    Object read(@Nullable Object start) {
        Object current = start;
        for (String step : steps) {
            current = opened(current);
            if (current == null) {
                return null;
            }
            current = current instanceof Map<?, ?> map ? map.get(step) : readProperty(current, step);
        }
        return current;
    }

    private @Nullable Object readProperty(Object owner, String property) {
        PropertyReader reader = readerOf(owner.getClass(), property);
        if (reader == null) {
            throw new IllegalStateException(
                    "a " + owner.getClass().getName() + " has no property '" + property + "' that can be read");
        }
        return reader.read(owner);
    }

    private static @Nullable PropertyReader readerOf(Class<?> type, String property) {
        return READERS.get(type)
                .computeIfAbsent(property, name -> Optional.ofNullable(PropertyReader.of(type, name)))
                .orElse(null);
    }

    /** The value inside of an {@code Optional} or a value class of Kotlin. */
    static @Nullable Object unwrapped(@Nullable Object value) {
        Object opened = opened(value);
        return opened == null ? null : KotlinTypes.unboxed(opened);
    }

    private static @Nullable Object opened(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        if (value instanceof OptionalInt optional) {
            return optional.isPresent() ? optional.getAsInt() : null;
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? optional.getAsLong() : null;
        }
        if (value instanceof OptionalDouble optional) {
            return optional.isPresent() ? optional.getAsDouble() : null;
        }
        return value;
    }

    /** The declared type at the end of the path; {@link ResolvableType#NONE} if a step before it is not declared. */
    ResolvableType typeFrom(ResolvableType start) {
        ResolvableType current = start;
        for (String step : steps) {
            ResolvableType owner = opened(current);
            Class<?> type = owner.resolve();
            if (type == null) {
                return ResolvableType.NONE;
            }
            if (Map.class.isAssignableFrom(type)) {
                current = owner.as(Map.class).getGeneric(1);
            } else {
                PropertyReader reader = readerOf(type, step);
                current = reader == null ? ResolvableType.NONE : reader.type(owner);
            }
        }
        return current;
    }

    /** The type inside of an {@code Optional}. */
    static ResolvableType opened(ResolvableType type) {
        return type.resolve() == Optional.class ? type.getGeneric(0) : type;
    }

    /** The first step that does not exist for this type; {@code null} if all exist, or the type says too little. */
    @Nullable
    String missingStep(ResolvableType start) {
        ResolvableType current = start;
        for (String step : steps) {
            current = opened(current);
            Class<?> type = current.resolve();
            if (type == null || type == Object.class || Map.class.isAssignableFrom(type)) {
                return null;
            }
            PropertyReader reader = step.isBlank() ? null : readerOf(type, step);
            if (reader == null) {
                return step;
            }
            current = reader.type(current);
        }
        return null;
    }

    @Override
    public String toString() {
        return text;
    }
}
