package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;

/**
 * Whether a method returns a value itself or a wrapper around it. Optional libraries are recognised by name, and used only when
 * they are present.
 *
 * @hidden
 */
@Internal
public enum ReturnShape {
    PLAIN,
    OPTIONAL,
    RESPONSE_ENTITY,
    FUTURE,
    /** One of {@link ReactiveTypes}. */
    REACTIVE,
    /** A result that comes later, in a form that cannot be observed. */
    UNKNOWN_LATER;

    public static ReturnShape of(ResolvableType returnType) {
        Class<?> type = returnType.resolve(Object.class);
        if (type == CompletableFuture.class || type == CompletionStage.class) {
            return FUTURE;
        }
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (type.getName().equals("org.springframework.http.ResponseEntity")) {
            return RESPONSE_ENTITY;
        }
        if (!UnfinishedResults.isDeclaredBy(type)) {
            return PLAIN;
        }
        return ReactiveTypes.adapterOf(type) == null ? UNKNOWN_LATER : REACTIVE;
    }

    public boolean isWrapper() {
        return this != PLAIN && this != UNKNOWN_LATER;
    }

    public boolean isAsynchronous() {
        return this == FUTURE || this == REACTIVE;
    }

    /** A value in a wrapper of this shape and type. */
    @Nullable
    public Object wrap(@Nullable Object value, ResolvableType type) {
        return switch (this) {
            case PLAIN, UNKNOWN_LATER -> value;
            case OPTIONAL -> Optional.ofNullable(value);
            case RESPONSE_ENTITY -> ResponseEntity.ok(value);
            case FUTURE -> CompletableFuture.completedFuture(value);
            case REACTIVE -> ReactiveTypes.wrap(value, type);
        };
    }

    /** What a method of this type returns when it is skipped. */
    public static @Nullable Object nothing(ResolvableType returnType) {
        ReturnShape shape = of(returnType);
        if (shape == RESPONSE_ENTITY) {
            return null;
        }
        if (shape.isWrapper()) {
            return shape.wrap(null, returnType);
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
