package io.distributionlock.reflect;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Results whose work continues, or only begins, after the method has returned: a lock that is released then protects nothing.
 * Optional libraries are recognised by name.
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

    private enum Kind {
        DONE,
        WORK,
        CALLED_LATER
    }

    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return kindOf(type);
        }
    };

    /** The deepest nesting that is searched; a type that contains itself would have no end. */
    private static final int DEEPEST = 8;

    private UnfinishedResults() {}

    private static Kind kindOf(Class<?> type) {
        if (isWork(type)) {
            return Kind.WORK;
        }
        boolean lambda = type.isHidden() || type.isSynthetic() || type.isAnonymousClass();
        boolean calledLater = isOneOf(CALLED_LATER, CALLED_LATER_OF_LIBRARIES, type)
                || (lambda
                        && ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                                .anyMatch(UnfinishedResults::isFunction));
        return calledLater ? Kind.CALLED_LATER : Kind.DONE;
    }

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

    // ------------------------------------------------------------------ what is declared

    /** Whether every result of this declared type is unfinished. */
    static boolean isDeclaredBy(Class<?> type) {
        String name = type.getName();
        boolean saysNoMore =
                name.startsWith("java.") || name.startsWith("kotlin.") || CALLED_LATER_OF_LIBRARIES.contains(name);
        return isWork(type) || isFunction(type) || (saysNoMore && KINDS.get(type) == Kind.CALLED_LATER);
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

    // ------------------------------------------------------------------ what is returned

    /** Whether a result of this declared type may or may not be finished. */
    public static boolean isLeftOpenBy(Class<?> type) {
        return !type.isPrimitive() && (type == Optional.class || type.isArray() || !isFinal(type));
    }

    private static boolean isFinal(Class<?> type) {
        return Modifier.isFinal(type.getModifiers());
    }

    /** The part of a result that is not finished, or {@code null} if all of it is. */
    public static @Nullable Object in(@Nullable Object result, Class<?> declared) {
        return result == null ? null : find(result, declared == Object.class, 0);
    }

    /**
     * Cancels or closes what is not finished, where that is possible.
     *
     * @param place where the lock is declared
     * @return the exception to throw: the work would go on without the lock
     */
    public static InvalidLockDefinitionException refused(Object unfinished, String place) {
        InvalidLockDefinitionException refusal = new InvalidLockDefinitionException(List.of(new LockProblem(
                place + " cannot know when the work has ended from the "
                        + unfinished.getClass().getName() + " that the method has returned.",
                CURE)));
        abandon(unfinished, refusal);
        return refusal;
    }

    private static @Nullable Object find(Object result, boolean leftOpen, int depth) {
        Kind kind = KINDS.get(result.getClass());
        if (kind == Kind.WORK || (kind == Kind.CALLED_LATER && leftOpen)) {
            return result;
        }
        Object inner = firstInside(result);
        return inner == null || depth == DEEPEST ? null : find(inner, false, depth + 1);
    }

    /** The first element, for collections of the JDK only: others, and those that the JDK wraps, may load their elements lazily. */
    private static @Nullable Object firstInside(Object result) {
        if (result instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        if (result instanceof Object[] array) {
            return array.length == 0 ? null : array[0];
        }
        if (result instanceof Collection<?> many) {
            return holdsItsElements(many.getClass().getName()) && !many.isEmpty()
                    ? many.iterator().next()
                    : null;
        }
        return HttpBodies.of(result);
    }

    private static boolean holdsItsElements(String type) {
        return type.startsWith("java.util.") && !type.startsWith("java.util.Collections$");
    }

    private static void abandon(Object unfinished, RuntimeException refusal) {
        try {
            if (unfinished instanceof Future<?> future) {
                future.cancel(true);
            } else if (unfinished instanceof AutoCloseable closeable) {
                closeable.close();
            }
        } catch (Exception e) {
            refusal.addSuppressed(e);
        }
    }
}
