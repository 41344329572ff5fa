package io.distributionlock.interceptor;

import io.distributionlock.internal.ReactiveTypes;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;

/**
 * Whether a method returns a value itself, a wrapper around it, or something whose work continues, or only begins, after the method has
 * returned: a lock that is released then protects nothing. Optional libraries are recognised by name, and used only when they are present.
 */
enum ReturnShape {
    PLAIN,
    OPTIONAL,
    RESPONSE_ENTITY,
    FUTURE,
    /** One of {@link ReactiveTypes}. */
    REACTIVE,
    /** A result that comes later, in a form that cannot be observed. */
    UNKNOWN_LATER;

    /** What a locked method should return instead. */
    static final String ACTION =
            "Return the value itself (a list instead of a stream), a CompletableFuture, a CompletionStage, or a Mono,"
                    + " a Flux or another reactive type that Spring knows. Wrap what may be used without the lock in a"
                    + " type of your own.";

    /** What implements one of these is work that is not done, as are the reactive types that Spring knows. */
    private static final List<Class<?>> WORK = with(
            List.of(Future.class, CompletionStage.class, Flow.Publisher.class, BaseStream.class),
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** What runs when it is called. A class of an application or a library may implement one of these and still be a value. */
    private static final List<Class<?>> CALLED_LATER = with(
            List.of(
                    Runnable.class,
                    Callable.class,
                    Supplier.class,
                    BooleanSupplier.class,
                    IntSupplier.class,
                    LongSupplier.class,
                    DoubleSupplier.class,
                    Iterator.class,
                    Spliterator.class,
                    Enumeration.class),
            "kotlin.Function",
            "kotlin.Lazy",
            "kotlin.sequences.Sequence",
            "reactor.core.Disposable");

    /** The deepest nesting that is searched; a type that contains itself would have no end. */
    private static final int MAX_DEPTH = 8;

    static ReturnShape of(ResolvableType returnType) {
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
        if (!isUnfinished(type)) {
            return PLAIN;
        }
        return ReactiveTypes.adapterOf(type) == null ? UNKNOWN_LATER : REACTIVE;
    }

    boolean isWrapper() {
        return this != PLAIN && this != UNKNOWN_LATER;
    }

    boolean isAsynchronous() {
        return this == FUTURE || this == REACTIVE;
    }

    /** A value in a wrapper of this shape and type. */
    @Nullable
    Object wrap(@Nullable Object value, ResolvableType type) {
        return switch (this) {
            case PLAIN, UNKNOWN_LATER -> value;
            case OPTIONAL -> Optional.ofNullable(value);
            case RESPONSE_ENTITY -> ResponseEntity.ok(value);
            case FUTURE -> CompletableFuture.completedFuture(value);
            case REACTIVE -> ReactiveTypes.wrap(value, type);
        };
    }

    /** What a method of this type returns when it is skipped. */
    static @Nullable Object nothing(ResolvableType returnType) {
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

    // ------------------------------------------------------------------ work that is not done when the method returns

    private static List<Class<?>> with(List<Class<?>> always, String... optional) {
        ClassLoader loader = ReturnShape.class.getClassLoader();
        Stream<Class<?>> present = Stream.of(optional)
                .filter(name -> ClassUtils.isPresent(name, loader))
                .map(name -> ClassUtils.resolveClassName(name, loader));
        return Stream.concat(always.stream(), present).toList();
    }

    /** Whether every result of this declared type is unfinished. */
    static boolean isUnfinished(Class<?> type) {
        boolean saysNoMore = Stream.of("java.", "kotlin.", "reactor.").anyMatch(type.getName()::startsWith);
        return isOneOf(WORK, type)
                || (saysNoMore && isOneOf(CALLED_LATER, type))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    private static boolean isOneOf(List<Class<?>> types, Class<?> type) {
        return types.stream().anyMatch(each -> each.isAssignableFrom(type));
    }

    /** The unfinished type that a result of this type holds inside, such as the {@code Flux} of a {@code ResponseEntity}. */
    static @Nullable Class<?> unfinishedInside(ResolvableType type) {
        return unfinishedInside(type, 0);
    }

    private static @Nullable Class<?> unfinishedInside(ResolvableType type, int depth) {
        if (depth == MAX_DEPTH || type.resolve() == Class.class) {
            return null;
        }
        return Stream.of(
                        Stream.of(type.getComponentType()),
                        Stream.of(type.as(Iterable.class).getGenerics()),
                        Stream.of(type.getGenerics()))
                .flatMap(parts -> parts)
                .map(part -> found(part, depth))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Class<?> found(ResolvableType part, int depth) {
        Class<?> type = part.resolve();
        if (type == null) {
            return null;
        }
        return isUnfinished(type) ? type : unfinishedInside(part, depth + 1);
    }
}
