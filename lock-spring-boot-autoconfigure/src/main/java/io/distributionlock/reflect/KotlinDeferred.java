package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Converts Kotlin's {@code Deferred} into a stage and back. Spring's adapter would complete on cancellation, while the work is
 * still ending. Called by reflection, because this library does not depend on Kotlin.
 *
 * @hidden
 */
@Internal
public final class KotlinDeferred {

    static final String NAME = "kotlinx.coroutines.Deferred";

    private static final @Nullable ClassLoader LOADER = KotlinDeferred.class.getClassLoader();

    private KotlinDeferred() {}

    static boolean isPresent() {
        return ClassUtils.isPresent("kotlinx.coroutines.CompletableDeferredKt", LOADER);
    }

    /** Completes when the work has ended, not when it is cancelled. Cancelling the stage cancels the work, and waits for its end. */
    public static CompletionStage<@Nullable Object> stageOf(Object deferred) {
        CompletableFuture<@Nullable Object> stage = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                call(deferred, "Job", "cancel", CancellationException.class, new CancellationException("cancelled"));
                return false;
            }
        };
        whenCompleted(deferred, () -> {
            Throwable failure = (Throwable) call(deferred, "Deferred", "getCompletionExceptionOrNull");
            if (failure == null) {
                stage.complete(call(deferred, "Deferred", "getCompleted"));
            } else {
                stage.completeExceptionally(failure);
            }
        });
        return stage;
    }

    /** Completes as the stage does. Cancellation is passed on to the stage. */
    public static Object of(CompletionStage<?> stage) {
        Method factory = method("CompletableDeferredKt", "CompletableDeferred", type("kotlinx.coroutines.Job"));
        Object deferred = ReflectionUtils.invokeMethod(factory, null, (Object) null);
        if (deferred == null) {
            throw new IllegalStateException(factory + " returned null");
        }
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                call(deferred, "CompletableDeferred", "complete", Object.class, value);
            } else {
                call(deferred, "CompletableDeferred", "completeExceptionally", Throwable.class, failure);
            }
        });
        whenCompleted(deferred, () -> stage.toCompletableFuture().cancel(true));
        return deferred;
    }

    private static void whenCompleted(Object job, Runnable action) {
        Class<?> function = type("kotlin.jvm.functions.Function1");
        Object unit = ReflectionUtils.getField(ReflectionUtils.findField(type("kotlin.Unit"), "INSTANCE"), null);
        Object handler = Proxy.newProxyInstance(
                function.getClassLoader(), new Class<?>[] {function}, (self, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.getName().equals("equals")
                                ? self == arguments[0]
                                : method.invoke(action, arguments);
                    }
                    action.run();
                    return unit;
                });
        call(job, "Job", "invokeOnCompletion", function, handler);
    }

    private static @Nullable Object call(Object target, String type, String method) {
        return ReflectionUtils.invokeMethod(method(type, method), target);
    }

    private static @Nullable Object call(
            Object target, String type, String method, Class<?> taken, @Nullable Object argument) {
        return ReflectionUtils.invokeMethod(method(type, method, taken), target, argument);
    }

    private static Method method(String type, String name, Class<?>... parameters) {
        return ClassUtils.getMethod(type("kotlinx.coroutines." + type), name, parameters);
    }

    private static Class<?> type(String name) {
        return ClassUtils.resolveClassName(name, LOADER);
    }
}
