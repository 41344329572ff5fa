package io.distributionlock.interceptor;

import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The part of a return type that mappers serve. A value of the mapper's type need not fit: that is found when it answers.
 *
 * @param part the type itself, or one inside of its wrappers
 * @param wrappers those around it, innermost first
 * @param mappers the names of all that serve it
 */
record ServedPart(ResolvableType part, List<ResolvableType> wrappers, List<String> mappers) {

    /** Mappers for other arguments of a type come last, and answer only what nobody else does. */
    static Optional<ServedPart> of(ResolvableType returned, Map<String, ResolvableType> mappers) {
        return of(returned, mappers, false).or(() -> of(returned, mappers, true));
    }

    private static Optional<ServedPart> of(
            ResolvableType returned, Map<String, ResolvableType> mappers, boolean anyData) {
        List<ResolvableType> wrappers = new ArrayList<>();
        for (ResolvableType part : parts(returned)) {
            List<String> serving = mappers.entrySet().stream()
                    .filter(mapper -> says(mapper.getValue()) && serves(mapper.getValue(), part, anyData))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!serving.isEmpty()) {
                return Optional.of(new ServedPart(part, wrappers, serving));
            }
            wrappers.add(0, part);
        }
        return Optional.empty();
    }

    /** The type and what its wrappers contain, from the outermost on. */
    static List<ResolvableType> parts(ResolvableType returned) {
        List<ResolvableType> parts = new ArrayList<>(List.of(returned));
        for (ResolvableType part = returned; isWrapper(part); ) {
            part = part.getGeneric(0);
            parts.add(part);
        }
        return parts;
    }

    private static boolean isWrapper(ResolvableType type) {
        return isPlainFuture(type) || ReturnShape.of(type).isWrapper();
    }

    /** With {@code @Async}, whose advice takes the value out of the future. */
    private static boolean isPlainFuture(ResolvableType type) {
        return type.resolve() == Future.class;
    }

    /** An answer for the part, as the method returns it. */
    @Nullable
    Object wrap(@Nullable Object answer) {
        Object value = answer;
        for (ResolvableType wrapper : wrappers) {
            value = isPlainFuture(wrapper)
                    ? CompletableFuture.completedFuture(value)
                    : ReturnShape.of(wrapper).wrap(value, wrapper);
        }
        return value;
    }

    // ------------------------------------------------------------------ which types a mapper serves

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
