package io.distributionlock.key;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Reads the properties of arguments as an expression (SpEL) does: by the getter or the accessor of a record. Where there is neither, the
 * field is read, private or not. A property of a map is the value of a key.
 *
 * <p>A path leads from an object to a property inside it, such as {@code customer.id}; an empty one leads nowhere else.
 */
final class ArgumentProperties extends DeclaredProperties {

    private static final EvaluationContext CONTEXT =
            SimpleEvaluationContext.forReadOnlyDataBinding().build();

    private static String[] steps(String path) {
        return StringUtils.delimitedListToStringArray(path, ".");
    }

    /**
     * The value at the end of the path; {@code null} if any step leads to {@code null}.
     *
     * @throws AccessException if a step does not exist, or its accessor fails
     */
    @Nullable
    Object valueAt(@Nullable Object start, String path) throws AccessException {
        Object current = start;
        for (String step : steps(path)) {
            current = opened(current);
            if (current == null) {
                return null;
            }
            current = current instanceof Map<?, ?> map
                    ? map.get(step)
                    : read(CONTEXT, current, step).getValue();
        }
        return unwrapped(current);
    }

    /** The declared type at the end of the path; {@link ResolvableType#NONE} if the types before it do not tell. */
    ResolvableType typeAt(ResolvableType start, String path) {
        ResolvableType current = start;
        for (String step : steps(path)) {
            ResolvableType next = typeOf(current, step);
            current = next == null ? ResolvableType.NONE : next;
        }
        return current;
    }

    /** The first step that does not exist for this type; {@code null} if all exist, or the type says too little. */
    @Nullable
    String missingStep(ResolvableType start, String path) {
        ResolvableType current = start;
        for (String step : steps(path)) {
            ResolvableType next = typeOf(current, step);
            if (next == null) {
                return step;
            }
            current = next;
        }
        return null;
    }

    @Override
    @Nullable
    ResolvableType typeOf(ResolvableType owner, String property) {
        ResolvableType opened = opened(owner);
        return Map.class.isAssignableFrom(opened.resolve(Object.class))
                ? opened.as(Map.class).getGeneric(1)
                : super.typeOf(opened, property);
    }

    @Override
    protected @Nullable Field findField(String name, Class<?> type, boolean mustBeStatic) {
        Field field = name.isEmpty() ? null : ReflectionUtils.findField(type, name);
        return field != null && !Modifier.isStatic(field.getModifiers()) && field.trySetAccessible() ? field : null;
    }

    /** The value inside of an {@code Optional} or a value class of Kotlin. */
    static @Nullable Object unwrapped(@Nullable Object value) {
        Object opened = opened(value);
        return opened == null ? null : ValueClasses.unboxed(opened);
    }

    static @Nullable Object opened(@Nullable Object value) {
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

    /** The type inside of an {@code Optional}. */
    static ResolvableType opened(ResolvableType type) {
        return type.resolve() == Optional.class ? type.getGeneric(0) : type;
    }
}
