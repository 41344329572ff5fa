package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Types of results whose work continues, or only begins, after the method has returned: a lock that is released then protects
 * nothing. Optional libraries are recognised by name.
 *
 * @hidden
 */
@Internal
public final class UnfinishedResults {

    /** What a locked method should return instead. */
    public static final String CURE =
            "Return the value itself (a list instead of a stream), a CompletableFuture, a CompletionStage, or a Mono,"
                    + " a Flux or another reactive type that Spring knows. Wrap what may be used without the lock in a"
                    + " type of your own.";

    /** What implements one of these is work that is not done. */
    private static final List<Class<?>> WORK =
            List.of(Future.class, CompletionStage.class, Flow.Publisher.class, BaseStream.class);

    private static final Set<String> WORK_OF_LIBRARIES = Set.of(
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.Job",
            KotlinTypes.FLOW,
            "kotlinx.coroutines.channels.ReceiveChannel",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "io.reactivex.SingleSource",
            "io.reactivex.MaybeSource",
            "io.reactivex.CompletableSource",
            "io.reactivex.ObservableSource",
            "io.smallrye.mutiny.Uni",
            "io.smallrye.mutiny.Multi",
            "io.vavr.concurrent.Future",
            "io.vertx.core.Future",
            "scala.concurrent.Future",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** What runs when it is called. An application class may implement one of these and still be a value. */
    private static final List<Class<?>> CALLED_LATER =
            List.of(Callable.class, Iterator.class, Spliterator.class, Enumeration.class);

    private static final Set<String> CALLED_LATER_OF_LIBRARIES = Set.of(
            "kotlin.Function",
            "kotlin.Lazy",
            "kotlin.sequences.Sequence",
            "reactor.core.Disposable",
            "io.reactivex.rxjava3.disposables.Disposable");

    /** The deepest nesting that is searched; a type that contains itself would have no end. */
    private static final int DEEPEST = 8;

    private UnfinishedResults() {}

    private static boolean isWork(Class<?> type) {
        return isOneOf(WORK, WORK_OF_LIBRARIES, type);
    }

    private static boolean isOneOf(List<Class<?>> classes, Set<String> names, Class<?> type) {
        return classes.stream().anyMatch(each -> each.isAssignableFrom(type))
                || TypeHierarchy.of(type).stream().map(Class::getName).anyMatch(names::contains);
    }

    private static boolean isFunction(Class<?> type) {
        return type == Runnable.class
                || (type.getName().startsWith("java.util.function.")
                        && type.getName().endsWith("Supplier"));
    }

    /** Whether every result of this declared type is unfinished. */
    static boolean isDeclaredBy(Class<?> type) {
        String name = type.getName();
        boolean saysNoMore =
                name.startsWith("java.") || name.startsWith("kotlin.") || CALLED_LATER_OF_LIBRARIES.contains(name);
        return isWork(type)
                || isFunction(type)
                || (saysNoMore && isOneOf(CALLED_LATER, CALLED_LATER_OF_LIBRARIES, type));
    }

    /** The unfinished type that a result of this type holds inside, such as the {@code Flux} of a {@code ResponseEntity}. */
    public static @Nullable Class<?> inside(ResolvableType type) {
        return inside(type, 0);
    }

    private static @Nullable Class<?> inside(ResolvableType type, int depth) {
        if (depth == DEEPEST || type.resolve() == Class.class) {
            return null;
        }
        if (type.isArray()) {
            return found(type.getComponentType(), depth);
        }
        ResolvableType many = type.as(Iterable.class);
        Class<?> found = many == ResolvableType.NONE ? null : found(many.getGeneric(0), depth);
        for (ResolvableType generic : type.getGenerics()) {
            found = found == null ? found(generic, depth) : found;
        }
        return found;
    }

    private static @Nullable Class<?> found(ResolvableType part, int depth) {
        Class<?> type = part.resolve();
        if (type == null) {
            return null;
        }
        return isDeclaredBy(type) ? type : inside(part, depth + 1);
    }
}
