package io.distributionlock.failure;

import io.distributionlock.reflect.ReturnShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * The part of a return type that mappers serve.
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
                    .filter(mapper ->
                            MapperTypes.says(mapper.getValue()) && MapperTypes.serves(mapper.getValue(), part, anyData))
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
}
