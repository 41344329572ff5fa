package io.distributionlock.aop;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What kind of thing a method returns: the value itself, or a wrapper around it. Libraries that may be missing are recognised
 * by name, and touched only when they are there.
 */
enum ReturnShape {
    PLAIN,
    OPTIONAL,
    RESPONSE_ENTITY,
    FUTURE,
    MONO,
    FLUX,
    /** A result that comes later, in a form that does not tell when. */
    UNKNOWN_LATER;

    static ReturnShape of(ResolvableType returnType) {
        Class<?> type = returnType.resolve(Object.class);
        if (type == CompletableFuture.class || type == CompletionStage.class) {
            return FUTURE;
        }
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)) {
            return UNKNOWN_LATER;
        }
        return switch (type.getName()) {
            case "org.springframework.http.ResponseEntity" -> RESPONSE_ENTITY;
            case "reactor.core.publisher.Mono" -> MONO;
            case "reactor.core.publisher.Flux" -> FLUX;
            default -> isPublisher(type) ? UNKNOWN_LATER : PLAIN;
        };
    }

    private static boolean isPublisher(Class<?> type) {
        return TypeHierarchy.of(type).stream()
                .anyMatch(each -> each.getName().equals("org.reactivestreams.Publisher")
                        || each.getName().equals("kotlinx.coroutines.flow.Flow"));
    }

    boolean isWrapper() {
        return this != PLAIN && this != UNKNOWN_LATER;
    }

    boolean isAsynchronous() {
        return this == FUTURE || this == MONO || this == FLUX;
    }

    /** A value in this wrapper. */
    @Nullable
    Object wrap(@Nullable Object value) {
        return switch (this) {
            case PLAIN, UNKNOWN_LATER -> value;
            case OPTIONAL -> Optional.ofNullable(value);
            case RESPONSE_ENTITY -> ResponseEntity.ok(value);
            case FUTURE -> CompletableFuture.completedFuture(value);
            case MONO -> Mono.justOrEmpty(value);
            case FLUX -> value == null ? Flux.empty() : Flux.just(value);
        };
    }

    /** What a method of this shape returns when it is skipped. */
    static @Nullable Object nothing(ResolvableType returnType) {
        ReturnShape shape = of(returnType);
        if (shape == RESPONSE_ENTITY) {
            return null;
        }
        if (shape.isWrapper()) {
            return shape.wrap(null);
        }
        Class<?> type = returnType.resolve(Object.class);
        if (type == OptionalInt.class) {
            return OptionalInt.empty();
        }
        if (type == OptionalLong.class) {
            return OptionalLong.empty();
        }
        return type == OptionalDouble.class ? OptionalDouble.empty() : null;
    }
}
