package io.distributionlock.failure;

import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Which return types a mapper's type serves. A value of the mapper's type need not fit: that is found when it answers. */
final class MapperTypes {

    private MapperTypes() {}

    /** Whether a type says anything about what it serves. */
    static boolean says(ResolvableType served) {
        return served.toClass() != Object.class;
    }

    /**
     * Whether a method returns the mapper's type, or a subtype, with the same type arguments. A wildcard stands for all that it contains.
     *
     * @param anyData whether {@code Void} and {@code Object} stand for any argument as well: an answer without data, as a refusal has
     *     none
     */
    static boolean serves(ResolvableType served, ResolvableType returned, boolean anyData) {
        ResolvableType boxed = boxed(returned);
        Class<?> type = served.toClass();
        return type.isAssignableFrom(boxed.toClass()) && argumentsFit(served, boxed.as(type), anyData);
    }

    /** Whether one of two types could hold a value of the other, but for their arguments. */
    static boolean areNear(ResolvableType served, ResolvableType returned) {
        Class<?> type = served.toClass();
        Class<?> other = boxed(returned).toClass();
        return other != Object.class && (type.isAssignableFrom(other) || other.isAssignableFrom(type));
    }

    static ResolvableType boxed(ResolvableType type) {
        Class<?> declared = type.toClass();
        if (!declared.isPrimitive()) {
            return type;
        }
        return ResolvableType.forClass(
                declared == void.class ? Void.class : ClassUtils.resolvePrimitiveIfNecessary(declared));
    }

    private static boolean argumentsFit(ResolvableType served, ResolvableType returned, boolean anyData) {
        ResolvableType[] wanted = served.getGenerics();
        return IntStream.range(0, wanted.length)
                .allMatch(i -> argumentFits(wanted[i], returned.getGeneric(i), anyData));
    }

    private static boolean argumentFits(ResolvableType wanted, ResolvableType given, boolean anyData) {
        @Nullable Class<?> type = wanted.resolve();
        @Nullable Class<?> other = given.resolve();
        if (isOpen(wanted)) {
            return type == null || other == null || type.isAssignableFrom(other);
        }
        if (anyData && (type == Object.class || type == Void.class)) {
            return true;
        }
        return type == other && argumentsFit(wanted, given, anyData);
    }

    /** Whether it is a wildcard, or a variable that nothing but its bound restricts. */
    private static boolean isOpen(ResolvableType argument) {
        Type type = argument.getType();
        return type instanceof WildcardType
                || type instanceof TypeVariable<?>
                        && argument.resolve() == ResolvableType.forType(type).resolve();
    }
}
